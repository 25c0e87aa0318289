import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import t from 'tap'
import { sendInput } from '../../dev/program-input.ts'

const run = promisify(execFile)
const LIMIT_MS = 60_000

/** Waits on the main thread, so that this process does not notice the end of the child yet. */
function waitForEnd(pid: number | undefined): void {
  const deadlineMs = performance.now() + LIMIT_MS
  while (performance.now() < deadlineMs) {
    // The state follows the name in brackets; Z: it has ended.
    if (/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return
  }
  throw new Error('the program did not end')
}

const skip = process.platform === 'linux' ? false : 'reads /proc'

t.test('a program may end before its input is written', { skip }, async (t) => {
  for (const input of [undefined, '{}']) {
    const running = run('true', [])
    waitForEnd(running.child.pid)
    sendInput(running.child, input)
    t.match(await running, { stdout: '' })
  }
})

t.test('a program reads its input', async (t) => {
  const running = run('cat', [])
  sendInput(running.child, '{}')
  t.match(await running, { stdout: '{}' })
})
