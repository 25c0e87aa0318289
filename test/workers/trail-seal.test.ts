import { Buffer } from 'node:buffer'
import { createHash, verify, X509Certificate } from 'node:crypto'
import t from 'tap'
import { entryHash } from '../../domain/audit/entry.ts'
import { archivedOctets, sealedOctets, type AuditHead } from '../../domain/audit/head.ts'
import { testTrail } from '../fixtures/alarms.ts'
import { auditFolder, auditHeadKey } from '../../domain/cases/keys.ts'
import { auditEvent, dueAuditEvents } from '../../domain/cases/due-audit-events.ts'
import { revocationKey } from '../../domain/pki.ts'
import { readCertificate, readRevocationList } from '../../pades/index.ts'
import { recordCertificates } from '../../workers/pki/certificates.ts'
import { sealTrail } from '../../workers/trail-seal.ts'
import { issuingCa, root } from '../fixtures/pki.ts'
import { CASE_KEY, signatureCase, type CaseOptions } from '../fixtures/signature-case.ts'
import { workerDeps } from '../fixtures/worker.ts'

async function world(options: CaseOptions) {
  const deps = await workerDeps()
  const value = signatureCase(options)
  deps.cases.seed(value)
  deps.trail = testTrail(deps.objects, () => '00'.repeat(16))
  await deps.trail.append(CASE_KEY, dueAuditEvents(value, []))
  const head = (sequence: number) => deps.objects.json<AuditHead>(auditHeadKey(CASE_KEY, sequence))
  return { deps, head }
}

t.test('the head of an ended case is sealed over its hash and time-stamped', async (t) => {
  const { deps, head } = await world({ phase: 'EXPIRED' })
  const entries = await deps.trail.entries(CASE_KEY)
  await sealTrail(CASE_KEY, deps)
  const sealed = head(entries.length) as AuditHead
  t.match(sealed, { ...CASE_KEY, sequence: entries.length, hash: entryHash(entries.at(-1)!) })
  const { publicKey } = new X509Certificate(Buffer.from(sealed.certificates[0]!, 'base64'))
  const signature = Buffer.from(sealed.signature, 'base64')
  t.ok(verify('sha256', sealedOctets(sealed), publicKey, signature))
  t.notOk(verify('sha256', sealedOctets({ ...sealed, sequence: 1 }), publicKey, signature))
  const imprint = createHash('sha256').update(signature).digest()
  t.ok(Buffer.from(sealed.timeStampToken, 'base64').includes(imprint))
})

t.test('a sealed head lasts: lists of all authorities, and a token over everything', async (t) => {
  const { deps, head } = await world({ phase: 'EXPIRED' })
  await sealTrail(CASE_KEY, deps)
  const sealed = head((await deps.trail.entries(CASE_KEY)).length) as AuditHead
  const issuers = (sealed.revocationLists ?? []).map((list) => {
    return Buffer.from(readRevocationList(Buffer.from(list, 'base64')).issuer).toString('hex')
  })
  const authorities = [issuingCa, root].map(({ certificate }) => readCertificate(certificate))
  const expected = authorities.map(({ subject }) => Buffer.from(subject).toString('hex'))
  t.same(issuers.sort(), expected.sort())
  const archived = createHash('sha256').update(archivedOctets(sealed)).digest()
  t.ok(Buffer.from(sealed.archiveTimeStampToken ?? '', 'base64').includes(archived))
  const changed = { ...sealed, revocationLists: [] }
  t.notSame(createHash('sha256').update(archivedOctets(changed)).digest(), archived)
})

t.test(
  'certificates that no signed document uses are revoked, of a case that has ended for good',
  async (t) => {
    for (const [phase, revoked] of [
      ['CANCELLED', 1],
      ['FAILED', 1],
      ['DONE', 1],
      ['EXPIRED', 0],
    ] as const) {
      const { deps } = await world({ phase })
      const record = {
        participantId: CASE_KEY.caseId,
        issuerKeyId: '00',
        notBefore: '2026-11-02T08:50:00.000Z',
        notAfter: '2026-11-03T08:50:00.000Z',
      }
      await recordCertificates(CASE_KEY, new Map([['4aff', record]]), deps)
      await sealTrail(CASE_KEY, deps)
      const types = (await deps.trail.entries(CASE_KEY)).map(({ type }) => type)
      const recorded = types.filter((type) => type === 'participant.certificate_revoked')
      t.equal(recorded.length, revoked, phase)
      t.equal(deps.objects.under('pki/revocations/').length, revoked, phase)
      t.match(
        deps.objects.json(revocationKey('4aff')) ?? { revokedAt: record.notBefore },
        { revokedAt: record.notBefore },
        'from its first moment',
      )
    }
  },
)

for (const [name, plant, revoked] of [
  ['one that the signed document uses is not revoked', undefined, ['4aee']],
  ['none is revoked while the trail is broken', '00000001', []],
] as const) {
  t.test(`a case is done: ${name}`, async (t) => {
    const { deps } = await world({ phase: 'DONE' })
    const record = {
      participantId: CASE_KEY.caseId,
      issuerKeyId: '00',
      notBefore: '2026-11-02T08:50:00.000Z',
      notAfter: '2026-11-03T08:50:00.000Z',
    }
    for (const serial of ['4aff', '4aee'])
      await recordCertificates(CASE_KEY, new Map([[serial, record]]), deps)
    const issued = auditEvent(CASE_KEY.caseId, 'participant.certificate_issued', {
      occurredAt: '2026-11-02T09:00:00.000Z',
      actor: 'system',
      occurrence: '4aff',
      data: { certificateSerial: '4aff' },
    })
    await deps.trail.append(CASE_KEY, [issued])
    if (plant !== undefined)
      deps.objects.upload(`${auditFolder(CASE_KEY)}${plant}`, new Uint8Array())
    await sealTrail(CASE_KEY, deps)
    const found = deps.objects.under('pki/revocations/')
    t.same(
      found.map((key) => key.split('/').at(-1)),
      revoked,
    )
  })
}

t.test('a head is sealed once, and again when the trail has grown', async (t) => {
  const { deps, head } = await world({ phase: 'EXPIRED' })
  await sealTrail(CASE_KEY, deps)
  const entries = await deps.trail.entries(CASE_KEY)
  const first = head(entries.length)
  await sealTrail(CASE_KEY, deps)
  t.same(head(entries.length), first)
  const late = auditEvent(CASE_KEY.caseId, 'participant.downloaded', {
    occurredAt: '2026-11-30T10:00:00.000Z',
    actor: 'participant',
  })
  await deps.trail.append(CASE_KEY, [late])
  await sealTrail(CASE_KEY, deps)
  t.match(head(entries.length + 1), { sequence: entries.length + 1 })
})

t.test('the head of a case that goes on is not sealed', async (t) => {
  const { deps } = await world({ phase: 'IN_PROGRESS' })
  await sealTrail(CASE_KEY, deps)
  t.same(
    deps.objects.under('tenants/acme/cases/').filter((key) => key.includes('heads')),
    [],
  )
})
