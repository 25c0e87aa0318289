/**
 * Runs several test files in one process, one after the other, and prints the totals of each:
 * `node dev/test-suite/batch.ts test/a.test.ts test/b.test.ts`.
 */
import { resolve } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { formatEnd, formatStart } from './batches.ts'

const LIMIT_MS = Number(process.env.TAP_TIMEOUT ?? 600) * 1000

const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Loads a file and waits for its tests. */
async function runFile(file: string): Promise<void> {
  // A file may have shortened it, and files of different processes must not share a folder.
  t.setTimeout(LIMIT_MS)
  t.testdirName = resolve('.tap/fixtures', `${process.pid}-${file.replaceAll('/', '-')}`)
  t.comment(formatStart(file))
  const began = { ...t.counts, cpuMs: cpuMs(), ms: performance.now() }
  try {
    await import(pathToFileURL(resolve(file)).href)
  } catch (error) {
    t.fail(`${file} cannot be loaded`, { found: error })
  }
  // tap runs it after all tests of the file; it is not counted.
  await t.test(`end of ${file}`, async (t) => t.pass())
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

for (const file of process.argv.slice(2)) await runFile(file)
