/** CPU time and memory of a process and its children. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import t from 'tap'
import { cpuSeconds, readUsage } from '../../bench/process-cpu.ts'
import { until } from '../fixtures/until.ts'

const BUSY = 'const end = Date.now() + 60_000; while (Date.now() < end);'

t.test('a busy child counts below its parent, not as its own', async (t) => {
  const before = readUsage(process.pid)
  const child = spawn(process.execPath, ['-e', BUSY])
  t.teardown(() => child.kill('SIGKILL'))
  await until(() => readUsage(process.pid).below.seconds - before.below.seconds > 0.3)
  const after = readUsage(process.pid)
  t.ok(after.below.octets > 1e6)
  t.ok(readUsage(child.pid as number).own.seconds > 0.2)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const { below } = readUsage(process.pid)
  // The kernel rounds the times of running and of ended processes in its own way.
  t.ok(below.seconds - before.below.seconds > 0.2, 'an ended child still counts')
  t.ok(below.octets < after.below.octets)
})

t.test('only the chosen processes count, not others of the same program', async (t) => {
  const [chosen, other] = [BUSY, BUSY].map((code) => spawn(process.execPath, ['-e', code]))
  t.teardown(() => [chosen, other].forEach((child) => child?.kill('SIGKILL')))
  const [chosenPid = 0, otherPid = 0] = [chosen?.pid, other?.pid]
  await until(() => readUsage(chosenPid).own.seconds > 0.2 && readUsage(otherPid).own.seconds > 0.2)
  const before = cpuSeconds([chosenPid])
  const ended = once(other as NonNullable<typeof other>, 'exit')
  other?.kill('SIGKILL')
  await ended
  const after = cpuSeconds([chosenPid])
  t.ok(after >= before, `the end of another process takes nothing away: ${before} s, ${after} s`)
  t.equal(cpuSeconds([2 ** 30]), 0)
})

t.test('a process that does not run has used nothing', async (t) => {
  const none = { seconds: 0, octets: 0 }
  t.same(readUsage(2 ** 30), { own: none, below: none })
})
