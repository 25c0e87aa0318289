/** Random damage to our own signed file never passes in silence. */
import t from 'tap'
import { PART } from '../../fixtures/part-of-day.ts'
import { signSample } from './sample.ts'
import { silentChanges } from './silent.ts'

/** In three days 1,500. More: `npm run fuzz -- mutations`. */
const CHANGES = 500
const SEED = 20_260_601 + PART

t.test(`${CHANGES} random changes never pass in silence`, async (t) => {
  t.same(await silentChanges(await signSample(), CHANGES, SEED), [])
})
