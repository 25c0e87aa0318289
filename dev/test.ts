/**
 * `npm test` and `npm run test:all`: runs test files, lane by lane, and prints one last line with
 * what passed and failed. A lane that runs no test fails, and with CI=true a missing program fails.
 */
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { buildPrograms } from './build-programs.ts'
import { buildWeb, isWebBuilt } from './build-web.ts'
import { prepareBinaries } from './control-plane/binaries.ts'
import { canInstall, installPackages, listMissingPrograms } from './outside-programs.ts'
import { listTestsOfChanges, readImportGraph } from './test-suite/changed.ts'
import { LANES, listTasks, type Lane, type Task } from './test-suite/lanes.ts'
import { needPages } from './test-suite/pages.ts'
import { addUp, formatResult, formatTimes, type Sum } from './test-suite/report.ts'
import { runTasks, type TaskResult } from './test-suite/run-tasks.ts'
import { watchSources } from './test-suite/watch.ts'
import { runTool, UsageError } from '../cli/usage.ts'

const USAGE = `usage: npm test [-- [options] part of a path …]
       npm run test:all [-- [options] part of a path …]

npm test runs everything that needs only npm packages; npm run test:all adds the tests that
need an API server, a browser, Deno, Redis and other programs. With parts of paths, both run the
tests whose path holds one of them, in every lane.

  --changed       run the tests that the changes since the branch left main can break
  --watch         run the tests that a change can break, whenever a file changes
  --lane <name>   run this lane alone; may be given more than once
  --others        run the lanes that npm test leaves out
  --yes           install missing Debian packages without asking
  --list          print the files instead of running them`

const ROOT = join(import.meta.dirname, '..')
const NODE_MAJOR = 24
/** Upper limit, because more parallel files would slow down tests of concurrency. */
const MAXIMUM_CORES = 4

const OPTIONS = {
  all: { type: 'boolean', default: false },
  others: { type: 'boolean', default: false },
  changed: { type: 'boolean', default: false },
  watch: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  lane: { type: 'string', multiple: true, default: [] as string[] },
} as const

/** Tests that start the service as processes, most of them several times. */
const STARTING_SERVICE = /^test\/(cluster|e2e|examples)\//

/** Programs in Go, such as the compiler, Helm and promtool, use up to a third less CPU time. */
const GO_GARBAGE = '400'

const isCi = process.env.CI === 'true'
/** Cache of compiled sources, shared by all test processes. */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/sigcase/compiled')

interface Flags {
  yes: boolean
  list: boolean
}

interface Selection {
  /** Parts of paths. */
  parts: readonly string[]
  all: boolean
  others: boolean
  lane: readonly string[]
  /** Files to choose from; absent: every test file. */
  files?: ReadonlySet<string>
}

function chooseLanes({ all, others, lane }: Selection): readonly Lane[] {
  if (lane.length > 0) return LANES.filter(({ name }) => lane.includes(name))
  if (all && !others) return LANES
  return LANES.filter(({ suite }) => (suite === 'npm') !== others)
}

/** A part of a path that no chosen lane has is looked for in all lanes. */
function chooseTasks(selection: Selection): Task[] {
  const { parts, files, lane } = selection
  const lanes = chooseLanes(selection)
  const list = (among: readonly Lane[], names: readonly string[]) =>
    listTasks(among, ROOT, (file) => {
      const isNamed = names.some((part) => file.includes(part))
      return isNamed && (files?.has(file) ?? true)
    })
  if (parts.length === 0) return list(lanes, [''])
  const isHere = (part: string) => lane.length > 0 || list(lanes, [part]).length > 0
  const here = parts.filter(isHere)
  const elsewhere = parts.filter((part) => !here.includes(part))
  return [...list(lanes, here), ...list(LANES, elsewhere)]
}

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${question} [y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

/**
 * Installs missing programs. Asks first unless `isAgreed`.
 *
 * @returns number of failures: with CI=true every missing program is a failure, otherwise 0
 */
async function preparePrograms(isAgreed: boolean): Promise<number> {
  const packages = [...new Set(listMissingPrograms().map(({ debianPackage }) => debianPackage))]
  if (packages.length > 0 && canInstall()) {
    console.log(`missing Debian packages: ${packages.join(', ')}`)
    const isConfirmed = isAgreed || (await confirm('Install them with apt-get?'))
    if (isConfirmed) installPackages(packages)
    else console.log('the packages were not installed; --yes installs them without a question')
  }
  const missing = listMissingPrograms()
  for (const { command, debianPackage } of missing) {
    console.log(`${command} is missing (Debian: ${debianPackage}): tests that need it do not run`)
  }
  return isCi ? missing.length : 0
}

/** Tests skip, or with CI=true fail, without an API server. */
function prepareControlPlane(): void {
  const { apiServer, crdLayer } = prepareBinaries()
  if (!apiServer) console.log('kube-apiserver is missing: tests of the cluster adapters do not run')
  if (!crdLayer) {
    console.log('CRD layer of the newest Kubernetes: unavailable, its tests do not run')
  }
}

/** Builds the pages if their sources changed and the tests can load them. */
async function preparePages(tasks: readonly Task[], isWhole: boolean): Promise<void> {
  if (tasks.length === 0 || isWebBuilt()) return
  const files = tasks.map(({ file }) => file)
  if (isWhole || needPages(files, readImportGraph(ROOT))) await buildWeb()
}

/** Bundles the service for the tests that start it as processes. */
async function prepareService(tasks: readonly Task[]): Promise<void> {
  if (!tasks.some(({ file }) => STARTING_SERVICE.test(file))) return
  process.env.BUNDLED_PROGRAMS = await buildPrograms()
}

/** Counts lanes that ran no assertion: they have no file, or all of their tests were skipped. */
function countEmptyLanes(lanes: readonly Lane[], results: readonly TaskResult[]): number {
  const empty = lanes.filter((lane) => {
    const { passed, failed } = addUp(results.filter(({ task }) => task.lane === lane))
    return passed + failed === 0
  })
  for (const { name } of empty) console.log(`FAIL lane ${name} ran no test`)
  return empty.length
}

/** @param lanes lanes that must run at least one test */
async function runOnce(tasks: readonly Task[], lanes: readonly Lane[]): Promise<Sum> {
  const cores = Math.min(availableParallelism(), MAXIMUM_CORES)
  const onResult = (result: TaskResult) => console.log(formatResult(result))
  const results = await runTasks(tasks, { cores, onResult })
  if (results.length > 1) console.log(formatTimes(results))
  const { passed, failed } = addUp(results)
  return { passed, failed: failed + countEmptyLanes(lanes, results) }
}

async function main(): Promise<number> {
  if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR) {
    console.error(`Node ${NODE_MAJOR} is required, this is ${process.version}; run \`npm test\``)
    return 1
  }
  process.chdir(ROOT)
  process.env.PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE
  process.env.GOGC ??= GO_GARBAGE
  const { positionals: parts, values } = parseArgs({ allowPositionals: true, options: OPTIONS })
  checkLanes(values.lane)
  const selection: Selection = { ...values, parts }
  if (values.watch) return watchSources(ROOT, (files) => runTests({ ...selection, files }, values))
  if (values.changed) selection.files = listTestsOfChanges(ROOT)
  return runTests(selection, values)
}

function checkLanes(names: readonly string[]): void {
  const unknown = names.find((name) => !LANES.some((lane) => lane.name === name))
  if (unknown === undefined) return
  const known = LANES.map(({ name }) => name).join(', ')
  throw new UsageError(`there is no lane ${unknown}; the lanes are: ${known}`)
}

/** @returns the exit code */
async function runTests(selection: Selection, { yes, list }: Flags): Promise<number> {
  const tasks = chooseTasks(selection)
  if (list) {
    for (const { lane, file } of tasks) console.log(`${lane.name}  ${file}`)
    return 0
  }
  if (selection.files) console.log(`test files that a change can break: ${tasks.length}`)
  const isWhole = selection.parts.length === 0 && selection.files === undefined
  const needsPrograms = isCi || tasks.some(({ lane }) => lane.suite === 'outside')
  const missing = needsPrograms ? await preparePrograms(isCi || yes) : 0
  if (tasks.some(({ lane }) => lane.needsControlPlane)) prepareControlPlane()
  await preparePages(tasks, isWhole)
  await prepareService(tasks)
  const { passed, failed } = await runOnce(tasks, isWhole ? chooseLanes(selection) : [])
  if (tasks.length === 0 && selection.files) console.log('no test depends on the changes')
  else if (tasks.length === 0) console.log(`no test is at ${selection.parts.join(' or ')}`)
  console.log(`${passed} passed, ${failed + missing} failed`)
  return failed + missing === 0 && (passed > 0 || selection.files !== undefined) ? 0 : 1
}

await runTool(main, USAGE)
