/** One trace of a case over the three processes of a cluster. */
import process from 'node:process'
import t from 'tap'
import { findBinaries } from '../../dev/control-plane/binaries.ts'
import { withoutRedis } from '../fixtures/redis-server.ts'

/** `world.ts` reads the variable when it loads. */
process.env.SERVICE_ON = 'cluster'

const why = findBinaries() ? withoutRedis : 'no kube-apiserver: see dev/control-plane'
if (why === false) await import('../runtime/embedded/tracing.test.ts')
else {
  const skip = process.env.CI === 'true' ? false : String(why)
  t.test('a cluster', { skip }, async (t) => t.fail(String(why)))
}
