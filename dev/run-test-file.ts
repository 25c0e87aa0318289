/** Runs one test file in a separate process and reads the totals from its TAP output. */
import { spawn } from 'node:child_process'
import process from 'node:process'
import { readChildCpuMs } from './test-suite/child-cpu-time.ts'

/** The longest test kills and restarts a service for minutes. */
const FILE_LIMIT_MS = 10 * 60 * 1000
/** Only this much of the end of the output, which has the totals, is kept. */
const OUTPUT_LIMIT_CHARACTERS = 4_000_000

/** Assertions of a file by outcome. */
export interface Totals {
  passed: number
  failed: number
  skipped: number
}

export interface FileResult extends Totals {
  durationMs: number
  /** CPU time of the process and of its children; 0 where the system does not report it. */
  cpuMs: number
  /** Everything the file printed. */
  output: string
  /** Why the whole file failed, independent of its assertions. */
  fault?: string
}

interface Ending {
  output: string
  cpuMs: number
  code: number | null
  timedOut: boolean
}

/** Reads tap's last line of totals, `# { total: 5, pass: 3, fail: 1, skip: 1 }`. */
export function readTotals(output: string): Totals | undefined {
  const line = output.match(/^# \{ total: .*\}$/gm)?.at(-1)
  if (line === undefined) return undefined
  const count = (name: string) => Number(new RegExp(`\\b${name}: (\\d+)`).exec(line)?.[1] ?? 0)
  return { passed: count('pass'), failed: count('fail'), skipped: count('skip') + count('todo') }
}

/** CPU time of all children that ended before. */
let countedCpuMs = readChildCpuMs()

/** Reads the CPU time of the child that has just ended. */
function countCpuMs(): number {
  const wholeMs = readChildCpuMs()
  const cpuMs = wholeMs - countedCpuMs
  countedCpuMs = wholeMs
  return cpuMs
}

/** The line before each file in a process of several files (`dev/test-suite/batches.ts`). */
const FILE_START = /^# file /m
/** One less, so that a line is not found twice. */
const FILE_START_CHARACTERS = 6

/** Calls `onStart` when the text, which arrives in pieces, has the line before a file. */
export function watchFileStarts(onStart: () => void): (text: string) => void {
  let end = ''
  return (text) => {
    if (FILE_START.test(end + text)) onStart()
    end = (end + text).slice(-FILE_START_CHARACTERS)
  }
}

/** Runs the command until it ends, or a file of it exceeds its time limit. */
function run(command: readonly string[], fileLimitMs: number): Promise<Ending> {
  const [program = '', ...args] = command
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      // The default limit of tap (30 s) is too short for tests that start services.
      env: { ...process.env, NO_COLOR: '1', TAP_TIMEOUT: String(fileLimitMs / 1000) },
    })
    let output = ''
    let timedOut = false
    const keep = (text: string) => {
      output = (output + text).slice(-OUTPUT_LIMIT_CHARACTERS)
    }
    const timer = setTimeout(() => {
      timedOut = true
      child.kill('SIGKILL')
    }, fileLimitMs)
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stdout.on(
      'data',
      watchFileStarts(() => timer.refresh()),
    )
    child.stderr.setEncoding('utf8').on('data', keep)
    let cpuMs = 0
    child.on('error', reject)
    child.on('exit', () => (cpuMs = countCpuMs()))
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ output, code, timedOut, cpuMs })
    })
  })
}

function faultOf(
  { code, timedOut }: Ending,
  totals: Totals | undefined,
  fileLimitMs: number,
): string | undefined {
  if (timedOut) return `took longer than ${fileLimitMs / 1000} s`
  if (!totals) return `ended with code ${code} and no totals`
  if (code !== 0 && totals.failed === 0) return `ended with code ${code} though nothing failed`
  return undefined
}

/**
 * @param command program and arguments, the test files among them
 * @param fileLimitMs time limit of each of them
 * @returns totals; a failure of the whole file counts as one failed assertion
 */
export async function runTestFile(
  command: readonly string[],
  { fileLimitMs = FILE_LIMIT_MS }: { fileLimitMs?: number } = {},
): Promise<FileResult> {
  const startedMs = performance.now()
  const ending = await run(command, fileLimitMs)
  const totals = readTotals(ending.output)
  const fault = faultOf(ending, totals, fileLimitMs)
  const counted = totals ?? { passed: 0, failed: 0, skipped: 0 }
  return {
    ...counted,
    failed: counted.failed + (fault === undefined ? 0 : 1),
    durationMs: performance.now() - startedMs,
    cpuMs: ending.cpuMs,
    output: ending.output,
    ...(fault === undefined ? {} : { fault }),
  }
}
