/** The ephemeral stores of one process and of tests keep the contracts of their ports. */
import t from 'tap'
import { InProcessEphemeral } from '../../../adapters/embedded/ephemeral.ts'
import { ephemeralContract } from '../../contract/ephemeral.ts'
import { MemoryEphemeral } from '../../fixtures/memory-ephemeral.ts'

const MAXIMUM_VALUES = 100_000
const MORE = 21

const now = () => new Date()

ephemeralContract('InProcessEphemeral', async () => new InProcessEphemeral(now))
ephemeralContract('MemoryEphemeral', async () => new MemoryEphemeral(now))

t.test(
  'a full store lets the oldest values go, and looks through all of them rarely',
  async (t) => {
    let looks = 0
    const store = new InProcessEphemeral(() => {
      looks++
      return new Date(0)
    })
    const write = (index: number) => store.set(`value ${index}`, String(index), { ttlMs: 1_000 })
    for (let index = 0; index < MAXIMUM_VALUES; index++) await write(index)
    looks = 0
    for (let index = 0; index < MORE; index++) await write(MAXIMUM_VALUES + index)
    t.ok(looks < 2 * MAXIMUM_VALUES, `${looks} looks at values for ${MORE} writes`)
    t.equal(await store.get('value 0'), undefined)
    const newest = MAXIMUM_VALUES + MORE - 1
    t.equal(await store.get(`value ${newest}`), String(newest))
    const kept = MAXIMUM_VALUES / 2
    t.equal(await store.get(`value ${kept}`), String(kept), 'most values remain')
  },
)
