/** Slow hashes of PINs. */
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { PIN_COST, PinHashes } from '../../../domain/second-factor/pin-hash.ts'

const CHEAP = { logarithmOfN: 4, blockSize: 1, parallelization: 1 }
const hashes = () => new PinHashes({ randomBytes, cost: CHEAP })
const admit = async () => {}

t.test('a hash tells its parameters and salt, and is one of its PIN alone', async (t) => {
  const pins = new PinHashes({
    randomBytes: (octets) => new Uint8Array(octets).fill(1),
    cost: CHEAP,
  })
  const hash = await pins.hash('4711')
  t.match(hash, /^\$scrypt\$ln=4,r=1,p=1\$AQEBAQEBAQEBAQEBAQEBAQ\$[\w+/]{43}$/)
  t.equal(await pins.matches(hash, '4711', admit), true)
  t.equal(await pins.matches(hash, ' 4711 ', admit), true, 'space around it is not part of it')
  for (const pin of ['4712', '471', '47 11', '']) {
    t.equal(await pins.matches(hash, pin, admit), false, pin)
  }
  const accented = await pins.hash('p\u00e4ť')
  t.equal(await pins.matches(accented, 'p\u00e4ť'.normalize('NFD'), admit), true)
})

t.test('the same PIN hashes differently each time, and its parameters may change', async (t) => {
  const pins = hashes()
  const hash = await pins.hash('4711')
  t.not(hash, await pins.hash('4711'))
  const dearer = new PinHashes({ randomBytes, cost: { ...CHEAP, logarithmOfN: 5 } })
  t.equal(await dearer.matches(hash, '4711', admit), true)
})

t.test('what is no hash is one of no PIN', async (t) => {
  for (const hash of ['', '4711', '$scrypt$', '$scrypt$ln=4,r=1,p=1$AQ$']) {
    t.equal(await hashes().matches(hash, '4711', admit), false, hash)
  }
})

t.test('a guess costs 32 MiB and a good part of a second', async (t) => {
  t.equal(128 * 2 ** PIN_COST.logarithmOfN * PIN_COST.blockSize, 32 * 1024 * 1024)
  const pins = new PinHashes({ randomBytes })
  const startedMs = Date.now()
  const hash = await pins.hash('4711')
  const tookMs = Date.now() - startedMs
  t.comment(`${tookMs} ms`)
  t.ok(tookMs > 50)
  t.equal(await pins.matches(hash, '4711', admit), true)
})

t.test('two at once, the others in turn, and who finds too many waiting is refused', async (t) => {
  const pins = hashes()
  const hash = await pins.hash('4711')
  let running = 0
  let most = 0
  const order: number[] = []
  const held = Promise.withResolvers<void>()
  const all = Array.from({ length: 103 }, (_, index) =>
    pins.matches(hash, '4711', async () => {
      order.push(index)
      most = Math.max(most, ++running)
      await held.promise
      running--
    }),
  )
  await t.rejects(all[102]!, { code: 'TIMEOUT' })
  held.resolve()
  t.same(await Promise.all(all.slice(0, 102)), Array(102).fill(true))
  t.equal(most, 2)
  t.same(
    order,
    Array.from({ length: 102 }, (_, index) => index),
  )
})

t.test('who is not admitted costs nothing and keeps nobody out', async (t) => {
  const pins = hashes()
  const refuse = async () => {
    throw new Error('locked')
  }
  for (let count = 0; count < 5; count++) {
    await t.rejects(pins.matches('x', '4711', refuse), { message: 'locked' })
  }
  t.equal(await pins.matches(await pins.hash('4711'), '4711', admit), true)
})
