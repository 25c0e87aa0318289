import t from 'tap'
import { MERGE_DELAY_MS } from '../../controllers/case-runs.ts'
import { buildController } from '../../controllers/controller.ts'
import { caseFolder, outcomeKey } from '../../domain/cases/keys.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { CASE_CHANGED } from '../../domain/ports/pub-sub.ts'
import { uploadResult } from '../fixtures/alarms.ts'
import { controllerDeps } from '../fixtures/controller.ts'
import { settle } from '../fixtures/frozen-timers.ts'
import { CASE_KEY, SIGNED_AT, signatureCase } from '../fixtures/signature-case.ts'

t.test(
  'a report of what has no known name makes the controller list the folder anew',
  async (t) => {
    const deps = controllerDeps('2026-11-02T08:00:01.000Z')
    deps.cases.seed(signatureCase({ phase: 'IN_PROGRESS' }))
    let listings = 0
    const { list } = deps.objects
    deps.objects.list = (prefix, options) => {
      if (prefix === caseFolder(CASE_KEY)) listings += 1
      return list.call(deps.objects, prefix, options)
    }
    const controller = buildController(deps)
    await controller.start()
    await settle()
    t.equal(listings, 1)
    await deps.ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
    await settle()
    t.equal(listings, 1, 'mails are pending, and the listing is recent')
    for (const [more, expected] of [
      [{}, 1],
      [{ isListed: true }, 2],
    ] as const) {
      const message = { ...CASE_KEY, mayWait: true, ...more }
      await deps.ephemeral.publish(CASE_CHANGED, JSON.stringify(message))
      await deps.timers.moveTo(deps.timers.nowMs() + MERGE_DELAY_MS)
      await settle()
      t.equal(listings, expected)
    }
    deps.ephemeral.wipe()
    await deps.timers.moveTo(deps.timers.nowMs() + 1_000)
    await settle()
    t.equal(listings, 3, 'reports were lost')
    await controller.stop()
  },
)

t.test('the outcome of a case is looked for when a worker has reported it', async (t) => {
  const deps = controllerDeps(SIGNED_AT)
  const { cases, objects } = deps
  cases.seed(signatureCase({ phase: 'IN_PROGRESS', signed: 1 }))
  const controller = buildController(deps)
  await controller.start()
  await settle()
  const stats: string[] = []
  const { stat } = objects
  objects.stat = (key) => {
    stats.push(key)
    return stat.call(objects, key)
  }
  const stored = (await cases.get(CASE_KEY)) as SignatureCase
  const { signatures } = signatureCase({ signed: 2 }).spec
  await cases.replaceSpec({ ...stored, spec: { ...stored.spec, signatures } })
  await settle()
  t.ok(deps.jobs.take().some(({ kind }) => kind === 'finalise'))
  t.notOk(stats.includes(outcomeKey(CASE_KEY)), 'nothing was reported')
  const reason = { failedAt: SIGNED_AT, reason: 'the PDF cannot be signed' }
  uploadResult(objects, outcomeKey(CASE_KEY), reason)
  await deps.ephemeral.publish(CASE_CHANGED, JSON.stringify({ ...CASE_KEY, mayWait: true }))
  await deps.timers.moveTo(deps.timers.nowMs() + MERGE_DELAY_MS)
  t.notOk(stats.includes(outcomeKey(CASE_KEY)), 'a report of mails')
  await deps.ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
  await settle()
  t.match(await cases.get(CASE_KEY), { status: { phase: 'FAILED' } })
  await controller.stop()
})
