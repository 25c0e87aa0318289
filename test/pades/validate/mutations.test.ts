/** Random damage to our own signed file never passes in silence. */
import process from 'node:process'
import t from 'tap'
import { signSample } from './sample.ts'
import { silentChanges } from './silent.ts'

/** The rest of ten thousand: `npm run fuzz -- mutations`. Deno runs the same code as Node. */
const CHANGES = 'deno' in process.versions ? 300 : 1_500
const SEED = 20_260_601

t.test(`${CHANGES} random changes never pass in silence`, async (t) => {
  t.same(await silentChanges(await signSample(), CHANGES, SEED), [])
})
