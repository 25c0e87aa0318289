/**
 * `npm run bench [-- row …]`: runs rows and prints one line for each. Exit code 1: a row missed a
 * "must" or is void. Each row runs in a separate process, so that rows do not warm each other up
 * and a failing row does not stop the others.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { lineOf, passes, type RowReport } from './report.ts'
import { ROWS } from './rows.ts'

const CHILD = join(import.meta.dirname, 'row-process.ts')
/** Time limit of a row; the longest takes three minutes on an idle machine. */
const ROW_LIMIT_MS = 30 * 60_000

const NAMES = Object.keys(ROWS)
const HELP = `usage: npm run bench [-- row … [--rows N]]

  --rows N    number of cases of the rows search, growth and waiting

rows, in the order in which they run:
${NAMES.map((name) => `  ${name.padEnd(11)} ${ROWS[name]?.about}`).join('\n')}`

/** Runs a row. @returns its report, or a void report when its process failed */
async function runRow(name: string, rows: string | undefined): Promise<RowReport> {
  const child = fork(CHILD, rows === undefined ? [name] : [name, rows], {
    serialization: 'advanced',
  })
  const limit = setTimeout(() => child.kill('SIGKILL'), ROW_LIMIT_MS)
  let report: RowReport | undefined
  child.once('message', (message) => {
    report = message as RowReport
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  clearTimeout(limit)
  const broken = { measured: 'nothing', figures: [], void: `the row ended with ${signal ?? code}` }
  return report ?? broken
}

async function main(): Promise<number> {
  const { values, positionals: names } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean' }, rows: { type: 'string' } },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  if (values.rows !== undefined && !(Number(values.rows) >= 1)) {
    console.error(`--rows is a number above 0\n\n${HELP}`)
    return 2
  }
  const unknown = names.filter((name) => !NAMES.includes(name))
  if (unknown.length > 0) {
    console.error(`no such row: ${unknown.join(', ')}\n\n${HELP}`)
    return 2
  }
  let code = 0
  for (const name of NAMES) {
    if (names.length > 0 && !names.includes(name)) continue
    const report = await runRow(name, values.rows)
    console.log(lineOf(name, report))
    if (!passes(report)) code = 1
  }
  return code
}

process.exitCode = await main()
