/** Files in one process report each for itself, also when one of them fails, ends or breaks it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'
import { formatEnd, formatStart, groupTasks, splitResult } from '../../../dev/test-suite/batches.ts'
import type { Batch } from '../../../dev/test-suite/batches.ts'
import { LANES, type Lane, type Task } from '../../../dev/test-suite/lanes.ts'
import { runTasks, type TaskResult } from '../../../dev/test-suite/run-tasks.ts'
import { ROOT } from '../../fixtures/source-tree.ts'

t.setTimeout(300_000)

const TEARDOWNS = join(ROOT, 'dev/test-suite/teardowns.ts')

const LANE: Lane = {
  name: 'a',
  suite: 'npm',
  files: [],
  command: [process.execPath],
  coresPerFile: 1,
}

const taskOf = (file: string, group = 'all', lane = LANE): Task => ({ lane, file, cores: 1, group })
const aloneTask = (file: string): Task => ({ lane: LANE, file, cores: 1 })

t.test('files of one lane and group share as few processes as their limit allows', async (t) => {
  const many = Array.from({ length: 41 }, (_, index) => {
    return taskOf(`test/pades/cms/${index}.test.ts`, 'pades')
  })
  const worldOf = (lane: Lane) =>
    Array.from({ length: 11 }, (_, index): Task => {
      return { ...taskOf(`test/web/${index}.test.ts`, 'world 0', lane), sharesWorld: true }
    })
  const other = { ...LANE, name: 'b' }
  const batches = groupTasks([
    ...many,
    aloneTask('test/pades/own.test.ts'),
    taskOf('test/pades/sign/a.test.ts', 'pades'),
    aloneTask('test/pades/own-too.test.ts'),
    taskOf('test/domain/a.test.ts', 'domain', other),
    taskOf('test/domain/a.test.ts', 'domain'),
    taskOf('test/domain/cases/a.test.ts', 'domain'),
    ...worldOf(LANE),
    ...worldOf({ ...LANE, name: 'large', filesPerWorld: 11 }),
  ])
  t.same(
    batches.map((batch) => [batch[0].lane.name, batch[0].file, batch.length]),
    [
      ['a', 'test/pades/cms/0.test.ts', 21],
      ['a', 'test/pades/cms/21.test.ts', 21],
      ['a', 'test/pades/own.test.ts', 1],
      ['a', 'test/pades/own-too.test.ts', 1],
      ['b', 'test/domain/a.test.ts', 1],
      ['a', 'test/domain/a.test.ts', 2],
      ['a', 'test/web/0.test.ts', 6],
      ['a', 'test/web/6.test.ts', 5],
      ['large', 'test/web/0.test.ts', 11],
    ],
  )
})

const end = { passed: 2, failed: 0, skipped: 0, durationMs: 10, cpuMs: 5 }
const batch = ['x', 'y', 'z'].map((file) => taskOf(file)) as unknown as Batch
const sectionOf = (file: string, more = end) =>
  `# ${formatStart(file)}\nsaid by ${file}\n# ${formatEnd(file, more)}\n`
const whole = { passed: 6, failed: 0, skipped: 0, durationMs: 100, cpuMs: 60 }

t.test('each file has its own totals and its own output', async (t) => {
  const output = `TAP\n${sectionOf('x')}${sectionOf('y', { ...end, failed: 1 })}${sectionOf('z')}`
  const { ended, rest } = splitResult(batch, { ...whole, failed: 1, output, fault: 'code 1' })
  t.same(rest, [])
  t.same(
    ended.map(({ task, result: { failed, cpuMs } }) => [task.file, failed, cpuMs]),
    [
      ['x', 0, 50],
      ['y', 1, 5],
      ['z', 0, 5],
    ],
    'the start of the process counts for its first file',
  )
  t.match(ended[1]?.result.output, /^# file y\nsaid by y\n/)
  t.notMatch(ended[1]?.result.output, /said by [xz]/)
})

t.test('the file in which the process ended has failed, and the rest is named', async (t) => {
  const output = `${sectionOf('x')}# ${formatStart('y')}\nlast words`
  const { ended, rest } = splitResult(batch, { ...whole, output, fault: 'took longer' })
  t.match(
    ended.map(({ result }) => result),
    [
      { passed: 2, failed: 0 },
      { failed: 1, fault: 'took longer', output: /last words/ },
    ],
  )
  t.same(rest, [batch[2]])
})

t.test('a process that does not even start fails its first file', async (t) => {
  const { ended, rest } = splitResult(batch, { ...whole, output: 'no module', fault: 'code 1' })
  t.match(
    ended.map(({ result }) => result),
    [{ failed: 1, fault: 'code 1', output: 'no module' }],
  )
  t.equal(ended.length, 1)
  t.equal(rest.length, 2)
})

t.test('a process that ends badly after its last file is a failure', async (t) => {
  const output = [...'xyz'].map((file) => sectionOf(file)).join('')
  const { ended } = splitResult(batch, { ...whole, output, fault: 'ended with code 3' })
  t.match(ended.at(-1)?.result, { failed: 1, fault: /same process: ended with code 3/ })
  t.equal(ended[0]?.result.failed, 0)
})

/** Runs files with these sources in one process, as `npm test` does. */
async function runSources(t: Test, sources: Readonly<Record<string, string>>, lane = LANE) {
  const tap = JSON.stringify(join(ROOT, 'node_modules/tap/dist/esm/index.js'))
  const files = Object.entries(sources).map(([name, source]) => {
    return [name, `import t from ${tap}\n${source}`]
  })
  const folder = t.testdir(Object.fromEntries(files) as Record<string, string>)
  const results: TaskResult[] = []
  await runTasks(
    Object.keys(sources).map((name) => taskOf(join(folder, name), 'all', lane)),
    { cores: 1, onResult: (result) => results.push(result) },
  )
  return results.map(({ task, passed, failed, skipped }) => {
    return [task.file.slice(folder.length + 1), passed, failed, skipped]
  })
}

t.test('a failing file and one that cannot be loaded do not hide the others', async (t) => {
  const results = await runSources(t, {
    'a.mjs': `t.test('one', async (t) => { t.pass(); t.pass() }); t.setTimeout(10)`,
    'b.mjs': `t.test('two', async (t) => { t.pass(); t.fail() })`,
    'c.mjs': `await import('./absent.mjs')`,
    'd.mjs': `t.test('three', { skip: 'no' }, async () => {}); t.ok(true)`,
  })
  t.same(results, [
    ['a.mjs', 2, 0, 0],
    ['b.mjs', 1, 1, 0],
    ['c.mjs', 0, 1, 0],
    ['d.mjs', 1, 0, 1],
  ])
})

t.test('files that end the process are named, and the others run', async (t) => {
  const results = await runSources(t, {
    'a.mjs': `t.test('one', async (t) => t.pass())`,
    'b.mjs': `t.test('two', async (t) => { t.pass(); process.exit(0) })`,
    'c.mjs': `t.test('three', async (t) => t.pass())`,
    'd.mjs': `process.exit(0)`,
    'e.mjs': `t.test('four', async (t) => t.pass())`,
  })
  t.same(results, [
    ['a.mjs', 1, 0, 0],
    ['b.mjs', 0, 1, 0],
    ['c.mjs', 1, 0, 0],
    ['d.mjs', 0, 1, 0],
    ['e.mjs', 1, 0, 0],
  ])
})

for (const { name, command } of [
  LANE,
  { name: 'deno', command: LANES.find(({ name }) => name === 'deno')?.command ?? [] },
]) {
  const lane = { ...LANE, name, command }

  t.test(`${name}: files run all tests, also while one loads slowly`, async (t) => {
    const results = await runSources(
      t,
      {
        'a.mjs': `t.teardown(() => t.comment('over')); t.test('one', async (t) => t.pass())`,
        'b.mjs': `await new Promise((resolve) => setTimeout(resolve, 100))
          t.test('two', async (t) => t.pass())`,
        'c.mjs': `await import('playwright-core'); t.test('three', async (t) => t.pass())`,
        'd.mjs': `t.test('four', async (t) => t.pass())`,
      },
      lane,
    )
    t.same(
      results,
      ['a.mjs', 'b.mjs', 'c.mjs', 'd.mjs'].map((file) => [file, 1, 0, 0]),
    )
  })

  t.test(`${name}: a file without an assertion fails, alone and beside others`, async (t) => {
    const empty = `t.comment('nothing to do')`
    t.same(await runSources(t, { 'a.mjs': empty }, lane), [['a.mjs', 0, 1, 0]])
    const beside = { 'a.mjs': `t.pass()`, 'b.mjs': empty, 'c.mjs': '', 'd.mjs': `t.pass()` }
    t.same(await runSources(t, beside, lane), [
      ['a.mjs', 1, 0, 0],
      ['b.mjs', 0, 1, 0],
      ['c.mjs', 0, 1, 0],
      ['d.mjs', 1, 0, 0],
    ])
    const skipped = { 'a.mjs': `t.test('x', { skip: 'no Redis' }, async () => {})` }
    t.same(await runSources(t, skipped, lane), [['a.mjs', 0, 0, 1]])
  })
}

t.test('a file has its teardowns, the newest first, and one that fails is its fault', async (t) => {
  const results = await runSources(t, {
    'a.mjs': `globalThis.seen = []
      t.teardown(() => globalThis.seen.push('first'))
      t.teardown(() => globalThis.seen.push('second'))
      t.test('one', async (t) => t.same(globalThis.seen, []))`,
    'b.mjs': `t.test('two', async (t) => t.same(globalThis.seen, ['second', 'first']))
      t.teardown(async () => { throw new Error('cannot close') })`,
    'c.mjs': `t.pass()`,
  })
  t.same(results, [
    ['a.mjs', 1, 0, 0],
    ['b.mjs', 1, 1, 0],
    ['c.mjs', 1, 0, 0],
  ])
})

t.test('what files share ends after the last of them, or after a file alone', async (t) => {
  const shares = (name: string) => `import { appendFileSync } from 'node:fs'
    const { afterLastFile } = await import(${JSON.stringify(TEARDOWNS)})
    const write = (line) => appendFileSync(new URL('log', import.meta.url), line)
    t.teardown(() => write('${name} ends,'))
    if (!globalThis.isOpen) afterLastFile(() => write('shared ends,'))
    globalThis.isOpen = true
    t.test('one', async (t) => t.pass())`
  const runBatch = async (t: Test, sources: Readonly<Record<string, string>>) => {
    await runSources(t, sources)
    return readFileSync(join(t.testdirName, 'log'), 'utf8')
  }
  t.equal(
    await runBatch(t, { 'a.mjs': shares('a'), 'b.mjs': shares('b') }),
    'a ends,b ends,shared ends,',
  )
  await t.test('alone', async (t) => {
    t.equal(await runBatch(t, { 'c.mjs': shares('c') }), 'shared ends,c ends,')
  })
})

t.test('a file that ends the tests of the process is named, and the others run', async (t) => {
  const results = await runSources(t, {
    'a.mjs': `t.test('one', async (t) => t.pass()); t.end()`,
    'b.mjs': `t.test('two', async (t) => t.pass())`,
  })
  t.same(results, [
    ['a.mjs', 0, 1, 0],
    ['b.mjs', 1, 0, 0],
  ])
})
