import t from 'tap'
import { encode } from 'uqr'
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import {
  AUDIT_EVENT_TYPES,
  entryHash,
  eventOf,
  findChainFault,
  type AuditEventType,
} from '../../../domain/audit/entry.ts'
import { auditEvent } from '../../../domain/cases/due-audit-events.ts'
import { CONSENT_TEXTS, CURRENT_CONSENTS } from '../../../domain/consent.ts'
import { LANGUAGES } from '../../../domain/cases/definition.ts'
import { readDrawing, readLogo, type Block, type DocumentContent } from '../../../pades/index.ts'
import type { AuditFile } from '../../../workers/evidence/audit-file.ts'
import { buildEvidence, evidenceContent } from '../../../workers/evidence/build-evidence.ts'
import { utcAndLocal } from '../../../workers/evidence/utc.ts'
import { EVIDENCE_TEXTS } from '../../../workers/evidence/texts.ts'
import { LOGO_PNG } from '../../fixtures/logos.ts'
import { CASE_ID, DOCUMENT_SHA256, participant } from '../../fixtures/signature-case.ts'
import { bundle } from '../../cli/evidence/bundle.ts'
import { taggingFaults } from '../../pades/compose/tagged.ts'
import { evidenceInput, FINALISED_AT, ROOT_CERTIFICATE, trailOf } from './sample.ts'

const slovak = [participant(1, { language: 'sk' }), participant(2, { language: 'sk' })]

/** All texts of the blocks, one per line. */
function textOf({ blocks }: DocumentContent): string {
  const lines = (block: Block): readonly string[] => {
    switch (block.kind) {
      case 'keyValues':
        return block.rows.map(({ label, value }) => `${label}: ${value}`)
      case 'table':
        return block.rows.map((row) => row.join(' | '))
      case 'timeline':
        return block.events.map(({ time, title, detail, digest }) =>
          [time, title, detail, digest].join(' | '),
        )
      case 'heading':
      case 'paragraph':
        return [block.text]
      case 'callout':
        return [block.title ?? '', block.text]
      case 'figure':
        return [block.alt, ...block.lines]
      default:
        return []
    }
  }
  return blocks.flatMap(lines).join('\n')
}

function attachment({ attachments }: DocumentContent, name: string): string {
  const found = attachments.find((candidate) => candidate.name === name)
  return new TextDecoder().decode(found?.bytes)
}

t.test('both languages have the same keys, and every sentence says something', async (t) => {
  const anything = {
    title: 'T',
    baseUrl: 'B',
    createdAt: 'C',
    participants: 2,
    name: 'N',
    pageCount: 3,
  }
  const flat = (value: unknown, path: string): [string, string][] => {
    if (typeof value === 'string') return [[path, value]]
    if (typeof value === 'function') return [[path, String(value(anything, 'sk'))]]
    return Object.entries(value as object).flatMap(([key, inner]) => flat(inner, `${path}.${key}`))
  }
  const [sk, en] = LANGUAGES.map((language) => flat(EVIDENCE_TEXTS[language], 'texts'))
  t.same(
    sk?.map(([key]) => key),
    en?.map(([key]) => key),
  )
  for (const [key, text] of [...(sk ?? []), ...(en ?? [])]) t.ok(text.trim(), key)
  const same = sk?.filter(([key, text]) => new Map(en).get(key) === text).map(([key]) => key)
  t.same(same, [
    'texts.number',
    'texts.timeline.ip',
    'texts.glossary.entries.0.0',
    'texts.glossary.entries.5.0',
  ])
  t.same(Object.keys(EVIDENCE_TEXTS.sk.events).sort(), [...AUDIT_EVENT_TYPES].sort())
  const slovakText = (sk ?? []).map(([, text]) => text).join('\n')
  t.notMatch(slovakText, /(?:^|\s)[aikosuvz] /im, 'a word of one letter does not end a line')
  t.notMatch(slovakText, /e-mail|, alebo |kresb/i, 'the wording that was agreed')
})

t.test('the language is Slovak when everybody reads it, otherwise English', async (t) => {
  t.equal(evidenceContent(evidenceInput({ participants: slovak })).language, 'sk')
  t.equal(evidenceContent(evidenceInput()).language, 'en')
})

t.test('pages and people are counted as Slovak counts', async (t) => {
  const { events, about } = EVIDENCE_TEXTS.sk
  const pages = (pageCount: number) => events['document.uploaded']({ pageCount })
  t.same(
    [1, 2, 5, 22].map(pages).map((text) => /\(.*\)/.exec(text)?.[0]),
    ['(1\u00a0strana)', '(2\u00a0strany)', '(5\u00a0strán)', '(22\u00a0strán)'],
  )
  const people = (participants: number) =>
    about.text({ title: '', baseUrl: '', createdAt: '', timeZone: undefined, participants })
  t.match(people(1), 'podpísala 1\u00a0osoba')
  t.match(people(2), 'podpísali 2\u00a0osoby')
  t.match(people(5), 'podpísalo 5\u00a0osôb')
})

t.test('the evidence names the consent text in the language that was accepted', async (t) => {
  const consent = { textVersion: '2026-11-28-en', acceptedAt: '2026-11-02T08:09:50.000Z' }
  const slovak = participant(1, { language: 'sk' })
  const input = evidenceInput({ participants: [slovak], consent })
  const content = evidenceContent(input)
  const text = textOf(content)
  t.match(text, 'príloha consent-2026-11-28-en.txt')
  t.match(text, CURRENT_CONSENTS.en.text, 'the words that were read')
  t.notMatch(text, CURRENT_CONSENTS.sk.text, 'and no others')
  const names = (content.attachments ?? []).map(({ name }) => name)
  t.same(
    names.filter((name) => name.startsWith('consent')),
    ['consent-2026-11-28-en.txt'],
  )
})

t.test('the record contains the case, both digests and every participant', async (t) => {
  const input = evidenceInput({
    definition: { title: 'Zmluva', sender: { name: 'Acme', replyTo: 'a@example.com' } },
    participants: [participant(1, { language: 'sk', phone: '+421905123456' }), participant(2)],
  })
  const text = textOf(evidenceContent(input))
  for (const expected of [
    input.signatureCase.metadata.name,
    'Customer of the service: acme',
    'Sender: Acme, a@example.com',
    `SHA-256 before signing: ${DOCUMENT_SHA256}`,
    `SHA-256 after signing: ${'a'.repeat(64)}`,
    'Level of the signatures: PAdES-BASELINE-LTA',
    '1. Ľuboš Šťastný',
    'E-mail (masked): p***@e***.com',
    'Telephone (masked): +421 *** *** 456',
    'Consent text: 2026-11 (attachment consent-2026-11-sk.txt)',
    'Consent text: 2026-11 (attachment consent-2026-11-en.txt)',
    'Consent given: 2026-11-02 08:09:50 UTC · 09:09:50\u00a0CET (by the clock of the person’s ',
    'Document opened: 2026-11-02 08:09:00 UTC',
    'Signature received by the service: 2026-11-02 08:10:00 UTC',
    'IP address: 192.0.2.7',
    'Browser: Mozilla/5.0',
    'Device (as it reported): Europe/Bratislava · sk-SK · 390 × 844',
    'All pages were shown (as it reported): yes',
    'Time-stamp issued by: CN=Sigcase TSA, O=Sigcase, C=SK',
    'Certificate subject: CN=Jana Nováková',
    `Certificate serial number: ${input.signers[1]?.certificateSerial}`,
  ]) {
    t.ok(text.includes(expected), expected)
  }
  t.notMatch(text, 'p1@example.com')
  t.notMatch(text, '905123456')
})

t.test('signatures that the document already had are counted and not judged', async (t) => {
  const shownFor = (signaturesBefore: number) =>
    textOf(evidenceContent(evidenceInput({ signaturesBefore })))
  t.match(
    shownFor(2),
    'Signatures before signing: 2, not of this case; this record says nothing about',
  )
  t.notMatch(shownFor(0), 'Signatures before signing')
})

t.test('a name and a title with letters that no font has are spelled by number', async (t) => {
  const people = [
    participant(1, { firstName: '𐀀𐀁', lastName: '山田' }),
    participant(2, { firstName: 'ߒߞߏ', lastName: 'Cohen' }),
    participant(3),
  ]
  const text = textOf(evidenceContent(evidenceInput({ participants: people })))
  t.match(text, 'Letters of the name (Unicode): U+10000 U+10001 U+0020 U+5C71 U+7530\n')
  t.match(text, 'Letters of the name (Unicode): U+07D2 U+07DE U+07CF U+0020 U+0043')
  t.equal(text.split('Letters of the name').length, 3, 'of those alone')
  t.match(text, EVIDENCE_TEXTS.en.participants.lettersLacking)
  const titled = textOf(evidenceContent(evidenceInput({ definition: { title: '契約 𠮷' } })))
  t.match(titled, 'Letters of the title (Unicode): U+5951 U+7D04 U+0020 U+20BB7\n')
  t.match(titled, EVIDENCE_TEXTS.en.participants.lettersLacking)
  const others = [participant(1, { firstName: '太郎', lastName: '山田' })]
  const hebrew = participant(2, { firstName: 'שרה', lastName: 'محمد' })
  for (const participants of [undefined, [...others, hebrew]]) {
    const shown = textOf(evidenceContent(evidenceInput(participants ? { participants } : {})))
    t.notMatch(shown, 'Unicode')
  }
})

t.test('the timeline has every entry up to case.finalised, numbered and in UTC', async (t) => {
  const input = evidenceInput()
  const events = input.trail.entries.map(({ eventId, type, occurredAt, actor, participantId }) => ({
    eventId,
    type,
    occurredAt,
    actor,
    ...(participantId ? { participantId } : {}),
    data: (input.trail.openings[eventId]?.data?.value ?? {}) as Record<string, unknown>,
  }))
  const later = { ...events[0], eventId: 'later', type: 'participant.downloaded' as const }
  const trail = trailOf([...events, later as (typeof events)[number]])
  const content = evidenceContent({ ...input, trail })
  const timeline = content.blocks.find((block) => block.kind === 'timeline')
  t.equal(timeline?.events.length, events.length)
  for (const [index, { time, title, digest }] of (timeline?.events ?? []).entries()) {
    t.match(time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n\d\d:\d\d:\d\d\sCET$/)
    t.ok(title.startsWith(`${index + 1}. `))
    t.equal(digest, events[index]?.type)
  }
  const last = FINALISED_AT.replace('T', ' ').replace('.000Z', ' UTC')
  t.equal(timeline?.events.at(-1)?.time.split('\n')[0], last)
})

t.test('values that were erased are left out, and the record is built nevertheless', async (t) => {
  const input = evidenceInput()
  const content = evidenceContent({ ...input, trail: { ...input.trail, openings: {} } })
  t.notMatch(textOf(content), 'undefined')
  const file: AuditFile = JSON.parse(attachment(content, 'audit.json'))
  t.same(file.openings, {})
  t.equal(findChainFault(file.entries, file.openings), undefined)
})

t.test('audit.json holds the chain with all that is needed to walk it', async (t) => {
  const input = evidenceInput()
  const file: AuditFile = JSON.parse(attachment(evidenceContent(input), 'audit.json'))
  t.same(file.entries, input.trail.entries)
  t.same(file.openings, input.trail.openings)
  t.equal(findChainFault(file.entries, file.openings), undefined)
  const last = input.trail.entries.at(-1)
  t.same(file.head, { sequence: last?.sequence, hash: last && entryHash(last) })
  t.equal(file.tenant, 'acme')
})

t.test('the consent text goes along in both languages, word for word', async (t) => {
  const content = evidenceContent(evidenceInput())
  const { version, texts } = CONSENT_TEXTS[0] ?? { version: '', texts: { sk: '', en: '' } }
  for (const language of LANGUAGES) {
    t.equal(attachment(content, `consent-${version}-${language}.txt`), `${texts[language]}\n`)
    t.ok(textOf(content).includes(texts[language] ?? ''))
  }
})

t.test('the fingerprint of the root is that of the certificate that goes along', async (t) => {
  const content = evidenceContent(evidenceInput())
  const pem = attachment(content, 'root.pem')
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\n/g, ''), 'base64')
  t.same(new Uint8Array(der), ROOT_CERTIFICATE)
  t.ok(pem.split('\n').every((line) => line.length <= 64))
  t.match(textOf(content), createHash('sha256').update(ROOT_CERTIFICATE).digest('hex'))
})

t.test('fifty people with the longest of names fit', async (t) => {
  const participants = Array.from({ length: 50 }, (_, index) =>
    participant(index + 1, { firstName: 'Ž'.repeat(100), lastName: 'x'.repeat(100) }),
  )
  const title = 'Rámcová zmluva '.repeat(17)
  const pdf = await buildEvidence(evidenceInput({ participants, definition: { title } }))
  t.equal(new TextDecoder().decode(pdf.subarray(0, 5)), '%PDF-')
  t.ok(pdf.length < 1024 * 1024)
})

/** The sample with more events of its first participant, before anybody signed. */
function withEvents(
  more: readonly [type: AuditEventType, at: string, data: Record<string, unknown>][],
  definition: Parameters<typeof evidenceInput>[0],
) {
  const input = evidenceInput(definition)
  const recorded = input.trail.entries.map((entry) =>
    eventOf(entry, input.trail.openings[entry.eventId]),
  )
  const participantId = participant(1).id
  const added = more.map(([type, occurredAt, data], index) =>
    auditEvent(CASE_ID, type, {
      occurredAt,
      actor: 'participant',
      participantId,
      data,
      occurrence: String(index),
    }),
  )
  const inOrder = [...added, ...recorded].sort(
    (a, b) => Date.parse(a.occurredAt) - Date.parse(b.occurredAt),
  )
  return textOf(evidenceContent({ ...input, trail: trailOf(inOrder) }))
}

t.test('a verified code is shown with its participant and in the timeline', async (t) => {
  const channel = { factor: 'code', channel: 'SMS', destination: '+421 *** *** 456' }
  const text = withEvents(
    [
      ['participant.otp_sent', '2026-11-02T08:06:00.000Z', channel],
      ['participant.otp_failed', '2026-11-02T08:06:30.000Z', { ...channel, reason: 'not_sent' }],
      ['participant.otp_failed', '2026-11-02T08:07:00.000Z', channel],
      ['participant.otp_verified', '2026-11-02T08:08:00.000Z', channel],
      ['participant.otp_verified', '2026-11-02T08:59:00.000Z', channel],
    ],
    { definition: { multiFactorType: 'SMS' } },
  )
  t.match(
    text,
    /One-time code: entered correctly .* UTC · 09:08:00\sCET, sent to \+421 [* ]+ 456/,
    'the one before the signature',
  )
  t.equal(text.split('One-time code: ').length, 2, 'by the participant who entered it alone')
  for (const sentence of [
    'a one-time code was sent',
    'sending the one-time code failed; the code was withdrawn',
    'a wrong code was entered',
    'the one-time code was verified',
  ]) {
    t.ok(text.includes(sentence), sentence)
  }
  t.match(text, 'Signatory · +421 *** *** 456')
})

t.test(
  'the place of a signature is stated: chosen places, text and signatures under it',
  async (t) => {
    const input = evidenceInput()
    t.notMatch(textOf(evidenceContent(input)), /Place of the signature|Visible part/)
    const [first, second] = input.view.participants
    const rectangle = { page: 1, x: 0, y: 0, width: 90, height: 30, unit: 'pt' as const }
    const participants = [first, second].map((one, index) => {
      const { fieldIds: _, ...signature } = one!.signature!
      const places = index === 0 ? { rectangles: [rectangle] } : { fieldIds: ['f1'] }
      return { ...one!, signature: { ...signature, ...places } }
    })
    const signers = input.signers.map((signer, index) => ({
      ...signer,
      infos: index === 0 ? (['APPEARANCE_COVERS_CONTENT'] as const) : [],
    }))
    const view = { ...input.view, participants }
    const text = textOf(evidenceContent({ ...input, view, signers }))
    t.same(text.match(/Place of the signature: .*/g), [
      'Place of the signature: chosen by the participant',
    ])
    t.same(text.match(/Visible part of the signature: .*/g), [
      'Visible part of the signature: lies over text of the page',
    ])
  },
)

t.test('who never opened the document is not said to have done so', async (t) => {
  const input = evidenceInput()
  const [, second] = input.view.participants
  const entries = input.trail.entries.filter(
    ({ type, participantId }) =>
      type !== 'participant.viewed' || participantId !== second?.definition.id,
  )
  const text = textOf(evidenceContent({ ...input, trail: { ...input.trail, entries } }))
  const rows = text.split('\n').filter((line) => line.startsWith('Document opened: '))
  t.same(rows, [
    'Document opened: 2026-11-02 08:09:00 UTC · 09:09:00\u00a0CET',
    `Document opened: ${EVIDENCE_TEXTS.en.participants.openingNotRecorded}`,
  ])
  for (const { participants } of Object.values(EVIDENCE_TEXTS)) {
    t.notMatch(participants.intro, /opened|otvoril/, 'nor does the text about all of them')
  }
})

t.test('a deviating clock of a device is described as such', async (t) => {
  for (const acceptedAt of ['2099-01-01T00:00:00.000Z', '1990-01-01T00:00:00.000Z']) {
    const input = evidenceInput({ participants: slovak, acceptedAt })
    const { byDeviatingClock } = EVIDENCE_TEXTS.sk.participants
    t.ok(
      textOf(evidenceContent(input)).includes(
        byDeviatingClock(utcAndLocal(acceptedAt, { language: 'sk' })),
      ),
      acceptedAt,
    )
  }
})

t.test('local time is beside UTC, with its day when that is another one', async (t) => {
  t.equal(
    utcAndLocal('2026-11-02T08:00:00.000Z', { language: 'sk' }),
    '2026-11-02 08:00:00 UTC · 09:00:00\u00a0SEČ',
  )
  const summer = '2026-07-31 23:30:00 UTC · 2026-08-01 01:30:00\u00a0CEST'
  t.equal(utcAndLocal('2026-07-31T23:30:00.000Z', { language: 'en' }), summer)
  t.equal(utcAndLocal('never', { language: 'en' }), 'never')
})

t.test('local times are those of the time zone of the tenant', async (t) => {
  const textIn = (timeZone: string | undefined, participants = slovak) =>
    textOf(evidenceContent({ ...evidenceInput({ participants }), timeZone }))
  const english = [participant(1, { language: 'en' })]
  t.match(textIn(undefined), 'v\u00a0miestnom čase na Slovensku.')
  t.match(textIn(undefined, english), 'with the local time of Slovakia beside them.')
  const vienna = textIn('Europe/Vienna')
  t.match(vienna, 'v\u00a0miestnom čase časového pásma Europe/Vienna.')
  t.match(vienna, '09:10:00\u00a0SEČ')
  const newYork = textIn('America/New_York', english)
  t.match(newYork, 'with the local time of the time zone America/New_York beside them.')
  t.match(newYork, '2026-11-02 08:10:00 UTC · 03:10:00\u00a0UTC-5')
  t.notMatch(newYork, /\bCE?S?T\b|Slovakia/)
  const plain = textIn('Etc/UTC', english)
  t.match(plain, 'Times are in Coordinated Universal Time (UTC).')
  t.match(plain, '2026-11-02 08:10:00 UTC')
  t.notMatch(plain, 'UTC ·')
})

t.test('the image of each signature is shown with its pages and places', async (t) => {
  const input = evidenceInput()
  const drawing = readDrawing('M0 40 C20 0 40 0 60 40')
  const [first, second] = input.view.participants
  const { rectangles: _, ...signed } = first!.signature!
  const fraction = { page: 2, x: 0.1, y: 0.25, width: 0.3, height: 0.05, unit: 'fraction' as const }
  const { fieldIds: __, ...chosen } = second!.signature!
  const participants = [
    { ...first!, signature: { ...signed, fieldIds: ['f1'] } },
    { ...second!, signature: { ...chosen, rectangles: [fraction] } },
  ]
  const drawings = new Map([[signed.drawing.sha256, drawing]])
  const view = { ...input.view, participants }
  const { blocks } = evidenceContent({ ...input, view, drawings })
  const figures = blocks.filter((block) => block.kind === 'figure')
  t.match(figures[0], { picture: { drawing }, alt: /^Image of the signature of / })
  t.same(figures[0]?.lines.slice(1), [
    'Page 1: 25\u00a0mm from the left and 25\u00a0mm from the top, 71\u00a0×\u00a021\u00a0mm',
  ])
  t.same(figures[1]?.lines.slice(1), [
    'Page 2: 10% from the left and 25% from the top, 30\u00a0×\u00a05%',
  ])
  const unread = evidenceContent({ ...input, view }).blocks
  t.equal(unread.filter((block) => block.kind === 'figure').length, 1, 'the code alone')
  t.match(textOf({ ...evidenceContent({ ...input, view }), blocks: unread }), /Page 2: 10/)
})

t.test('the verification page with its code is the first way to verify', async (t) => {
  for (const participants of [slovak, undefined]) {
    const { blocks, language } = evidenceContent(evidenceInput(participants && { participants }))
    const words = EVIDENCE_TEXTS[language].verification
    const headings = blocks.flatMap((block) => (block.kind === 'heading' ? [block.text] : []))
    t.equal(headings[headings.indexOf(words.heading) + 1], words.byPageHeading)
    const figure = blocks.find((block) => block.kind === 'figure')
    const address = 'https://podpis.example.com/verify'
    t.match(figure, { alt: words.codeOf(address) })
    t.equal(figure?.lines[0], address)
    const { data } = encode(address, { ecc: 'M', border: 4 })
    t.strictSame(figure?.picture, { modules: data })
  }
})

t.test('the evidence is tagged as PDF/UA-1 asks', async (t) => {
  const drawings = new Map([['a', readDrawing('M0 40 C20 0 40 0 60 40')]])
  for (const participants of [slovak, undefined]) {
    const input = evidenceInput(participants && { participants })
    t.strictSame(await taggingFaults(await buildEvidence({ ...input, drawings })), [])
  }
})

t.test('the seal adds nothing in sight that is not tagged', async (t) => {
  const { evidence } = await bundle()
  t.match(Buffer.from(evidence).toString('latin1'), '/Subtype /Widget', 'it is sealed')
  t.strictSame(await taggingFaults(evidence), [])
})

t.test('the logo of the tenant is at the top, tagged, with a note on who chose it', async (t) => {
  for (const participants of [slovak, undefined]) {
    const input = { ...evidenceInput(participants && { participants }), logo: readLogo(LOGO_PNG) }
    const { blocks, language } = evidenceContent(input)
    const { of, chosenBySender } = EVIDENCE_TEXTS[language].logo
    const { name } = input.signatureCase.spec.definition.sender ?? {}
    t.match(blocks[0], { kind: 'figure', alt: of(name) })
    t.match(textOf({ ...evidenceContent(input), blocks: blocks.slice(0, 1) }), chosenBySender)
    t.strictSame(await taggingFaults(await buildEvidence(input)), [])
  }
})

t.test('numbers are written as the reader writes them', async (t) => {
  const screen = { width: 393.5, height: 852 }
  const text = textOf(evidenceContent(evidenceInput({ participants: slovak, screen })))
  t.match(text, '393,5 × 852')
  t.match(text, 'Sériové číslo certifikátu: ')
})

t.test('a PIN is described as a PIN', async (t) => {
  const failed: Parameters<typeof withEvents>[0] = [
    ['participant.otp_failed', '2026-11-02T08:06:00.000Z', { factor: 'pin' }],
  ]
  const text = withEvents(failed, { definition: { pinRequired: true } })
  t.match(text, 'a wrong PIN was entered')
  t.match(text, 'PIN of the case: entered correctly with the signature')
  const slovakText = withEvents(failed, { definition: { pinRequired: true }, participants: slovak })
  t.match(slovakText, 'zadaný PIN bol nesprávny')
  t.notMatch(withEvents([], {}), 'PIN of the case')
})
