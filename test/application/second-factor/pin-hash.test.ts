/** Slow hashes of PINs. */
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { PIN_COST, PinHashes } from '../../../application/second-factor/pin-hash.ts'

const CHEAP = { logarithmOfN: 4, blockSize: 1, parallelization: 1 }
const hashes = () => new PinHashes({ randomBytes, cost: CHEAP })
const admit = async () => {}
const refuse = () => Promise.reject(new Error('wrong'))

/** Whether the hash is one of the PIN. */
async function matches(pins: PinHashes, hash: string, pin: string): Promise<boolean> {
  let isWrong = false
  const refused = () => {
    isWrong = true
    return refuse()
  }
  await pins.check(hash, pin, { admit, refuse: refused }).catch(() => {})
  return !isWrong
}

t.test('a hash contains its parameters and salt, and matches its PIN alone', async (t) => {
  const pins = new PinHashes({
    randomBytes: (octets) => new Uint8Array(octets).fill(1),
    cost: CHEAP,
  })
  const hash = await pins.hash('4711')
  t.match(hash, /^\$scrypt\$ln=4,r=1,p=1\$AQEBAQEBAQEBAQEBAQEBAQ\$[\w+/]{43}$/)
  t.equal(await matches(pins, hash, '4711'), true)
  t.equal(await matches(pins, hash, ' 4711 '), true, 'space around it is not part of it')
  for (const pin of ['4712', '471', '47 11', '']) {
    t.equal(await matches(pins, hash, pin), false, pin)
  }
  const accented = await pins.hash('p\u00e4ť')
  t.equal(await matches(pins, accented, 'p\u00e4ť'.normalize('NFD')), true)
})

t.test('the same PIN hashes differently each time, and its parameters may change', async (t) => {
  const pins = hashes()
  const hash = await pins.hash('4711')
  t.not(hash, await pins.hash('4711'))
  const dearer = new PinHashes({ randomBytes, cost: { ...CHEAP, logarithmOfN: 5 } })
  t.equal(await matches(dearer, hash, '4711'), true)
})

t.test('a text that is not a hash matches no PIN', async (t) => {
  for (const hash of ['', '4711', '$scrypt$', '$scrypt$ln=4,r=1,p=1$AQ$']) {
    t.equal(await matches(hashes(), hash, '4711'), false, hash)
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
  t.equal(await matches(pins, hash, '4711'), true)
})

t.test('two at once, the others in turn, and who finds too many waiting is refused', async (t) => {
  const pins = hashes()
  const known: string[] = []
  for (let count = 0; count < 103; count++) known.push(await pins.hash('4711'))
  let running = 0
  let most = 0
  const order: number[] = []
  const held = Promise.withResolvers<void>()
  const all = known.map((hash, index) => {
    const inTurn = async () => {
      order.push(index)
      most = Math.max(most, ++running)
      await held.promise
      running--
    }
    return pins.check(hash, '4711', { admit: inTurn, refuse })
  })
  await t.rejects(all[102]!, { code: 'TIMEOUT' })
  held.resolve()
  await Promise.all(all.slice(0, 102))
  t.equal(most, 2)
  t.same(
    order,
    Array.from({ length: 102 }, (_, index) => index),
  )
})

t.test('guesses at one hash are looked at one by one, each to its end', async (t) => {
  const pins = hashes()
  const [one, two] = [await pins.hash('4711'), await pins.hash('4711')]
  const steps: string[] = []
  const guess = (name: string, hash: string) =>
    pins.check(hash, '0815', {
      admit: async () => void steps.push(`${name} begins`),
      async refuse() {
        if (name !== 'other') await otherEnded.promise
        steps.push(`${name} ends`)
        return refuse()
      },
    })
  const otherEnded = Promise.withResolvers<void>()
  const own = ['first', 'second', 'third'].map((name) => guess(name, one))
  const other = guess('other', two)
  await t.rejects(other, { message: 'wrong' }, 'a guess does not wait for guesses at another hash')
  otherEnded.resolve()
  for (const wrong of own) await t.rejects(wrong, { message: 'wrong' })
  t.same(
    steps.filter((step) => !step.startsWith('other')),
    ['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  )
})

t.test('a caller who is not admitted costs nothing and blocks no one else', async (t) => {
  const pins = hashes()
  const locked = () => Promise.reject(new Error('locked'))
  for (let count = 0; count < 5; count++) {
    await t.rejects(pins.check('x', '4711', { admit: locked, refuse }), { message: 'locked' })
  }
  t.equal(await matches(pins, await pins.hash('4711'), '4711'), true)
})

t.test('guesses of one participant fill neither the queue nor the turns of others', async (t) => {
  const pins = hashes()
  const hash = await pins.hash('4711')
  const held = Promise.withResolvers<void>()
  const guess = (member: string, group: string, wait = Promise.resolve()) =>
    pins.check(hash, '4711', { admit: () => wait, refuse }, { group, member })
  const flood = Array.from({ length: 60 }, () => guess('hostile', 'acme', held.promise))
  const ends = Promise.allSettled(flood)
  await guess('other', 'acme')
  await guess('other', 'elsewhere')
  held.resolve()
  const refused = (await ends).filter(({ status }) => status === 'rejected')
  t.equal(refused.length, 9, 'one runs and fifty wait')
  t.match(refused[0], { reason: { code: 'TIMEOUT', details: { retryAfterSeconds: 5 } } })
})
