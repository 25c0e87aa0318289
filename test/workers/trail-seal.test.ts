import { Buffer } from 'node:buffer'
import { createHash, verify, X509Certificate } from 'node:crypto'
import t from 'tap'
import { entryHash } from '../../domain/audit/entry.ts'
import { sealedOctets, type AuditHead } from '../../domain/audit/head.ts'
import { AuditTrail } from '../../domain/audit/trail.ts'
import { auditHeadKey } from '../../domain/cases/keys.ts'
import { auditEvent, owedAuditEvents } from '../../domain/cases/owed.ts'
import { sealTrail } from '../../workers/trail-seal.ts'
import { CASE_KEY, signatureCase, type CaseOptions } from '../fixtures/signature-case.ts'
import { workerDeps } from '../fixtures/worker.ts'

async function world(options: CaseOptions) {
  const deps = await workerDeps()
  const value = signatureCase(options)
  deps.cases.seed(value)
  deps.trail = new AuditTrail(deps.objects, () => '00'.repeat(16))
  await deps.trail.append(CASE_KEY, owedAuditEvents(value, []))
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
