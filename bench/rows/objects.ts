/**
 * Row `objects`: which objects one case with two participants writes, lists and reads, and which
 * code asks for them, on one machine. In one process API, controller and workers share what they
 * know of a trail, so a cluster reads more often; row `case` measures that.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FileObjectStore } from '../../adapters/embedded/object-store.ts'
import { clientFor, configFor } from '../../test/e2e/harness.ts'
import { startEmbedded } from '../../runtime/embedded/service.ts'
import { STORE_CALLS } from '../../runtime/tracing/traced-ports.ts'
import { makePdf, SMALL } from '../inputs.ts'
import type { RowReport } from '../report.ts'
import { UNTHROTTLED } from '../row-cluster/start.ts'
import { driveCase } from './flow.ts'

/** The case is settled when nothing was read or written for this long. */
const QUIET_MS = 3_000
const LIMIT_MS = 60_000
/** Operations that Google bills as class A; `get` and `stat` are class B. */
const CLASS_A: ReadonlySet<string> = new Set(['putIfAbsent', 'compareAndSwap', 'list'])
const CLASS_B: ReadonlySet<string> = new Set(['get', 'stat'])
/** Files that only forward calls. */
const PASSING = /(objects|traced-ports|wrap-calls|stored-results|read-json|object-pages)\.ts/
const PLACE = /\/((?:api|application|controllers|workers|runtime)\/[^):]+\.ts):\d+/
const INNER_CALL = /embedded\/object-store\.ts/
const STACK_FRAMES = 30

const countFiles = (folder: string) =>
  readdirSync(join(folder, 'objects'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  ).length

type Method = 'get' | 'stat' | 'list' | 'putIfAbsent' | 'compareAndSwap' | 'delete'

/** The key with every id replaced by `*`. */
const patternOf = (key: string) =>
  key
    .replace(/^tenants\/[^/]+\/cases\/[^/]+\//, '…/')
    .replace(/[0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}|\d{8}/g, '*')

/** The file of the service that made the call. */
function callerIn(stack: string): string {
  const lines = stack.split('\n').filter((line) => PLACE.test(line) && !PASSING.test(line))
  return PLACE.exec(lines[0] ?? '')?.[1] ?? 'an adapter'
}

/** Counts the calls of every store in this process until `end` is called. */
function traceStores() {
  const counts = new Map<string, number>()
  const totals = { classA: 0, classB: 0 }
  let lastMs = performance.now()
  const stores = FileObjectStore.prototype as unknown as Record<Method, (key: string) => unknown>
  const originals = STORE_CALLS.map((name) => [name as Method, stores[name as Method]] as const)
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = STACK_FRAMES
  for (const [name, original] of originals) {
    stores[name] = function traced(this: unknown, key: string, ...rest: unknown[]) {
      lastMs = performance.now()
      const stack = new Error(name).stack ?? ''
      // The store looks at an object before it writes it.
      if (INNER_CALL.test(stack)) return Reflect.apply(original, this, [key, ...rest]) as unknown
      if (CLASS_A.has(name)) totals.classA++
      if (CLASS_B.has(name)) totals.classB++
      const line = `${name} ${patternOf(key)} by ${callerIn(stack)}`
      counts.set(line, (counts.get(line) ?? 0) + 1)
      return Reflect.apply(original, this, [key, ...rest]) as unknown
    }
  }
  const quietMs = () => performance.now() - lastMs
  const end = () => {
    Error.stackTraceLimit = limit
    for (const [name, original] of originals) stores[name] = original
  }
  const clear = () => {
    counts.clear()
    Object.assign(totals, { classA: 0, classB: 0 })
  }
  return { counts, totals, quietMs, end, clear }
}

type Trace = ReturnType<typeof traceStores>

async function untilQuiet({ quietMs }: Trace): Promise<void> {
  const deadlineMs = performance.now() + LIMIT_MS
  while (quietMs() < QUIET_MS && performance.now() < deadlineMs) await sleep(QUIET_MS / 10)
}

function report({ counts, totals }: Trace, files: number): RowReport {
  const lines = [...counts].sort(([, a], [, b]) => b - a)
  const listed = lines.map(([line, count]) => `\n  ${String(count).padStart(3)} ${line}`).join('')
  const { classA, classB } = totals
  const measured = `one case: ${classA} class A, ${classB} class B, ${files} files${listed}`
  return { measured, figures: [] }
}

/** The row: the counts of one case, after another one that warms the service up. */
export async function objects(): Promise<RowReport> {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-bench-'))
  const trace = traceStores()
  try {
    const service = await startEmbedded(configFor(folder, UNTHROTTLED))
    try {
      const client = await clientFor(folder, () => service.url)
      const pdf = makePdf(SMALL)
      await driveCase(client, pdf)
      await untilQuiet(trace)
      const before = countFiles(folder)
      trace.clear()
      await driveCase(client, pdf)
      await untilQuiet(trace)
      return report(trace, countFiles(folder) - before)
    } finally {
      await service.close()
    }
  } finally {
    trace.end()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
