/** Random damage to our own signed file never passes in silence. */
import t from 'tap'
import { signSample } from './sample.ts'
import { silentChanges } from './silent.ts'

/** The rest of ten thousand: `npm run fuzz -- mutations`. */
const CHANGES = 1_500
const SEED = 20_260_601

t.test(`${CHANGES} random changes never pass in silence`, async (t) => {
  t.same(await silentChanges(await signSample(), CHANGES, SEED), [])
})
