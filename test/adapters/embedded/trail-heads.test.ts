/** The heads of trails survive a restart of the service on one machine, until they expire. */
import { join } from 'node:path'
import t from 'tap'
import { SqliteTrailHeads } from '../../../adapters/embedded/trail-heads.ts'

const LIFE = { ttlMs: 1000 }

t.test('heads are there after a restart, and the newest one counts', async (t) => {
  const path = join(t.testdir(), 'trail-heads.sqlite')
  const first = new SqliteTrailHeads(path, () => new Date(0))
  await first.set('one', 'old', LIFE)
  await first.set('one', 'new', LIFE)
  await first.set('two', 'other', LIFE)
  first.close()
  const second = new SqliteTrailHeads(path, () => new Date(999))
  t.teardown(() => second.close())
  t.equal(await second.get('one'), 'new')
  t.equal(await second.get('two'), 'other')
  t.equal(await second.get('three'), undefined)
})

t.test('a head expires, and the next start removes it', async (t) => {
  let nowMs = 0
  const path = join(t.testdir(), 'trail-heads.sqlite')
  const first = new SqliteTrailHeads(path, () => new Date(nowMs))
  await first.set('one', 'value', LIFE)
  nowMs = LIFE.ttlMs
  t.equal(await first.get('one'), undefined)
  first.close()
  new SqliteTrailHeads(path, () => new Date(nowMs)).close()
  // A clock that is set back shows whether the row is still there.
  const third = new SqliteTrailHeads(path, () => new Date(0))
  t.teardown(() => third.close())
  t.equal(await third.get('one'), undefined)
})
