/** `npm run fuzz -- viewers`: reads the options, runs each mode and prints what was found. */
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { UsageError } from '../../../cli/usage.ts'
import { CORPUS } from '../../../test/fixtures/corpus.ts'
import { missingPrograms } from './renderers.ts'
import { type ClassCounts, fuzzViewers, type Mode, MODES, type ViewersResult } from './run.ts'

const COUNT = 10_000
/** Number of mutations between two progress lines. */
const PROGRESS_STEP = 500

/** Usage for the help of `npm run fuzz`. */
export const VIEWERS_USAGE =
  'viewers [--mode revisions|uploads|evidence|all] [--count 10000] [--seed 1] [--only class]' +
  ' [--bases encrypted] [--jobs 2] [--keep folder] [--corpus folder]'

const OPTIONS = {
  mode: { type: 'string', default: 'all' },
  count: { type: 'string', default: String(COUNT) },
  seed: { type: 'string' },
  only: { type: 'string' },
  bases: { type: 'string' },
  jobs: { type: 'string', default: String(Math.max(1, availableParallelism())) },
  keep: { type: 'string', default: join(tmpdir(), 'sigcase-fuzz-viewers') },
  corpus: {
    type: 'string',
    default: join(CORPUS, 'documents'),
  },
} as const

function positive(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1) throw new UsageError(`${name} is not a count`)
  return value
}

const COLUMNS: readonly (readonly [string, keyof ClassCounts])[] = [
  ['made', 'made'],
  ['refused', 'refused'],
  ['passed', 'passed'],
  ['rendered', 'rendered'],
  ['viewer refuses', 'viewerRefusals'],
  ['signatures look other', 'changedSignatures'],
  ['differences', 'differences'],
  ['faults', 'faults'],
]

/** The table of one mode, a line for each class. */
function tableOf({ counts }: ViewersResult): string[] {
  const rows = [...counts].sort(([a], [b]) => a.localeCompare(b))
  const width = Math.max(...rows.map(([name]) => name.length), 'class'.length)
  const head = ['class'.padEnd(width), ...COLUMNS.map(([title]) => title)].join('  ')
  const lines = rows.map(([name, row]) => {
    const cells = COLUMNS.map(([title, key]) => String(row[key]).padStart(title.length))
    return [name.padEnd(width), ...cells].join('  ')
  })
  return [head, ...lines]
}

const sum = (results: readonly ViewersResult[], key: keyof ClassCounts) =>
  results.flatMap(({ counts }) => [...counts.values()]).reduce((all, row) => all + row[key], 0)

function print(mode: Mode, result: ViewersResult, seconds: number): void {
  console.log(`\n${mode}, ${Math.round(seconds)} s`)
  for (const line of tableOf(result)) console.log(line)
}

/**
 * Runs the command.
 *
 * @param args behind `viewers`
 * @returns the exit code: 1 when a viewer shows a document that passes validation differently, or
 *   when the service fails
 * @throws UsageError
 */
export async function fuzzViewersCommand(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  const modes = values.mode === 'all' ? MODES : MODES.filter((mode) => mode === values.mode)
  if (modes.length === 0) throw new UsageError(`${values.mode} is not a mode`)
  const missing = missingPrograms()
  if (missing.length > 0) throw new UsageError(`not installed: ${missing.join(', ')}`)
  // A new seed for each run: earlier findings have their own tests.
  const anySeed = 1 + (process.hrtime()[1] % 2_000_000_000)
  const task = {
    count: positive('--count', values.count),
    seed: values.seed === undefined ? anySeed : positive('--seed', values.seed),
    jobs: positive('--jobs', values.jobs),
    keep: values.keep,
    ...(values.only !== undefined && { only: values.only }),
    ...(values.bases !== undefined && { bases: values.bases }),
    corpus: values.corpus,
  }
  console.log(`seed ${task.seed}`)
  const results: ViewersResult[] = []
  for (const mode of modes) {
    const start = performance.now()
    const result = await fuzzViewers(
      { ...task, mode },
      {
        onFailure: (line) => console.log(`FAILURE ${line}`),
        onProgress: (made) => {
          if (made % PROGRESS_STEP === 0) console.log(`${mode}: ${made} of ${task.count}`)
        },
      },
    )
    print(mode, result, (performance.now() - start) / 1000)
    results.push(result)
  }
  const [passed, differences] = [sum(results, 'passed'), sum(results, 'differences')]
  const faults = sum(results, 'faults')
  if (faults > 0) console.log(`${faults} faults of the service`)
  console.log(`${sum(results, 'made')} mutations, ${passed} passed, ${differences} differences`)
  return differences + faults > 0 ? 1 : 0
}
