import t from 'tap'
import { forgetRecent, readRecent } from '../../../application/store/recent-objects.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import { MemoryObjectStore } from '../../fixtures/memory-objects.ts'

const KEY = 'canary.json'
const SECONDS = 1_000

function world() {
  const objects = new MemoryObjectStore(() => new Date(0))
  const read = (nowMs: number, mayKeep?: () => boolean) =>
    readRecent(objects, KEY, { nowMs, maximumAgeMs: 5 * SECONDS, ...(mayKeep && { mayKeep }) })
  return { objects, read }
}

t.test('an object is read again when it is older than the time', async (t) => {
  const { objects, read } = world()
  objects.upload(KEY, encodeJson({}))
  for (const second of [10, 11, 14]) t.ok(await read(second * SECONDS))
  t.equal(objects.gets.length, 1)
  await read(15 * SECONDS)
  await read(15 * SECONDS)
  t.equal(objects.gets.length, 2)
  await read(14 * SECONDS)
  t.equal(objects.gets.length, 3, 'the clock was set back')
})

t.test('an absent object, and one that may not be kept, is read each time', async (t) => {
  const { objects, read } = world()
  t.equal(await read(0), undefined)
  objects.upload(KEY, encodeJson({}))
  const never = () => false
  t.ok(await read(0, never))
  t.ok(await read(0, never))
  t.equal(objects.gets.length, 3)
})

t.test('stores share nothing, and a forgotten object is read again', async (t) => {
  const [first, second] = [world(), world()]
  first.objects.upload(KEY, encodeJson({}))
  t.ok(await first.read(0))
  t.equal(await second.read(0), undefined)
  forgetRecent(first.objects, KEY)
  await first.read(0)
  t.equal(first.objects.gets.length, 2)
})
