/**
 * Runs several test files in one process, one after the other, and prints the totals of each:
 * `node dev/test-suite/batch.ts test/a.test.ts test/b.test.ts`.
 */
import module from 'node:module'
import { resolve } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { formatEnd, formatStart } from './batches.ts'
import { joinOutput } from './joined-output.ts'
import { runLastTeardowns, shareProcess } from './teardowns.ts'

const LIMIT_MS = Number(process.env.TAP_TIMEOUT ?? 600) * 1000

type Teardown = () => unknown

/** Teardowns that the current file registered at the root, in their order. */
const teardowns: Teardown[] = []

/**
 * Collects the teardowns of a file. Those of tap run at the end of the root, and tap ends a root
 * with a teardown as soon as no test runs for three timers, for example while the next file loads.
 */
function collectTeardowns(): void {
  const collect = (teardown: Teardown) => void teardowns.push(teardown)
  Object.assign(t, { teardown: collect, after: collect })
}

/** Runs the teardowns of the file, the newest first, and reports those that fail. */
async function runTeardowns(t: Test): Promise<void> {
  for (const teardown of teardowns.splice(0).reverse()) {
    try {
      await teardown()
    } catch (error) {
      t.fail('a teardown failed', { found: error })
    }
  }
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Imports a file. The timer keeps a process alive that does nothing but import: on Deno,
 * `beforeExit` may come meanwhile, and tap would end the root.
 */
async function load(file: string): Promise<void> {
  const awake = setTimeout(() => {}, LIMIT_MS)
  try {
    await import(pathToFileURL(resolve(file)).href)
  } catch (error) {
    t.fail(`${file} cannot be loaded`, { found: error })
  } finally {
    clearTimeout(awake)
  }
  // Other processes need the same sources; without this, Node writes them when the process ends.
  module.flushCompileCache?.()
}

/** Loads a file and waits for its tests. */
async function runFile(file: string): Promise<void> {
  // A file may have shortened it, and files of different processes must not share a folder.
  t.setTimeout(LIMIT_MS)
  t.testdirName = resolve('.tap/fixtures', `${process.pid}-${file.replaceAll('/', '-')}`)
  t.comment(formatStart(file))
  // A file that blocks the process must be known by then.
  flushOutput()
  const began = { ...t.counts, cpuMs: cpuMs(), ms: performance.now() }
  await load(file)
  // tap runs it after all tests of the file; its `pass` is not counted.
  const ended = await t.test(`end of ${file}`, async (t) => {
    await runTeardowns(t)
    t.pass()
  })
  if (!ended) throw new Error(`tap ended before the tests of ${file}`)
  const { pass, fail, skip, todo } = t.counts
  const end = {
    passed: pass - began.pass - 1,
    failed: fail - began.fail,
    skipped: skip + todo - began.skip - began.todo,
    durationMs: performance.now() - began.ms,
    cpuMs: cpuMs() - began.cpuMs,
  }
  t.comment(formatEnd(file, end))
}

const flushOutput = joinOutput()
collectTeardowns()
shareProcess()
for (const file of process.argv.slice(2)) await runFile(file)
await runLastTeardowns()
