import { Buffer } from 'node:buffer'
import t from 'tap'
import { sweepCase, sweepOldAttempts } from '../../controllers/old-attempts.ts'
import { deliveryFolder } from '../../domain/cases/keys.ts'
import type { Attempt } from '../../domain/cases/webhook-attempts.ts'
import { DeliveryLog } from '../../application/webhooks/delivery-log.ts'
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import { dueWebhooks, type DueWebhook } from '../../domain/cases/webhooks.ts'
import { uuidV5 } from '../../domain/ids.ts'
import { FrozenTimers } from '../fixtures/frozen-timers.ts'
import { MemoryObjectStore } from '../fixtures/memory-objects.ts'
import {
  callback,
  CASE_KEY as key,
  keyring,
  signatureCase,
  type CaseOptions,
} from '../fixtures/signature-case.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOW_MS = Date.parse('2027-03-02T12:00:00.000Z')
const ago = (ms: number) => new Date(NOW_MS - ms).toISOString()

/** Two attempts of a case's last event: one older than 90 days, one just not. */
async function world(options: CaseOptions, hasEnded = true) {
  const objects = new MemoryObjectStore(new FrozenTimers(ago(0)).now)
  const log = new DeliveryLog(objects)
  const value = signatureCase(options)
  const event = dueWebhooks(
    signatureCase({ ...options, definition: { callback: callback() } }),
    acceptedSignatures(keyring, value),
  ).at(-1) as DueWebhook
  const claimedAts = [ago(90 * DAY_MS + 1), ago(90 * DAY_MS)]
  for (const [index, claimedAt] of claimedAts.entries()) {
    const number = index + 1
    const deliveryId = uuidV5(event.eventId, String(number))
    const attempt: Attempt = { number, deliveryId, round: 1, kind: 'attempt', claimedAt }
    await log.claim(key, event.eventId, attempt)
  }
  if (hasEnded) {
    const receipt = { type: event.type, state: 'dead', endedAt: ago(DAY_MS), round: 1 } as const
    await log.end({ key, event }, receipt)
  }
  const sweep = () => sweepOldAttempts([value], { objects, now: new Date(NOW_MS) })
  const numbers = async () => (await log.attempts(key, event.eventId)).map((one) => one.number)
  return { objects, log, event, sweep, numbers }
}

const WITH_CALLBACK = { definition: { callback: callback() } }

t.test('attempts are kept for 90 days, and the receipt after that', async (t) => {
  const { log, event, sweep, numbers } = await world({ phase: 'FAILED', ...WITH_CALLBACK })
  await sweep()
  t.same(await numbers(), [2])
  t.match(await log.receipt(key, event.eventId), { state: 'dead' })
})

t.test('while an event is pending, none of its attempts is removed', async (t) => {
  const { sweep, numbers } = await world({ phase: 'FAILED', ...WITH_CALLBACK }, false)
  await sweep()
  t.same(await numbers(), [1, 2])
})

t.test('a case without callback is not looked into', async (t) => {
  const { sweep, numbers } = await world({ phase: 'FAILED' })
  await sweep()
  t.same(await numbers(), [1, 2])
})

t.test('an object that is not an attempt is removed when it is old', async (t) => {
  const { objects, event, sweep } = await world({ phase: 'FAILED', ...WITH_CALLBACK })
  const folder = deliveryFolder(key, event.eventId)
  const contents = ['text', '{}', 'null', '{"claimedAt":"never"}']
  for (const [index, content] of contents.entries()) {
    objects.upload(`${folder}odd-${index}`, Buffer.from(content))
  }
  await sweep()
  t.equal(objects.under(folder).length, contents.length + 1, 'they are new')
  const later = new Date(NOW_MS + 91 * DAY_MS)
  await sweepCase(key, objects, later)
  t.same(objects.under(folder), [])
})
