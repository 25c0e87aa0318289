import t from 'tap'
import { createHash } from 'node:crypto'
import { prefixWithDigest } from '../../../cli/evidence/prefix.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')

t.test('the state of a file at the end of any revision is found', async (t) => {
  const revisions = ['one %%EOF', 'two %%EOF\n', 'three %%EOF\r\n', 'four %%EOF\r']
  const file = bytesOf(revisions.join(''))
  for (const count of [1, 2, 3, 4]) {
    const prefix = revisions.slice(0, count).join('')
    t.equal(prefixWithDigest(file, sha256Of(prefix), []), prefix.length)
  }
})

t.test('a state that ends elsewhere is found when its length is known', async (t) => {
  const file = bytesOf('one %%EOF trailing two %%EOF')
  const prefix = 'one %%EOF trailing '
  t.equal(prefixWithDigest(file, sha256Of(prefix), []), undefined)
  t.equal(prefixWithDigest(file, sha256Of(prefix), [prefix.length]), prefix.length)
  t.equal(prefixWithDigest(file, sha256Of(prefix), ['19', -1, 1e9, 2.5, undefined]), undefined)
})

t.test('the whole file counts, a file without an end of revision too', async (t) => {
  t.equal(prefixWithDigest(bytesOf('plain'), sha256Of('plain'), []), 5)
  t.equal(prefixWithDigest(bytesOf(''), sha256Of(''), []), undefined)
})
