import t from 'tap'
import {
  differingKeys,
  forEachReference,
  mentions,
  sameValue,
} from '../../../pades/validate/compare-values.ts'
import { PdfName, PdfReference, type PdfValue } from '../../../pades/pdf/values.ts'

const map = (entries: Record<string, PdfValue>) => new Map(Object.entries(entries))
const reference = (number: number, generation = 0) => new PdfReference(number, generation)

t.test('values are the same by content, references by their object', async (t) => {
  const make = () => map({ A: [1, new PdfName('N'), reference(3)], B: map({ C: null }) })
  t.ok(sameValue(make(), make()))
  t.notOk(sameValue(reference(3), reference(3, 1)))
  t.notOk(sameValue([1, 2], [1]))
  t.notOk(sameValue([1], [1, 2]))
  t.notOk(sameValue(new PdfName('N'), 'N' as unknown as PdfValue))
  t.notOk(sameValue(map({}), []))
  t.notOk(sameValue(null, undefined))
})

t.test('keys that only one dictionary has differ', async (t) => {
  t.same(differingKeys(map({ A: 1, B: 2 }), map({ B: 3, C: 4 })), ['A', 'B', 'C'])
  t.same(differingKeys(map({ A: 1 }), map({ A: 1 })), [])
})

t.test('references are found at every depth, with the keys that lead to them', async (t) => {
  const value = map({ A: [reference(1), map({ B: reference(2) })], C: 3 })
  const found: string[] = []
  forEachReference(value, ({ number }, path) => found.push(`${path}=${number}`))
  t.same(found, ['A=1', 'A.B=2'])
  t.ok(mentions(value, (number) => number === 2))
  t.notOk(mentions(value, (number) => number === 3))
  t.notOk(mentions(null, () => true))
})
