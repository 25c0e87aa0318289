import { Buffer } from 'node:buffer'
import t from 'tap'
import { MAX_INFLATED_BYTES, MIN_PARSED_BYTES } from '../../../pades/pdf/limits.ts'
import { ReadingBudget } from '../../../pades/pdf/reading-budget.ts'

const LIMIT = { code: 'LIMIT_EXCEEDED' }

t.test('a small file may be read often, up to a limit', async (t) => {
  const budget = new ReadingBudget(100)
  budget.chargeBytes(MIN_PARSED_BYTES)
  t.throws(() => budget.chargeBytes(1), LIMIT)
  budget.reset()
  t.doesNotThrow(() => budget.chargeBytes(MIN_PARSED_BYTES))
})

t.test('what streams inflate to may be parsed too', async (t) => {
  const budget = new ReadingBudget(0)
  budget.chargeInflated(MIN_PARSED_BYTES)
  t.equal(budget.inflatableBytes, MAX_INFLATED_BYTES - MIN_PARSED_BYTES)
  t.doesNotThrow(() => budget.chargeBytes(MIN_PARSED_BYTES + 1))
})

t.test('parsing counts, also when it fails', async (t) => {
  const budget = new ReadingBudget(0)
  const bytes = Buffer.from('[1 2 3]')
  t.same(
    budget.parse(bytes, 0, (parser) => parser.readValue()),
    [1, 2, 3],
  )
  const fail = () =>
    budget.parse(bytes, 0, (parser) => {
      parser.readValue()
      throw new Error('broken')
    })
  t.throws(fail, { message: 'broken' })
  budget.chargeBytes(MIN_PARSED_BYTES - 2 * bytes.length)
  t.throws(() => budget.chargeBytes(1), LIMIT)
})
