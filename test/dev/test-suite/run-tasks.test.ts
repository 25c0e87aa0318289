/** Test files run side by side as far as the cores allow, and their results add up. */
import { join } from 'node:path'
import t from 'tap'
import { LANES, listTasks, type Lane, type Task } from '../../../dev/test-suite/lanes.ts'
import { addUp, formatResult, formatTimes } from '../../../dev/test-suite/report.ts'
import { runTasks, type TaskResult } from '../../../dev/test-suite/run-tasks.ts'

const lane = (name: string, coresPerFile: number): Lane => ({
  name,
  suite: 'npm',
  files: [],
  command: ['node'],
  coresPerFile,
})
const tasksOf = (of: Lane, count: number): Task[] =>
  Array.from({ length: count }, (_, index) => ({
    lane: of,
    file: `${of.name}-${index}`,
    cores: of.coresPerFile,
  }))

/** @returns how many files ran at once at most, and the order in which they started */
async function watchRun(tasks: readonly Task[], cores: number, idleCores = 0) {
  let running = 0
  let most = 0
  const order: string[] = []
  const run = async ([, file = '']: readonly string[]) => {
    order.push(file)
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, idleCores > 0 ? 20 : 0))
    running--
    return { passed: 2, failed: 1, skipped: 0, durationMs: 1_500, cpuMs: 900, output: 'said' }
  }
  const idle = { read: () => idleCores, restart: () => {} }
  const results = await runTasks(tasks, { cores, run, idle, onResult: () => {} })
  return { most, order, results }
}

t.test('as many files run at once as the cores allow', async (t) => {
  const rows = [
    { perFile: 1, cores: 2, most: 2 },
    { perFile: 0.6, cores: 2, most: 3 },
    { perFile: 0.33, cores: 1, most: 3 },
    { perFile: 4, cores: 2, most: 1 },
  ]
  for (const { perFile, cores, most } of rows) {
    const tasks = tasksOf(lane('a', perFile), 7)
    const ran = await watchRun(tasks, cores)
    t.equal(ran.most, most)
    t.same(
      ran.order,
      tasks.map(({ file }) => file),
    )
    t.equal(ran.results.length, tasks.length)
  }
})

t.test('more files run while cores are idle, up to a limit', async (t) => {
  const tasks = tasksOf(lane('a', 1), 12)
  t.equal((await watchRun(tasks, 2, 1.5)).most, 8)
  t.equal((await watchRun(tasks, 2, 0.5)).most, 8, 'half a core is enough to start a file')
  t.equal((await watchRun(tasks, 2, 0.3)).most, 2, 'less than that is too little')
})

t.test('a file that runs alone has no other beside it, even on idle cores', async (t) => {
  const tasks = [...tasksOf(lane('alone', 10_000), 2), ...tasksOf(lane('b', 1), 1)]
  t.equal((await watchRun(tasks, 2, 1.5)).most, 1)
})

t.test('the next lane begins before the last file of the one before has ended', async (t) => {
  const ran = await watchRun([...tasksOf(lane('a', 1), 1), ...tasksOf(lane('b', 1), 1)], 2)
  t.equal(ran.most, 2)
})

t.test('files that run alone come after all others, and run alone', async (t) => {
  const tasks = listTasks(
    LANES.filter(({ name }) => name === 'web' || name === 'programs'),
    join(import.meta.dirname, '..', '..', '..'),
  )
  t.equal(tasks.at(-1)?.file, 'test/web/promised-times.test.ts')
  const ran = await watchRun(tasks.slice(-2), 2)
  t.equal(ran.most, 1)
  t.equal((await watchRun(tasks.slice(0, -1), 2)).most, 2)
})

t.test('files that mostly wait come first, beside the others', async (t) => {
  const tasks = listTasks(
    LANES.filter(({ name }) => name === 'node'),
    join(import.meta.dirname, '..', '..', '..'),
  )
  const waiting = tasks.filter(({ cores }) => cores < 0.5)
  t.match(waiting, { length: 9 })
  t.same(tasks.slice(0, waiting.length), waiting)
  t.ok(waiting.some(({ file }) => file === 'test/adapters/kms/client.test.ts'))
  const shared = tasks.findIndex(({ group }) => group !== undefined)
  t.equal(shared, waiting.length, 'then those that share processes')
  const own = tasks.slice(shared).findIndex(({ group }) => group === undefined) + shared
  t.ok(tasks.slice(own).every(({ group }) => group === undefined))
  t.equal(tasks[own]?.file, 'test/adapters/drawings/drawing-reader.test.ts', 'then long ones')
  t.equal((await watchRun(tasks.slice(0, 80), 2)).most, 12, 'all of them, and three others')
  t.equal((await watchRun(tasks.slice(own, own + 6), 2)).most, 4, 'four that use the CPU')
})

t.test('files that wait come before all lanes', async (t) => {
  const tasks = listTasks(LANES, join(import.meta.dirname, '..', '..', '..'))
  const others = tasks.findIndex(({ cores }) => cores >= 0.5)
  const lanes = new Set(tasks.slice(0, others).map(({ lane }) => lane.name))
  t.same([...lanes], ['processes', 'node', 'deno'])
  t.ok(tasks.slice(others).every(({ cores }) => cores >= 0.5))
})

t.test('results are counted, and the slowest files and the lanes are listed', async (t) => {
  const first = lane('first', 1)
  const base = { passed: 2, failed: 0, skipped: 0, cpuMs: 750, output: 'said' }
  const [taskX, taskY] = ['x', 'y'].map((file) => {
    return { lane: first, file, cores: 1 }
  }) as [Task, Task]
  const results: TaskResult[] = [
    { ...base, task: taskX, startedMs: 0, durationMs: 1_000 },
    { ...base, failed: 1, task: taskY, startedMs: 500, durationMs: 2_500 },
  ]
  t.same(addUp(results), { passed: 4, failed: 1 })
  const [x, y] = results as [TaskResult, TaskResult]
  t.equal(formatResult(x), 'ok   first              1.0 s     0.8 s CPU  x: 2 passed')
  t.match(formatResult({ ...y, fault: 'ended' }), /^said\nFAIL first .* y: 2 passed, 1 failed\n/)
  t.match(formatResult({ ...x, passed: 0, skipped: 3 }), /^skip first .* x: 0 passed, 3 skipped$/)
  const lines = formatTimes(results).split('\n')
  t.match(lines[1], /^ +2\.5 s {5}0\.8 s CPU {2}first +y$/)
  t.equal(lines.at(-1), '   3.0 s  first           2 files, 3.5 s together, 1.5 s CPU')
})
