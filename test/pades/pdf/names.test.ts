import { Buffer } from 'node:buffer'
import t from 'tap'
import { hashWith, knownName, newName } from '../../../pades/pdf/names.ts'

const hashOf = (raw: string) => Buffer.from(raw, 'latin1').reduce(hashWith, 0)
const find = (raw: string) =>
  knownName(Buffer.from(`/${raw} `, 'latin1'), 1, 1 + raw.length, hashOf(raw))

t.test('a name that a file repeats is one object', async (t) => {
  const name = newName('TestOfNames', hashOf('TestOfNames'))
  t.equal(find('TestOfNames'), name)
  t.equal(find('TestOfName'), undefined)
})

t.test('a name of the same hash is not taken for another', async (t) => {
  const [one, other] = ['AB', 'B#'] as const
  t.equal(hashOf(one), hashOf(other), 'the hashes are the same')
  newName(one, hashOf(one))
  t.equal(find(other), undefined)
})

t.test('escapes are decoded, and such names are not kept', async (t) => {
  t.equal(newName('A#42C#20', hashOf('A#42C#20')).value, 'ABC ')
  t.equal(newName('A#4', hashOf('A#4')).value, 'A#4', 'half an escape stays')
  t.equal(find('A#42C#20'), undefined)
})
