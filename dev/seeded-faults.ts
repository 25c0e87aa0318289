/**
 * `node dev/seeded-faults.ts [-- options] [part of a path …]`: brings each fault of
 * `dev/seeded-faults/faults.ts` into a copy of the repository and runs the tests that can see it,
 * the closest first, until one fails. Prints which faults no test found.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { runTool, UsageError } from '../cli/usage.ts'
import { SEEDED_FAULTS, type SeededFault } from './seeded-faults/faults.ts'
import { listClosestTests } from './seeded-faults/closest-tests.ts'
import { readImportGraph, type ImportGraph } from './test-suite/changed.ts'
import { LANES, listTasks, type Task } from './test-suite/lanes.ts'
import { runTasks, type TaskResult } from './test-suite/run-tasks.ts'

const USAGE = `usage: node dev/seeded-faults.ts [options] [part of a path …]

  --all            run every lane, not only those of npm test
  --files <count>  run at most this many test files for one fault (default 60)`

const ROOT = join(import.meta.dirname, '..')
const OPTIONS = {
  all: { type: 'boolean', default: false },
  files: { type: 'string', default: '60' },
} as const
/** It fails after every change of a line that a fault changes. */
const OWN_TEST = 'test/dev/seeded-faults.test.ts'
/** Most faults fail the closest test: it runs alone, then twice as many files each time. */
const LARGEST_GROUP_FILES = 8

/** Copies the files that git knows; packages are linked. @returns the folder */
function copyRepository(): string {
  const listed = spawnSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
  if (listed.status !== 0) throw new Error('git cannot list the files of the repository')
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-seeded-faults-'))
  for (const file of listed.stdout.split('\0').filter((name) => name !== '')) {
    cpSync(join(ROOT, file), join(folder, file))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Lists the tasks of the closest tests, in their order. */
function listClosestTasks(file: string, graph: ImportGraph, isAll: boolean): Task[] {
  const tests = listClosestTests(file, graph).filter((test) => test !== OWN_TEST)
  const lanes = LANES.filter(({ suite }) => isAll || suite === 'npm')
  const tasks = listTasks(lanes, process.cwd(), (test) => tests.includes(test))
  const order = new Map(tests.map((test, index) => [test, index]))
  return tasks.sort((a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0))
}

/** Runs tasks and returns those that failed. */
async function listFailed(tasks: readonly Task[]): Promise<TaskResult[]> {
  // A process that a fault breaks must not take other files with it.
  const own = tasks.map(({ lane, file, cores }) => ({ lane, file, cores }))
  const results = await runTasks(own, { cores: availableParallelism(), onResult: () => {} })
  return results.filter(({ failed }) => failed > 0)
}

/**
 * Brings in a fault and runs tests until one fails that passes without the fault.
 *
 * @returns path of that test; undefined when all passed
 */
async function findTest(fault: SeededFault, tasks: readonly Task[]): Promise<string | undefined> {
  const { file, find, replace } = fault
  const source = readFileSync(file, 'utf8')
  if (source.split(find).length !== 2) throw new Error(`${file}: the text must occur once: ${find}`)
  let size = 1
  for (let index = 0; index < tasks.length; index += size) {
    size = Math.min(index + 1, LARGEST_GROUP_FILES)
    writeFileSync(
      file,
      source.replace(find, () => replace),
    )
    const failed = await listFailed(tasks.slice(index, index + size))
    writeFileSync(file, source)
    for (const { task } of failed) {
      if ((await listFailed([task])).length === 0) return `${task.lane.name} ${task.file}`
    }
  }
  return undefined
}

async function main(): Promise<number> {
  const { positionals: parts, values } = parseArgs({ allowPositionals: true, options: OPTIONS })
  const maximum = Number(values.files)
  if (!(Number.isSafeInteger(maximum) && maximum > 0)) throw new UsageError('--files needs a count')
  const faults = SEEDED_FAULTS.filter(
    ({ file }) => parts.length === 0 || parts.some((part) => file.includes(part)),
  )
  const folder = copyRepository()
  process.chdir(folder)
  try {
    const graph = readImportGraph(folder)
    const missed: SeededFault[] = []
    for (const fault of faults) {
      const tasks = listClosestTasks(fault.file, graph, values.all).slice(0, maximum)
      const test = await findTest(fault, tasks)
      if (test === undefined) missed.push(fault)
      const outcome = test === undefined ? `MISSED by ${tasks.length} files` : `found by ${test}`
      console.log(`${fault.file}: ${JSON.stringify(fault.replace)}: ${outcome}`)
    }
    console.log(`${faults.length} faults, ${missed.length} missed`)
    return missed.length === 0 ? 0 : 1
  } finally {
    process.chdir(ROOT)
    rmSync(folder, { recursive: true, force: true })
  }
}

await runTool(main, USAGE)
