/**
 * Runs the tables whose rows touch an adapter against one service on a cluster, one file after the
 * other.
 */
import process from 'node:process'
import t from 'tap'
import { findBinaries } from '../../dev/control-plane/binaries.ts'
import { withoutRedis } from '../fixtures/redis-server.ts'

process.env.SERVICE_ON = 'cluster'
/** `world.ts` reads the variable when it loads. */
const loadWorld = () => import('./world.ts')
/** The limits come last, because they put the clock forward by months. */
const FILES = [
  () => import('./2-resources.test.ts'),
  () => import('./3-states.test.ts'),
  () => import('./4-endpoints.test.ts'),
  () => import('./6-events.test.ts'),
  () => import('./8-limits.test.ts'),
]

async function runFiles(): Promise<void> {
  const { shareService } = await loadWorld()
  const url = await shareService(t)
  for (const load of FILES) {
    // Loads a file in a test, because tap ends when nothing runs; its tests come after this one.
    await t.test('the service is ready for the next tables', async (t) => {
      t.equal((await fetch(`${url}/readyz`)).status, 200)
      await load()
    })
  }
}

const why = findBinaries() ? withoutRedis : 'no kube-apiserver: see dev/control-plane'
if (why === false) await runFiles()
else {
  const skip = process.env.CI === 'true' ? false : String(why)
  t.test('a cluster', { skip }, async (t) => t.fail(String(why)))
}
