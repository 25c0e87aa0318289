/** The contracts of the ephemeral ports: expiring values, counters, pub/sub, and their store. */
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import type { EphemeralStore } from '../../domain/ports/ephemeral.ts'
import { until } from '../fixtures/until.ts'

const SHORT_MS = 60
/** Lifetime of a value that a busy machine can still read in time. */
const LIFE_MS = 2_000

/** Contract of `ExpiringValues`. */
function expiringValuesContract(name: string, open: () => Promise<EphemeralStore>): void {
  t.test(`${name}: a value lives as long as requested`, async (t) => {
    const ephemeral = await open()
    await ephemeral.set('key', 'value', { ttlMs: LIFE_MS })
    t.equal(await ephemeral.get('key'), 'value')
    await setTimeout(LIFE_MS * 1.5)
    t.equal(await ephemeral.get('key'), undefined)
    await ephemeral.close()
  })

  t.test(`${name}: only one of many writers sets an absent key`, async (t) => {
    const ephemeral = await open()
    const options = { ttlMs: 10_000, onlyIfAbsent: true }
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, index) => ephemeral.set('key', String(index), options)),
    )
    t.equal(taken.filter(Boolean).length, 1)
    t.equal(await ephemeral.get('key'), String(taken.indexOf(true)))
    await ephemeral.delete('key')
    t.ok(await ephemeral.set('key', 'again', options))
    await ephemeral.close()
  })
}

/** Contract of `Counters`. */
function countersContract(name: string, open: () => Promise<EphemeralStore>): void {
  t.test(
    `${name}: a counter counts every caller and expires after the life of its first count`,
    async (t) => {
      const ephemeral = await open()
      const counts = await Promise.all(
        Array.from({ length: 20 }, () => ephemeral.increment('count', LIFE_MS)),
      )
      t.same(
        [...counts].sort((a, b) => a - b),
        Array.from({ length: 20 }, (_, index) => index + 1),
      )
      await setTimeout(LIFE_MS * 1.5)
      t.equal(await ephemeral.increment('count', LIFE_MS), 1)
      await ephemeral.close()
    },
  )

  t.test(`${name}: a counter adds any whole amount, also a negative one`, async (t) => {
    const ephemeral = await open()
    t.equal(await ephemeral.increment('count', LIFE_MS, 26_214_400), 26_214_400)
    t.equal(await ephemeral.increment('count', LIFE_MS), 26_214_401)
    t.equal(await ephemeral.increment('count', LIFE_MS, -26_214_400), 1)
    t.equal(await ephemeral.increment('other', LIFE_MS, -5), -5)
    await ephemeral.close()
  })
}

/** Contract of `PubSub`. */
function pubSubContract(name: string, open: () => Promise<EphemeralStore>): void {
  t.test(`${name}: a message reaches the current subscribers, and not later ones`, async (t) => {
    const ephemeral = await open()
    const received: string[] = []
    await ephemeral.publish('channel', 'too early')
    const stop = await ephemeral.subscribe('channel', (message) => received.push(message))
    await ephemeral.publish('other', 'not mine')
    await ephemeral.publish('channel', 'now')
    await until(() => received.length > 0)
    stop()
    await ephemeral.publish('channel', 'too late')
    await setTimeout(SHORT_MS)
    t.same(received, ['now'])
    await ephemeral.close()
  })

  t.test(`${name}: one function may subscribe twice, and to several channels`, async (t) => {
    const ephemeral = await open()
    const received: string[] = []
    const onMessage = (message: string) => void received.push(message)
    const stop = await ephemeral.subscribe('channel', onMessage)
    await ephemeral.subscribe('channel', onMessage)
    await ephemeral.subscribe('other', onMessage)
    await ephemeral.publish('channel', 'b')
    await until(() => received.length === 2)
    stop()
    await ephemeral.publish('channel', 'b')
    await ephemeral.publish('other', 'o')
    await until(() => received.length === 4)
    t.same(received.sort(), ['b', 'b', 'b', 'o'])
    await ephemeral.close()
  })
}

/** Contract of `epoch`. */
function epochContract(name: string, open: () => Promise<EphemeralStore>): void {
  t.test(`${name}: the epoch stays the same while nothing is lost`, async (t) => {
    const ephemeral = await open()
    await ephemeral.subscribe('channel', () => {})
    const epoch = await ephemeral.epoch()
    await ephemeral.set('key', 'value', { ttlMs: 10_000 })
    t.equal(await ephemeral.epoch(), epoch)
    await ephemeral.close()
  })
}

/** Contract of `EphemeralStore`. `open` opens an empty store. */
export function ephemeralContract(name: string, open: () => Promise<EphemeralStore>): void {
  expiringValuesContract(name, open)
  countersContract(name, open)
  pubSubContract(name, open)
  epochContract(name, open)
}
