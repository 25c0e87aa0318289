/**
 * `npm run capacity -- --cases-per-day N`: what N cases a day need and cost, and which limit they
 * reach first (docs/capacity.md).
 */
import { parseArgs } from 'node:util'
import { runTool, UsageError } from '../cli/usage.ts'
import { DEFAULT_PLAN, type Plan } from './capacity/model.ts'
import { describePlan } from './capacity/tables.ts'

/** Options besides `--cases-per-day`, with their meanings. */
const OPTIONS = {
  'peak-factor': ['peakFactor', 'the busiest minute against the mean of the day'],
  'open-hours': ['openHours', 'from the creation of a case to its end'],
  'archive-hours': ['archiveHours', 'from the end of a case to its archiving'],
  'kept-months': ['keptMonths', 'how long documents are kept'],
  'largest-receiver': ['largestReceiver', 'share of the webhooks of the largest receiver'],
  'receiver-seconds': ['receiverSeconds', 'time in which that receiver answers'],
  shards: ['shards', 'controllers that share the cases'],
} as const satisfies Record<string, readonly [keyof typeof DEFAULT_PLAN, string]>
type Option = keyof typeof OPTIONS
const NAMES = Object.keys(OPTIONS) as Option[]

const USAGE = [
  'usage: npm run capacity -- --cases-per-day N [--option N ...]',
  '',
  ...NAMES.map((name) => {
    const [member, meaning] = OPTIONS[name]
    return `  --${name.padEnd(17)} ${meaning} (${DEFAULT_PLAN[member]})`
  }),
].join('\n')

function readNumber(name: string, text: string | undefined): number {
  const value = Number(text)
  if (text === undefined || !(value > 0 && Number.isFinite(value))) {
    throw new UsageError(`--${name} is a number above 0`)
  }
  return value
}

async function main(): Promise<number> {
  const named = ['cases-per-day', ...NAMES].map((name) => [name, { type: 'string' }] as const)
  const { values } = parseArgs({ options: Object.fromEntries(named) })
  const plan: Plan = {
    ...DEFAULT_PLAN,
    casesPerDay: readNumber('cases-per-day', values['cases-per-day'] as string | undefined),
  }
  for (const name of NAMES) {
    const text = values[name]
    if (text !== undefined) plan[OPTIONS[name][0]] = readNumber(name, String(text))
  }
  console.log(describePlan(plan))
  return 0
}

await runTool(main, USAGE)
