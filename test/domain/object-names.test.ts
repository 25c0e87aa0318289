import t from 'tap'
import { assertObjectKey } from '../../domain/object-names.ts'

t.test('keys are segments of plain characters', async (t) => {
  for (const key of ['a', 'tenants/acme/cases/1/upload.pdf', 'a..b/c', 'x'.repeat(512)]) {
    t.doesNotThrow(() => assertObjectKey(key))
  }
})

t.test('a key that could leave its folder, hide or be read in two ways is refused', async (t) => {
  const others = ['', '/a', 'a/', 'a//b', '../a', 'a/../b', '.aside/a', 'a b', 'a\\b', 'ä', 'a\n']
  for (const key of [...others, 'x'.repeat(513)]) {
    t.throws(() => assertObjectKey(key), RangeError, JSON.stringify(key))
  }
})
