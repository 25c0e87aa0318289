import t from 'tap'
import { readOnce } from '../../../pades/cms/read-once.ts'

const counting = () => {
  let reads = 0
  const read = readOnce((der) => ({ der, number: ++reads }))
  return { read, reads: () => reads }
}

t.test('equal octets are read once', async (t) => {
  const { read, reads } = counting()
  const first = read(Uint8Array.of(1, 2))
  t.equal(read(Uint8Array.of(1, 2)), first)
  t.not(read(Uint8Array.of(1, 3)), first)
  t.equal(reads(), 2)
})

t.test('a file of which they are a part is not kept', async (t) => {
  const file = Uint8Array.of(9, 1, 2, 9)
  const { der } = counting().read(file.subarray(1, 3))
  t.same([...der], [1, 2])
  t.not(der.buffer, file.buffer)
})

t.test('what came before three hundred others is read anew', async (t) => {
  const { read, reads } = counting()
  for (let value = 0; value <= 300; value++) read(Uint8Array.of(value >> 8, value & 0xff))
  t.equal(reads(), 301)
  read(Uint8Array.of(0, 0))
  t.equal(reads(), 302, 'the oldest was let go')
  read(Uint8Array.of(1, 44))
  t.equal(reads(), 302, 'the newest is cached')
})

t.test('what is large is read once for the same array, and not copied', async (t) => {
  const { read, reads } = counting()
  const large = new Uint8Array(16_385)
  t.equal(read(large), read(large))
  t.equal(reads(), 1)
  t.equal(read(large).der, large)
  read(Uint8Array.from(large))
  t.equal(reads(), 2, 'another array is read anew')
})

t.test('an error is not kept', async (t) => {
  let fails = true
  const read = readOnce(() => {
    if (fails) throw new Error('once')
    return 'read'
  })
  t.throws(() => read(Uint8Array.of(1)), { message: 'once' })
  fails = false
  t.equal(read(Uint8Array.of(1)), 'read')
})
