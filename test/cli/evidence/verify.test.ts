import t from 'tap'
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { entryAfter, type AuditEntry, type AuditEvent } from '../../../domain/audit/entry.ts'
import { auditEvent } from '../../../domain/cases/due-audit-events.ts'
import { LINKS, verifyEvidence, type LinkResult } from '../../../cli/evidence/verify.ts'
import type { EvidenceFiles, Trust } from '../../../cli/evidence/link-check.ts'
import type { AuditFile } from '../../../workers/evidence/audit-file.ts'
import { composeDocument } from '../../../pades/index.ts'
import { evidenceContent } from '../../../workers/evidence/build-evidence.ts'
import { identity, NOW, root } from '../../fixtures/pki.ts'
import { CASE_ID } from '../../fixtures/signature-case.ts'
import {
  bundle,
  forged,
  PARTICIPANTS,
  plainPdf,
  sealed,
  signedByAll,
  unsealed,
  withEvents,
  withTrail,
} from './bundle.ts'

const genuine = await bundle()
const other = await bundle('Another contract')
const trust: Trust = { certificates: [root.certificate], origin: 'root.pem' }
const LATER = new Date(NOW.getTime() + 1000)

async function results(files: Partial<EvidenceFiles>): Promise<LinkResult[]> {
  const { evidence, signed } = genuine
  const all = { evidence, signed, trust, now: LATER, ...files }
  const found: LinkResult[] = []
  for await (const result of verifyEvidence(all)) found.push(result)
  return found
}

/** The link that broke, with what was said of it; everything before it held. */
async function broken(files: Partial<EvidenceFiles>): Promise<string> {
  const found = await results(files)
  const last = found.at(-1)
  if (!last || last.holds || found.slice(0, -1).some(({ holds }) => !holds)) return 'nothing'
  return `${last.link}: ${last.detail}`
}

const SEALED = 'the evidence is sealed and unchanged'
const CHAIN = 'the audit trail is one whole chain'
const ISSUED = 'the signed file is the one that was issued'
const VALID = 'the signatures in the signed file are valid'

t.test('files of a document that was sealed before and signed in two places hold', async (t) => {
  const { evidence, signed } = await bundle('Annex', { places: 2, isSealedBefore: true })
  const found = await results({ evidence, signed })
  t.same(
    found.filter(({ holds }) => !holds),
    [],
  )
  t.equal(found.length, LINKS.length)
})

t.test('genuine files hold, link by link', async (t) => {
  const found = await results({})
  t.same(
    found.filter(({ holds }) => !holds),
    [],
  )
  t.same(
    found.map(({ link }) => link),
    LINKS.map(({ name }) => name),
  )
  t.ok(found.every(({ detail }) => detail !== ''))
})

t.test('without a root to trust, everything is checked and the root is named', async (t) => {
  const fingerprint = createHash('sha256').update(root.certificate).digest('hex')
  const found = await results({ trust: undefined })
  t.equal(found.length, LINKS.length)
  const last = found.at(-1)
  t.equal(last?.holds, false)
  t.match(last?.detail, fingerprint)
})

t.test('a root that the seal does not lead to is refused', async (t) => {
  const { certificate } = await identity({ subject: { commonName: 'Else' }, profile: 'root' })
  const said = await broken({ trust: { certificates: [certificate], origin: 'else.pem' } })
  t.match(said, `${SEALED}: signature sigcase-seal`)
})

t.test('evidence that was put together anew without the seal is refused', async (t) => {
  const evidence = await unsealed(genuine.input, 'audit.json', (text) => text)
  t.equal(await broken({ evidence }), `${SEALED}: the evidence has no seal`)
})

t.test('evidence whose last time-stamp was cut off is not what was issued', async (t) => {
  const content = await composeDocument(evidenceContent(genuine.input))
  const evidence = await sealed(content, true)
  t.match(await broken({ evidence }), `${SEALED}: the evidence was sealed as PAdES-BASELINE-LTA`)
  const whole = Buffer.from(genuine.evidence)
  const end = whole.lastIndexOf('%%EOF', whole.length - 10) + '%%EOF\n'.length
  t.match(await broken({ evidence: whole.subarray(0, end) }), 'its end was cut off')
})

const APPENDED = {
  'other content of a page': '/Contents 900 0 R',
  'a turned page': '/Rotate 90',
  'a note on a page': '/Annots [901 0 R]',
}
const NEW_OBJECTS = [
  ['900 0 obj', '<< /Length 10 >> stream', '0 0 9 9 re ', 'endstream'],
  ['901 0 obj', '<< /Type /Annot /Subtype /FreeText /Rect [9 9 90 90] /Contents (no) >>'],
]

/** The file with a later revision that says something else of its first page. */
function appended(bytes: Uint8Array, entry: string): Uint8Array {
  const file = Buffer.from(bytes).toString('latin1')
  const [, number] = /\/Kids \[ ?(\d+) 0 R/.exec(file) ?? []
  const [, page] = new RegExp(`\\n${number} 0 obj\\s*<<([^]*?)>>\\s*endobj`).exec(file) ?? []
  const [root] = [...file.matchAll(/\/Root \d+ 0 R/g)].at(-1) ?? []
  const [, before] = [...file.matchAll(/startxref\s+(\d+)/g)].at(-1) ?? []
  const [name] = /^\/\w+/.exec(entry) ?? []
  const kept = page?.replace(new RegExp(`${name} (\\[[^\\]]*\\]|\\d+ 0 R|\\d+)`), '')
  const objects = [[`${number} 0 obj`, `<<${kept} ${entry} >>`], ...NEW_OBJECTS]
  let text = `${file}\n`
  const rows: string[] = []
  for (const lines of objects) {
    rows.push(`${lines[0]?.split(' ')[0]} 1`, `${String(text.length).padStart(10, '0')} 00000 n `)
    text += `${[...lines, 'endobj'].join('\n')}\n`
  }
  const table = ['xref', ...rows, `trailer << /Size 902 ${root} /Prev ${before} >>`]
  const end = ['startxref', String(text.length), '%%EOF', '']
  return new Uint8Array(Buffer.from(text + [...table, ...end].join('\n'), 'latin1'))
}

for (const [what, entry] of Object.entries(APPENDED)) {
  t.test(`what was appended is found: ${what}`, async (t) => {
    const { evidence, signed } = genuine
    const named = 'The document was changed after signing'
    t.match(await broken({ signed: appended(signed, entry) }), new RegExp(`^${VALID}.*${named}`))
    const other = appended(evidence, entry)
    t.match(await broken({ evidence: other }), new RegExp(`^${SEALED}.*${named}`))
  })
}

t.test('an audit entry that was edited is named', async (t) => {
  const evidence = await withTrail(genuine.input, (file) => ({
    ...file,
    entries: file.entries.map((entry) =>
      entry.sequence === 3 ? { ...entry, occurredAt: '2026-11-02T07:00:00.000Z' } : entry,
    ),
  }))
  t.equal(await broken({ evidence }), `${CHAIN}: audit entry 4: wrongPrevious`)
})

t.test('a commitment that was changed is named', async (t) => {
  const evidence = await withTrail(genuine.input, (file) => ({
    ...file,
    entries: file.entries.map((entry) =>
      entry.sequence === 2 ? { ...entry, commitments: { data: 'a'.repeat(64) } } : entry,
    ),
  }))
  t.equal(await broken({ evidence }), `${CHAIN}: audit entry 2: wrongCommitment`)
})

t.test('an audit entry that was deleted is named', async (t) => {
  const evidence = await withTrail(genuine.input, (file) => ({
    ...file,
    entries: file.entries.filter(({ sequence }) => sequence !== 3),
  }))
  t.equal(await broken({ evidence }), `${CHAIN}: audit entry 3: wrongSequence`)
})

t.test('an entry that was deleted, the rest numbered anew, is named', async (t) => {
  const evidence = await withTrail(genuine.input, (file) => ({
    ...file,
    entries: file.entries
      .filter(({ sequence }) => sequence !== 3)
      .map((entry, index) => ({ ...entry, sequence: index + 1 })),
  }))
  t.equal(await broken({ evidence }), `${CHAIN}: audit entry 3: wrongPrevious`)
})

t.test('audit entries that changed places are named', async (t) => {
  const evidence = await withTrail(genuine.input, (file) => {
    const entries = [...file.entries]
    const [second, third] = [entries[1], entries[2]] as [AuditEntry, AuditEntry]
    entries.splice(1, 2, { ...third, sequence: 2 }, { ...second, sequence: 3 })
    return { ...file, entries }
  })
  t.equal(await broken({ evidence }), `${CHAIN}: audit entry 2: wrongPrevious`)
})

t.test('an audit entry that was inserted is named', async (t) => {
  const evidence = await withTrail(genuine.input, (file) => {
    const entries = [...file.entries]
    const before = entries[2] as AuditEntry
    const event = {
      eventId: 'inserted',
      type: 'participant.viewed',
      occurredAt: before.occurredAt,
      actor: 'participant',
      data: {},
    } as const
    const inserted = entryAfter(before, { tenant: file.tenant, caseId: file.caseId }, event, {})
    const rest = entries.slice(3).map((entry) => ({ ...entry, sequence: entry.sequence + 1 }))
    return { ...file, entries: [...entries.slice(0, 3), inserted, ...rest] }
  })
  t.equal(await broken({ evidence }), `${CHAIN}: audit entry 5: wrongPrevious`)
})

t.test('a trail that was cut short does not end as it must', async (t) => {
  const evidence = await withTrail(genuine.input, (file) => ({
    ...file,
    entries: file.entries.slice(0, -1),
  }))
  t.match(await broken({ evidence }), `${CHAIN}: the head of the trail is not its last entry`)
  const whole = await withEvents(genuine.input, (events) => events.slice(0, -1))
  t.match(await broken({ evidence: whole }), 'the trail has no entry case.finalised')
})

t.test('the last entry is held by the head alone', async (t) => {
  const edited = await withTrail(genuine.input, (file) => ({
    ...file,
    entries: file.entries.map((entry) =>
      entry.type === 'case.finalised' ? { ...entry, occurredAt: entry.occurredAt + '0' } : entry,
    ),
  }))
  const said = `${CHAIN}: the head of the trail is not its last entry`
  t.equal(await broken({ evidence: edited }), said)
})

t.test('a personal value that was edited is named', async (t) => {
  const evidence = await forged(genuine.input, 'audit.json', (text) =>
    text.replaceAll('192.0.2.7', '192.0.2.9'),
  )
  t.match(await broken({ evidence }), /: audit entry \d+: wrongCommitment$/)
})

t.test('a trail with members that do not belong there is refused', async (t) => {
  const evidence = await withTrail(genuine.input, (file: AuditFile) => ({ ...file, more: 1 }))
  t.match(await broken({ evidence }), `${CHAIN}: audit.json: /more`)
  const torn = await forged(genuine.input, 'audit.json', (text) => text.slice(0, -9))
  t.match(await broken({ evidence: torn }), `${CHAIN}: audit.json:`)
})

t.test('values that were erased leave everything that matters', async (t) => {
  const evidence = await withTrail(genuine.input, (file) => ({ ...file, openings: {} }))
  const found = await results({ evidence })
  t.same(
    found.filter(({ holds }) => !holds),
    [],
  )
  const chain = found.find(({ link }) => link === CHAIN)
  t.match(chain?.detail, /^\d+ entries, personal values of [1-9]\d* erased, head /)
  const whole = (await results({})).find(({ link }) => link === CHAIN)
  t.match(whole?.detail, /^\d+ entries, head /)
})

t.test('a consent text with other words is refused', async (t) => {
  const evidence = await forged(genuine.input, 'consent-2026-11-sk.txt', (text) =>
    text.replace('dokument', 'čokoľvek'),
  )
  t.match(await broken({ evidence }), /^the consent texts .*consent-2026-11-sk.txt differs/)
})

t.test('evidence of another case does not fit', async (t) => {
  t.match(await broken({ evidence: other.evidence }), `${ISSUED}: the signed file differs`)
  t.match(await broken({ signed: other.signed }), `${ISSUED}: the signed file differs`)
})

t.test('a document that people signed cannot pose as evidence', async (t) => {
  const lookalike = await composeDocument(evidenceContent(genuine.input))
  const { bytes } = await signedByAll(lookalike)
  t.match(await broken({ evidence: bytes }), `${SEALED}: the evidence has other signatures`)
})

t.test('a certificate that the trail does not know is named', async (t) => {
  const evidence = await withEvents(genuine.input, (events) =>
    events.map((event) =>
      event.type === 'participant.certificate_issued'
        ? { ...event, eventId: `${event.eventId}x` }
        : event,
    ),
  )
  t.match(await broken({ evidence }), /^each signature belongs .*is not in the trail$/)
})

const CERTIFICATES = ['participant.certificate_issued', 'participant.signature_applied'] as const
const isOfCertificate = ({ type }: AuditEvent) => CERTIFICATES.some((other) => other === type)

t.test('a certificate that differs from the trail is named', async (t) => {
  const evidence = await withEvents(genuine.input, (events) =>
    events.map((event) =>
      isOfCertificate(event) ? { ...event, data: { certificateSerial: 'abcd' } } : event,
    ),
  )
  t.match(await broken({ evidence }), /^each signature belongs .*is not in the trail$/)
})

t.test('certificates that were exchanged between people are named', async (t) => {
  const { signers } = genuine.input
  const evidence = await withEvents(genuine.input, (events) =>
    events.map((event) => {
      const taken = signers.find(({ participantId }) => participantId !== event.participantId)
      if (!isOfCertificate(event) || !taken) return event
      const { participantId, occurredAt, actor } = event
      return auditEvent(CASE_ID, event.type, {
        occurredAt,
        actor,
        participantId,
        occurrence: taken.certificateSerial,
      })
    }),
  )
  t.match(await broken({ evidence }), 'names another participant than')
})

t.test('signatures that are not valid to the root, or not stamped, are named', async (t) => {
  const { evidence, signed } = await bundle('Contract', { stamped: false })
  t.match(await broken({ evidence, signed }), /^the signatures .*has no valid time-stamp$/)
})

t.test('a signature that was added after the document was issued is named', async (t) => {
  const signed = await sealed(genuine.signed)
  t.match(await broken({ signed }), `${VALID}: signature sigcase-seal`)
})

t.test('a participant of the trail without a signature is named', async (t) => {
  const absent = '00000000-0000-5000-8000-000000000000'
  const evidence = await withEvents(genuine.input, (events) =>
    events.flatMap((event) =>
      event.type === 'participant.created' && event.participantId === PARTICIPANTS[0]?.id
        ? [event, { ...event, eventId: 'absent', participantId: absent }]
        : [event],
    ),
  )
  t.match(await broken({ evidence }), `participant ${absent} has no signature in the document`)
})

t.test('a consent that is missing, late, or for another document is named', async (t) => {
  const missing = await withEvents(genuine.input, (events) =>
    events.filter(({ type }, index) => type !== 'participant.consented' || index < 9),
  )
  t.match(await broken({ evidence: missing }), 'the trail has no entry participant.consented')
  const late = await withEvents(genuine.input, (events) => {
    const consents = events.filter(({ type }) => type === 'participant.consented')
    const rest = events.filter(({ type }) => type !== 'participant.consented')
    return [...rest.slice(0, -1), ...consents, ...rest.slice(-1)]
  })
  t.match(await broken({ evidence: late }), 'signed before consenting')
  const elsewhere = await withEvents(genuine.input, (events) =>
    events.map((event) =>
      event.type === 'participant.signed' ? { ...event, documentSha256: 'c'.repeat(64) } : event,
    ),
  )
  t.match(await broken({ evidence: elsewhere }), 'is for another document')
})

t.test('bytes after the signed file are found, its digest within it notwithstanding', async (t) => {
  const { signed } = genuine
  const longer = new Uint8Array([...signed, ...new TextEncoder().encode('\n% one more thing\n')])
  t.match(await broken({ signed: longer }), `${VALID}:`)
  const tail = new Uint8Array([...genuine.evidence, ...new TextEncoder().encode('\n% more\n')])
  t.match(await broken({ evidence: tail }), `${SEALED}:`)
})

t.test('a file that is not a PDF is a broken link, not a crash', async (t) => {
  const text = new TextEncoder().encode('hello')
  t.match(await broken({ evidence: text }), /^the evidence carries its attachments: /)
  t.match(await broken({ signed: text }), ISSUED)
  t.match(await broken({ signed: new Uint8Array() }), ISSUED)
  const plain = await sealed(await plainPdf('plain'))
  t.match(await broken({ evidence: plain }), 'audit.json: the evidence has no attachment')
})

t.test('no flipped byte goes unnoticed', async (t) => {
  const flipped = (bytes: Uint8Array, place: number) => {
    const copy = new Uint8Array(bytes)
    copy[place] = (copy[place] as number) ^ 1
    return copy
  }
  const { evidence, signed } = genuine
  // Within Contents, what follows the CMS is padding that no signature covers.
  const hole = Buffer.from(evidence).lastIndexOf('/Contents')
  const places = (length: number) =>
    Array.from({ length: 40 }, (_, index) => Math.floor((index / 40) * (length - 1)))
  for (const place of [...places(hole), evidence.length - 8]) {
    t.not(await broken({ evidence: flipped(evidence, place) }), 'nothing', `evidence ${place}`)
  }
  for (const place of places(signed.length)) {
    t.match(await broken({ signed: flipped(signed, place) }), ISSUED, `signed ${place}`)
  }
})
