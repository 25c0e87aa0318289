/** The tables of docs/capacity.md and the answer of `npm run capacity`. */
import t from 'tap'
import { LIMITS, MEASURED, PRICES } from '../../../dev/capacity/inputs.ts'
import { DEFAULT_PLAN } from '../../../dev/capacity/model.ts'
import { capacityTables, describePlan, withCapacityTables } from '../../../dev/capacity/tables.ts'

t.test('every input is in the page with its origin', async (t) => {
  const text = capacityTables().join('\n')
  for (const { value, unit, source } of Object.values({ ...MEASURED, ...PRICES, ...LIMITS })) {
    t.ok(text.includes(`| ${value} | ${unit} |`), unit)
    t.ok(text.includes(source), source)
  }
})

t.test('the tables replace those of the page, and only them', async (t) => {
  const page = [
    'before',
    '<!-- Made by `npm run generate` from dev/capacity: begin -->',
    'old table',
    '<!-- end -->',
    'after',
  ].join('\n')
  const once = withCapacityTables(page)
  t.match(once, /^before\n<!--/)
  t.match(once, /<!-- end -->\nafter$/)
  t.notMatch(once, 'old table')
  t.equal(withCapacityTables(once), once)
  t.throws(() => withCapacityTables('a page without marks'))
})

t.test('limits that the plan exceeds are marked', async (t) => {
  const few = describePlan({ ...DEFAULT_PLAN, casesPerDay: 1_000 })
  t.notMatch(few, 'REACHED')
  const many = describePlan({ ...DEFAULT_PLAN, casesPerDay: 10_000_000 })
  t.match(many, /REACHED +HSM signatures/)
})
