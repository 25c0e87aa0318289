import { Buffer } from 'node:buffer'
import t from 'tap'
import { RANDOMNESS, randomShare } from '../../runtime/randomness.ts'

const many = <T>(make: () => T) => Array.from({ length: 1_000 }, make)

t.test('secrets have 256 bits, and no two are the same', async (t) => {
  const secrets = many(RANDOMNESS.randomSecret)
  t.equal(new Set(secrets).size, secrets.length)
  t.ok(secrets.every((secret) => Buffer.from(secret, 'base64url').length === 32))
  t.ok(secrets.every((secret) => /^[\w-]{43}$/.test(secret)))
})

t.test('integers and shares stay below their limit', async (t) => {
  const integers = new Set(many(() => RANDOMNESS.randomInt(3)))
  t.same([...integers].sort(), [0, 1, 2])
  const shares = many(randomShare)
  t.ok(shares.every((share) => share >= 0 && share < 1))
  t.ok(Math.max(...shares) - Math.min(...shares) > 0.5)
})
