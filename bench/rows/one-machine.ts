/** The part of the row `case` that runs the service on one machine, as `npm start` does. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWholeKeyring } from '../../adapters/embedded/keyring.ts'
import { mintTenantToken } from '../../adapters/jose/local-identity.ts'
import { buildPrograms } from '../../dev/build-programs.ts'
import { keyringFolder } from '../../runtime/embedded/paths.ts'
import { Client } from '../../test/e2e/client.ts'
import { ready, spawnService } from '../../test/e2e/service.ts'
import { TENANT } from '../../test/fixtures/signature-case.ts'
import { flood } from '../flood.ts'
import { makePdf, SMALL } from '../inputs.ts'
import { readUsage } from '../process-cpu.ts'
import type { Figure, RowReport } from '../report.ts'
import { UNTHROTTLED } from '../row-cluster/start.ts'
import {
  countingSynchronisations,
  countSynchronisations,
  withoutStrace,
} from '../synchronisations.ts'
import { LATENCY_CASES, measureLatencies } from './case-latency.ts'
import { driveCase } from './flow.ts'

const WARM_UP_CASES = 8
const CASES = 40
const IN_FLIGHT = 4
/** After the last case: mails, webhooks and the seal of the trail come later than DONE. */
const AFTERWARDS_MS = 5_000
const OCTETS_PER_MB = 1e6
/** That of `npm start`: after the first run, starts find compiled modules. */
const COMPILE_CACHE = 'node_modules/.cache/sigcase/compiled'

/**
 * Upper bounds (decision 259). CPU time includes the sandbox; a busy machine takes 0.22 s. PDFs of
 * this size are rows of the database (decision 242), so cases have no files.
 */
const CPU = { of: 's of CPU on one machine', must: 0.25, aim: 0.12 }
/** The engine has compiled more of the code by then, and processes of the sandbox have started. */
const WARM_CPU = { of: `s of CPU after ${WARM_UP_CASES + CASES} cases`, must: 0.25, aim: 0.12 }
const FILES = { of: 'object files on one machine', must: 0.1 }
const SYNCHRONISATIONS = { of: 'synchronisations with the disk', must: 25, aim: 20 }

interface RunningService {
  client: Client
  /** New data directory. */
  folder: string
  pid: number
}

/** @param before what the command line begins with */
async function withService<T>(
  before: readonly string[],
  work: (service: RunningService) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-bench-'))
  const environment = {
    PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    ...UNTHROTTLED,
  }
  const bundle = join(await buildPrograms(), 'main.js')
  const command = [...before, process.execPath, '--enable-source-maps', bundle]
  const service = spawnService(environment, command as [string, ...string[]])
  try {
    const url = await ready(service)
    const token = await mintTenantToken(openWholeKeyring(keyringFolder(folder)), TENANT, new Date())
    const client = new Client({ baseUrl: () => url, token })
    return await work({ client, folder, pid: service.child.pid ?? 0 })
  } finally {
    await service.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function measureFolder(folder: string): { files: number; octets: number } {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const sizes = files.map((file) => statSync(join(file.parentPath, file.name)).size)
  return { files: files.length, octets: sizes.reduce((sum, size) => sum + size, 0) }
}

async function runCases(count: number, client: Client, pdf: Uint8Array): Promise<void> {
  await flood(count, IN_FLIGHT, () => driveCase(client, pdf))
  await sleep(AFTERWARDS_MS)
}

/** CPU time, files and latencies of each case. */
async function measureService({ client, folder, pid }: RunningService): Promise<RowReport> {
  const pdf = makePdf(SMALL)
  const read = () => {
    const { own, below } = readUsage(pid)
    return { own: own.seconds, below: below.seconds, ...measureFolder(join(folder, 'objects')) }
  }
  const start = read()
  await runCases(WARM_UP_CASES, client, pdf)
  const before = read()
  await runCases(CASES, client, pdf)
  const after = read()
  const latencies = await measureLatencies(client, pdf)
  await sleep(AFTERWARDS_MS)
  const end = read()
  const each = (name: keyof typeof after) => (after[name] - before[name]) / CASES
  const warm = (end.own + end.below - after.own - after.below) / LATENCY_CASES
  const measured =
    `one machine: CPU s at start ${start.own.toFixed(2)} and ${start.below.toFixed(2)} of its ` +
    `children; each case ${each('own').toFixed(3)} s and ${each('below').toFixed(3)} s, ` +
    `${(each('octets') / OCTETS_PER_MB).toFixed(2)} MB`
  const figures: Figure[] = [
    { ...CPU, value: each('own') + each('below'), better: 'less' },
    { ...WARM_CPU, value: warm, better: 'less' },
    { ...FILES, value: each('files'), better: 'less' },
    ...latencies,
  ]
  return { measured, figures }
}

/** Tracing costs time, so this is another service than the one that is timed. */
async function countForEachCase(): Promise<Figure> {
  const logFolder = mkdtempSync(join(tmpdir(), 'sigcase-bench-'))
  const log = join(logFolder, 'calls')
  try {
    const value = await withService(countingSynchronisations(log), async ({ client }) => {
      const pdf = makePdf(SMALL)
      await runCases(WARM_UP_CASES, client, pdf)
      const before = countSynchronisations(log)
      await runCases(CASES, client, pdf)
      return (countSynchronisations(log) - before) / CASES
    })
    return { ...SYNCHRONISATIONS, value, better: 'less' }
  } finally {
    rmSync(logFolder, { recursive: true, force: true })
  }
}

/** Runs the cases on one machine. @returns what each costs */
export async function onOneMachine(): Promise<RowReport> {
  const { measured, figures } = await withService([], measureService)
  const why = withoutStrace()
  if (why !== undefined) return { measured, figures, skipped: [`synchronisations: ${why}`] }
  return { measured, figures: [...figures, await countForEachCase()] }
}
