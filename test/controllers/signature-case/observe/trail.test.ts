/** What becomes of a case whose trail does not hold. */
import t from 'tap'
import { reconcile } from '../../../../controllers/signature-case/reconcile.ts'
import { LOST_JOB_MS } from '../../../../controllers/signature-case/pending-jobs.ts'
import { auditHeadFolder, auditHeadKey, receiptKey } from '../../../../domain/cases/keys.ts'
import { trailSealReceiptId } from '../../../../domain/cases/due-audit-events.ts'
import type { SignatureCase } from '../../../../domain/cases/signature-case.ts'
import { encodeJson } from '../../../../domain/json-object.ts'
import { sealTrail } from '../../../../workers/trail-seal.ts'
import { recordCertificates } from '../../../../workers/pki/certificates.ts'
import { testTrail } from '../../../fixtures/alarms.ts'
import { Forger } from '../../../fixtures/forger.ts'
import {
  CASE_ID,
  CASE_KEY,
  signatureCase,
  type CaseOptions,
} from '../../../fixtures/signature-case.ts'
import { workerDeps } from '../../../fixtures/worker.ts'

/** A case that the controller has seen, and a new process that has not. */
async function world(options: CaseOptions) {
  const deps = await workerDeps('2026-11-02T10:00:00.000Z')
  deps.cases.seed(signatureCase(options))
  await reconcile(CASE_KEY, deps)
  deps.jobs.take()
  deps.trail = testTrail(deps.objects, undefined, deps.alarm)
  const status = async () => ((await deps.cases.get(CASE_KEY)) as SignatureCase).status
  return { deps, status, forger: new Forger(deps.objects, CASE_KEY) }
}

const REASON = 'The audit trail of the case was changed outside the service (entry 1: wrongMac)'

t.test('a living case fails with its own reason, and its webhook is due', async (t) => {
  for (const options of [
    { phase: 'IN_PROGRESS' },
    { phase: 'IN_PROGRESS', signed: 2 },
    { status: {} },
  ] as const) {
    const { deps, status, forger } = await world(options)
    const stored = await forger.entries()
    await forger.remove(({ sequence }) => sequence === 2)
    await reconcile(CASE_KEY, deps)
    t.match(await status(), {
      phase: 'FAILED',
      failedAt: '2026-11-02T10:00:00.000Z',
      failureCode: 'DATA_CHANGED',
      failureReason: REASON,
    })
    t.match(
      (await status())?.conditions.find(({ type }) => type === 'Invalid'),
      { status: 'True', reason: 'trailBroken', message: REASON },
    )
    t.same(deps.alarm.names(), ['audit-trail wrongMac'])
    t.equal((await forger.entries()).length, stored.length - 1, 'nothing is appended')
  }
})

t.test(
  'its certificates are revoked, nothing is sealed, and then no work is pending',
  async (t) => {
    const { deps, status, forger } = await world({ phase: 'IN_PROGRESS', signed: 2 })
    const [one] = signatureCase().spec.definition.participants
    const record = {
      participantId: one!.id,
      issuerKeyId: '00',
      notBefore: '2026-11-02T09:50:00.000Z',
      notAfter: '2026-11-03T09:50:00.000Z',
    }
    await recordCertificates(CASE_KEY, new Map([['4aff', record]]), deps)
    await forger.truncate(0)
    deps.objects.upload(
      `${auditHeadFolder(CASE_KEY).replace('-heads', '')}00000001`,
      encodeJson({}),
    )
    await reconcile(CASE_KEY, deps)
    t.equal((await status())?.phase, 'FAILED')
    t.ok(deps.jobs.take().some(({ kind }) => kind === 'trail-seal'))
    await sealTrail(CASE_KEY, deps)
    t.equal(deps.objects.under('pki/revocations/').length, 1)
    t.same(deps.objects.under(auditHeadFolder(CASE_KEY)), [])
    t.ok(deps.objects.objects.has(receiptKey(CASE_KEY, trailSealReceiptId(CASE_ID))))
    await deps.timers.moveTo(deps.timers.nowMs() + LOST_JOB_MS)
    await reconcile(CASE_KEY, deps)
    t.notOk(deps.jobs.take().some(({ kind }) => kind === 'trail-seal'))
  },
)

t.test('a case that has ended stays as it is, and a condition says what is wrong', async (t) => {
  for (const phase of ['DONE', 'EXPIRED', 'CANCELLED'] as const) {
    const { deps, status, forger } = await world({ phase, signed: 2 })
    await forger.remove(({ sequence }) => sequence === 2)
    await reconcile(CASE_KEY, deps)
    t.equal((await status())?.phase, phase)
    t.match(
      (await status())?.conditions.find(({ type }) => type === 'Invalid'),
      { status: 'True', reason: 'trailBroken', message: REASON },
    )
    await sealTrail(CASE_KEY, deps)
    t.same(deps.objects.under(auditHeadFolder(CASE_KEY)), [], 'it is not sealed any more')
  }
})

t.test('a trail that ends before its newest seal does not hold', async (t) => {
  const { deps, status, forger } = await world({ phase: 'EXPIRED' })
  await sealTrail(CASE_KEY, deps)
  const { length } = await forger.entries()
  t.ok(deps.objects.objects.has(auditHeadKey(CASE_KEY, length)))
  await reconcile(CASE_KEY, deps)
  t.notOk((await status())?.conditions.some(({ type }) => type === 'Invalid'))
  deps.trail = testTrail(deps.objects, undefined, deps.alarm)
  await forger.truncate(0)
  await reconcile(CASE_KEY, deps)
  t.match(
    (await status())?.conditions.find(({ type }) => type === 'Invalid'),
    { reason: 'trailBroken', message: /missingHead/ },
  )
})

t.test('a certificate record that no worker wrote revokes nothing', async (t) => {
  const { deps } = await world({ phase: 'CANCELLED' })
  const record = { participantId: 'x', issuerKeyId: '00', notBefore: '', notAfter: '' }
  const place = `tenants/acme/cases/${CASE_ID}/certificates/4aff`
  deps.objects.upload(place, encodeJson(record), 'application/json')
  await sealTrail(CASE_KEY, deps)
  t.same(deps.objects.under('pki/revocations/'), [])
  t.same(deps.alarm.names(), ['certificate wrongMac'])
})

t.test('the status names the newest entry, so that a removed folder is noticed', async (t) => {
  const { deps, status, forger } = await world({})
  await reconcile(CASE_KEY, deps)
  const { length } = await forger.entries()
  t.equal((await status())?.trail?.sequence, 0, 'a head alone is not a reason to write')
  const value = (await deps.cases.get(CASE_KEY)) as SignatureCase
  deps.cases.seed({ ...value, metadata: { ...value.metadata, generation: 2 } })
  await reconcile(CASE_KEY, deps)
  t.match((await status())?.trail, { sequence: length, hash: /^[0-9a-f]{64}$/ })
  deps.trail = testTrail(deps.objects, undefined, deps.alarm)
  await forger.truncate(0)
  await reconcile(CASE_KEY, deps)
  t.match(await status(), { phase: 'FAILED', failureReason: /missingHead/ })
})

t.test('heads and receipts that no worker wrote keep no trail from being sealed', async (t) => {
  const { deps, status, forger } = await world({ phase: 'EXPIRED' })
  const { length } = await forger.entries()
  const place = receiptKey(CASE_KEY, trailSealReceiptId(CASE_ID))
  const at = deps.now().toISOString()
  const head = auditHeadKey(CASE_KEY, length)
  const isSealPending = async () => {
    await deps.timers.moveTo(deps.timers.nowMs() + LOST_JOB_MS)
    await reconcile(CASE_KEY, deps)
    return deps.jobs.take().some(({ kind }) => kind === 'trail-seal')
  }
  const planted = encodeJson({ ...CASE_KEY, sequence: length, signature: 'AA==' })
  deps.objects.upload(head, planted)
  for (const name of ['x', '99999999'])
    deps.objects.upload(`${auditHeadFolder(CASE_KEY)}${name}`, planted)
  for (const receipt of [
    { brokenAt: at },
    { sealed: { sequence: length, hash: '00', at } },
    { sealed: null, kid: null, mac: [] },
    [],
  ]) {
    deps.objects.upload(place, encodeJson(receipt), 'application/json')
    t.ok(await isSealPending(), JSON.stringify(receipt))
  }
  t.ok(deps.alarm.names().includes('seal wrongMac'))
  await sealTrail(CASE_KEY, deps)
  t.notSame(deps.objects.objects.get(head)?.bytes, planted, 'the planted head is replaced')
  t.notOk(await isSealPending())
  t.notOk((await status())?.conditions.some(({ type }) => type === 'Invalid'))
})
