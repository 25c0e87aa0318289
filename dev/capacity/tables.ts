/** Tables of the capacity model, for the terminal and for docs/capacity.md. */
import { table } from '../markdown.ts'
import { LIMITS, MEASURED, MEASURED_ON, PRICES, PRICES_READ_ON, type Input } from './inputs.ts'
import { bottlenecks, DEFAULT_PLAN, estimate, type Estimate, type Plan } from './model.ts'

/** Cases a day of the table of sizes. */
const SIZES = [1_000, 10_000, 100_000, 1_000_000, 10_000_000] as const
/** Controllers when the cases are shared between them. */
const SHARDS = 64

const whole = (value: number) => Math.round(value).toLocaleString('en')
/** Two significant digits, because the inputs have no more. */
const rough = (value: number) =>
  value === 0
    ? '0'
    : Number(value.toPrecision(2)).toLocaleString('en', { maximumFractionDigits: 3 })
const dollars = (value: number) => `$${value.toFixed(value < 10 ? 2 : 0)}`

const sum = (costs: Estimate['costPerThousand']) =>
  Object.values(costs).reduce((total, cost) => total + cost, 0)

const SIZE_HEAD = [
  'cases a day',
  'cases a second at the peak',
  'one machine?',
  'API, controllers, workers',
  'cores at the peak',
  'etcd, GB',
  'index, GB a month',
  'per 1,000 cases',
  'fixed a month',
]

function sizeRow(plan: Plan): string[] {
  const one = estimate(plan)
  const { api, controllers, workers } = one.replicas
  return [
    whole(plan.casesPerDay),
    rough(one.peakCasesPerSecond),
    one.fitsOneMachine ? 'yes' : 'no',
    `${whole(api)}, ${whole(controllers)}, ${whole(workers)}`,
    rough(one.peakCores),
    rough(one.etcdGigabytes),
    rough(one.indexGigabytesPerMonth),
    dollars(sum(one.costPerThousand)),
    dollars(one.fixedPerMonth),
  ]
}

const COST_HEAD = ['part', 'per 1,000 cases']
const costRows = (plan: Plan) =>
  Object.entries(estimate(plan).costPerThousand).map(([name, cost]) => [name, dollars(cost)])

const LIMIT_HEAD = ['limit', 'cases a day', 'then']
const limitRows = (plan: Plan) =>
  bottlenecks(plan).map(({ name, casesPerDay, remedy }) => [name, rough(casesPerDay), remedy])

const inputRows = (inputs: Record<string, Input>) =>
  Object.values(inputs).map(({ value, unit, source }) => [
    String(value),
    unit,
    /^npm /.test(source) ? `\`${source}\`` : source,
  ])

/** The answer for one plan, as text. */
export function describePlan(plan: Plan): string {
  const pairs = SIZE_HEAD.map((name, index) => `  ${name.padEnd(28)} ${sizeRow(plan)[index]}`)
  const costs = costRows(plan).map(([name = '', cost = '']) => `  ${name.padEnd(28)} ${cost}`)
  const limits = bottlenecks(plan).map(({ name, casesPerDay, remedy }) => {
    const mark = casesPerDay < plan.casesPerDay ? 'REACHED' : ''
    return `  ${rough(casesPerDay).padStart(14)}  ${mark.padEnd(7)}  ${name}: ${remedy}`
  })
  return [
    'Needed',
    ...pairs,
    '',
    'Cost of 1,000 cases (list prices, US dollars)',
    ...costs,
    '',
    'Limits, in cases a day',
    ...limits,
  ].join('\n')
}

/** The tables of docs/capacity.md. */
export function capacityTables(): string[] {
  const plan = { ...DEFAULT_PLAN, casesPerDay: 1_000_000 }
  return [
    '## Sizes',
    '',
    ...table(
      SIZE_HEAD,
      SIZES.map((casesPerDay) => sizeRow({ ...DEFAULT_PLAN, casesPerDay })),
    ),
    '',
    '## Cost of 1,000 cases',
    '',
    ...table(COST_HEAD, costRows(plan)),
    '',
    '## What ends first',
    '',
    'With one leader, and the workers of a million cases a day:',
    '',
    ...table(LIMIT_HEAD, limitRows(plan)),
    '',
    `With ${SHARDS} shards the leaders end at ${rough(shardLimit())} cases a day.`,
    '',
    '## Inputs',
    '',
    `Measured on ${MEASURED_ON} for each case with two participants:`,
    '',
    ...table(['value', 'unit', 'measured by'], inputRows(MEASURED)),
    '',
    `Prices in US dollars, read on ${PRICES_READ_ON}:`,
    '',
    ...table(['price', 'unit', 'source'], inputRows(PRICES)),
    '',
    `Limits, read on ${PRICES_READ_ON}:`,
    '',
    ...table(['limit', 'unit', 'source'], inputRows(LIMITS)),
  ]
}

function shardLimit(): number {
  const plan = { ...DEFAULT_PLAN, casesPerDay: 1_000_000, shards: SHARDS }
  return bottlenecks(plan).find(({ name }) => name.includes('leaders'))?.casesPerDay ?? 0
}

const BEGIN = '<!-- Made by `npm run generate` from dev/capacity: begin -->\n'
const END = '\n<!-- end -->'

/** Replaces the tables of the page. */
export function withCapacityTables(page: string): string {
  const [before, rest] = page.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error('the page lacks its marks')
  return `${before}${BEGIN}\n${capacityTables().join('\n')}\n${END}${after}`
}
