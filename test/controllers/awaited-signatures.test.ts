/** After which signatures the controller waits for the next one, and after which it does not. */
import t from 'tap'
import { awaitsOthers } from '../../controllers/awaited-signatures.ts'
import { buildController } from '../../controllers/controller.ts'
import { PROGRESS_DELAY_MS } from '../../controllers/signature-case/held-status.ts'
import { RESTORING_ANNOTATION } from '../../domain/cases/archive.ts'
import { ERASE_ANNOTATION } from '../../domain/cases/erasure.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { controllerWorld } from '../fixtures/controller.ts'
import { settle } from '../fixtures/frozen-timers.ts'
import {
  callback,
  CASE_KEY,
  signatureCase,
  SIGNED_AT,
  type CaseOptions,
} from '../fixtures/signature-case.ts'

const SIGNED_MS = Date.parse(SIGNED_AT)

/** A case with two participants, one of whom has just signed, unless the options differ. */
function signedCase(options: CaseOptions = {}, metadata: object = {}): SignatureCase {
  const { status, ...more } = options
  const shown = { signed: '0/2', ...status }
  const found = signatureCase({ phase: 'IN_PROGRESS', signed: 1, status: shown, ...more })
  return { ...found, metadata: { ...found.metadata, generation: 2, ...metadata } }
}

t.test('a signature waits for those of others', (t) => {
  t.ok(awaitsOthers(signedCase(), SIGNED_MS))
  t.ok(awaitsOthers(signedCase(), SIGNED_MS + PROGRESS_DELAY_MS - 1))
  t.notOk(awaitsOthers(signedCase(), SIGNED_MS + PROGRESS_DELAY_MS), 'its entries are due')
  t.notOk(awaitsOthers(signedCase(), SIGNED_MS - 1), 'its time is not genuine')
  t.end()
})

t.test('nothing that may need work waits', (t) => {
  const cancellation = { at: SIGNED_AT, ip: '192.0.2.1' }
  const annotated = (name: string) => ({ annotations: { [name]: 'true' } })
  const urgent: [string, SignatureCase][] = [
    ['the last signature', signedCase({ signed: 2 }, { generation: 3 })],
    ['a signature that the status shows', signedCase({ status: { signed: '1/2' } })],
    ['no signature', signedCase({ signed: 0 })],
    ['another change, too', signedCase({}, { generation: 3 })],
    ['a cancellation, too', signedCase({ cancellation }, { generation: 3 })],
    ['a change without a write of the spec', signedCase({}, { generation: 1 })],
    ['a status that shows no number', signedCase({ status: { signed: '' } })],
    ['a webhook', signedCase({ definition: { callback: callback() } })],
    ['a case that kiosks can show', signedCase({ definition: { quickSign: true } })],
    ['a case of a kiosk', signedCase({ definition: { device: { deviceId: 'desk' } } })],
    ['a deletion', signedCase({}, { deletionTimestamp: SIGNED_AT })],
    ['an erasure', signedCase({}, annotated(ERASE_ANNOTATION))],
    ['a case that is being restored', signedCase({}, annotated(RESTORING_ANNOTATION))],
    ['a case without its document', signedCase({ phase: 'NEW', status: { phase: 'NEW' } })],
    ['a case that has ended', signedCase({ phase: 'CANCELLED' })],
  ]
  for (const [name, changed] of urgent) t.notOk(awaitsOthers(changed, SIGNED_MS), name)
  t.end()
})

t.test(
  'a signature before the last one causes a single run, when its entries are due',
  async (t) => {
    const { deps, cases, metrics, timers } = controllerWorld(SIGNED_AT)
    const { signatures } = signatureCase({ signed: 2 }).spec
    const status = { signed: '0/2' }
    cases.seed(signatureCase({ phase: 'IN_PROGRESS', status }))
    const controller = buildController(deps)
    await controller.start()
    await settle()
    const runs = () => metrics.of('sigcase_reconcile_duration_seconds')['{result="succeeded"}'] ?? 0
    const before = runs()
    const sign = async (count: number) => {
      const stored = (await cases.get(CASE_KEY)) as SignatureCase
      const spec = { ...stored.spec, signatures: signatures.slice(0, count) }
      await cases.replaceSpec({ ...stored, spec })
      await settle()
    }
    await sign(1)
    t.equal(runs() - before, 0)
    await timers.moveTo(SIGNED_MS + PROGRESS_DELAY_MS)
    t.equal(runs() - before, 1)
    t.match(await cases.get(CASE_KEY), { status: { signed: '1/2', observedGeneration: 2 } })
    deps.jobs.take()
    await sign(2)
    t.equal(runs() - before, 2)
    t.ok(
      deps.jobs.take().some(({ kind }) => kind === 'finalise'),
      'the last one is urgent',
    )
    await controller.stop()
  },
)
