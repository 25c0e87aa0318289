import { Buffer } from 'node:buffer'
import t from 'tap'
import { GrowingBytes } from '../../../pades/pdf/growing-bytes.ts'

const textOf = (bytes: GrowingBytes) => Buffer.from(bytes.view(0, bytes.length)).toString('latin1')

t.test('bytes stay what they are while the buffer grows', async (t) => {
  const bytes = new GrowingBytes(1_000_000)
  bytes.write('\u00e9')
  for (let count = 0; count < 10; count += 1) bytes.writeBytes(Buffer.alloc(50_000, 'x'))
  bytes.write('end')
  t.equal(bytes.length, 500_004)
  t.equal(textOf(bytes), `\u00e9${'x'.repeat(500_000)}end`)
})

t.test('what is truncated is written over', async (t) => {
  const bytes = new GrowingBytes(10)
  bytes.write('abcdef')
  bytes.truncate(3)
  bytes.write('X')
  t.equal(textOf(bytes), 'abcX')
})

t.test('nothing is written beyond the limit', async (t) => {
  const bytes = new GrowingBytes(5)
  bytes.write('12345')
  t.throws(() => bytes.write('6'), { code: 'LIMIT_EXCEEDED' })
  t.throws(() => bytes.writeBytes(new Uint8Array(1)), { code: 'LIMIT_EXCEEDED' })
  t.equal(textOf(bytes), '12345')
})
