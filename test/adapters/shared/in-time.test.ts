import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { inTime, within, withDeadline } from '../../../adapters/shared/in-time.ts'
import { receiverInThread } from '../../fixtures/receiver-thread.ts'
import { until } from '../../fixtures/until.ts'

/** Long enough for a request to reach its receiver on a busy machine. */
const LIMIT_MS = 3_000

const never = () => new Promise<never>(() => undefined)

t.test('work that hangs ends at its limit, and other work as it does', async (t) => {
  await t.rejects(within(never(), 5), { message: 'no answer within 5 ms' })
  const refusal = Object.assign(new Error('no'), { status: 412 })
  await t.rejects(within(Promise.reject(refusal), 1_000), refusal)
  t.equal(await within(Promise.resolve(3), 1_000), 3)
})

t.test('work gets a signal that aborts it at the limit, and not after its end', async (t) => {
  const aborted = (signal: AbortSignal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)))
  t.match(await withDeadline(5, aborted), { message: 'no answer within 5 ms' })
  let kept: AbortSignal | undefined
  const answer = await withDeadline(20, async (signal) => {
    kept = signal
    return 3
  })
  await sleep(60)
  t.same([answer, kept?.aborted], [3, false])
  const refusal = new Error('no')
  await t.rejects(
    withDeadline(1_000, () => Promise.reject(refusal)),
    refusal,
  )
})

t.test('a server that fails or is silent is one that timed out', async (t) => {
  const timeout = { name: 'ServiceError', code: 'TIMEOUT' }
  await t.rejects(inTime(never(), 5), timeout)
  await t.rejects(inTime(Promise.reject(new Error('ECONNRESET')), 1_000), timeout)
})

t.test('an answer that came in time counts when this process reads it late', async (t) => {
  const receiver = await receiverInThread()
  t.teardown(() => receiver.close())
  const answered = new Promise<number | undefined>((resolve, reject) => {
    const request = get({ port: receiver.port, agent: false }, ({ statusCode }) =>
      resolve(statusCode),
    )
    request.on('error', reject)
  })
  const limited = within(answered, LIMIT_MS)
  await until(() => receiver.hasReceived())
  await receiver.answerWhileHeld(LIMIT_MS)
  t.equal(await limited, 200)
})
