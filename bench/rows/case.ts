/**
 * Row `case`: what one case with two participants costs from its creation until it is settled, on
 * one machine and on a cluster. The figures are counts, which do not depend on the machine, except
 * for CPU time.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { isSettled } from '../../domain/cases/finished.ts'
import { openWholeKeyring } from '../../adapters/embedded/keyring.ts'
import { mintTenantToken } from '../../adapters/jose/local-identity.ts'
import { buildPrograms } from '../../dev/build-programs.ts'
import type { LocalCluster } from '../../dev/local-cluster/local.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { keyringFolder } from '../../runtime/embedded/paths.ts'
import { Client } from '../../test/e2e/client.ts'
import { ready, spawnService } from '../../test/e2e/service.ts'
import { TENANT } from '../../test/fixtures/signature-case.ts'
import { flood } from '../flood.ts'
import { makePdf, SMALL } from '../inputs.ts'
import { readUsage } from '../process-cpu.ts'
import type { Figure, RowReport } from '../report.ts'
import { COSTS, readCosts, type Costs } from '../row-cluster/costs.ts'
import { RedisRequests } from '../row-cluster/redis-requests.ts'
import { besideCluster, UNTHROTTLED } from '../row-cluster/start.ts'
import { driveCase } from './flow.ts'

const WARM_UP_CASES = 8
const CASES = 40
const IN_FLIGHT = 4
/** Over this time, what the idle processes do is measured and then subtracted. */
const IDLE_MS = 5_000
const SETTLE_LIMIT_MS = 60_000
const POLL_MS = 250
const OCTETS_PER_MB = 1e6
/** That of `npm start`: after the first run, starts find compiled modules. */
const COMPILE_CACHE = 'node_modules/.cache/sigcase/compiled'

/** Upper bounds for two idle cores; a busy machine merges less and retries more. */
const MUST: Partial<Costs> = {
  reconciles: 7.5,
  'etcd writes': 6.5,
  'API-server reads': 11,
  'class A': 27.5,
  'class B': 22.5,
  'Redis requests': 95,
  'Redis commands': 360,
}

async function allSettled({ admin }: LocalCluster): Promise<void> {
  const deadlineMs = performance.now() + SETTLE_LIMIT_MS
  while (performance.now() < deadlineMs) {
    const path = `/apis/sigcase.dev/v1/namespaces/${TENANT}/signaturecases`
    const { items } = await admin.send<{ items: SignatureCase[] }>({ path })
    if (items.every(({ status }) => isSettled(status))) return
    await sleep(POLL_MS)
  }
  throw new Error('the cases did not settle')
}

/** Costs of each case, without what the idle cluster does. */
async function onEachCase(cluster: LocalCluster): Promise<Costs> {
  const client = new Client({ baseUrl: () => cluster.url, token: await cluster.token(TENANT) })
  const pdf = makePdf(SMALL)
  await flood(WARM_UP_CASES, IN_FLIGHT, () => driveCase(client, pdf))
  await allSettled(cluster)
  const requests = new RedisRequests(cluster.environment.REDIS_URL ?? '')
  const before = await readCosts(cluster, requests)
  await sleep(IDLE_MS)
  const idle = await readCosts(cluster, requests)
  const startedMs = performance.now()
  await flood(CASES, IN_FLIGHT, () => driveCase(client, pdf))
  await allSettled(cluster)
  const idleTimes = (performance.now() - startedMs) / IDLE_MS
  const after = await readCosts(cluster, requests)
  requests.stop()
  const each = (name: keyof Costs) =>
    (after[name] - idle[name] - idleTimes * (idle[name] - before[name])) / CASES
  return Object.fromEntries(COSTS.map((name) => [name, each(name)])) as Costs
}

/**
 * Upper bounds on one machine (decision 259). CPU time includes the sandbox; a busy machine takes
 * 0.22 s. PDFs of this size are rows of the database (decision 242), so cases have no files.
 */
const ONE_MACHINE = {
  cpu: { of: 's of CPU on one machine', must: 0.25, aim: 0.12 },
  files: { of: 'object files on one machine', must: 0.1 },
}

function measureFolder(folder: string): { files: number; octets: number } {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const sizes = files.map((file) => statSync(join(file.parentPath, file.name)).size)
  return { files: files.length, octets: sizes.reduce((sum, size) => sum + size, 0) }
}

/** Runs the cases on one machine. @returns what each costs */
async function onOneMachine(): Promise<RowReport> {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-bench-'))
  const environment = {
    PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    ...UNTHROTTLED,
  }
  const bundle = join(await buildPrograms(), 'main.js')
  const service = spawnService(environment, [process.execPath, '--enable-source-maps', bundle])
  try {
    const url = await ready(service)
    const keyring = openWholeKeyring(keyringFolder(folder))
    const token = await mintTenantToken(keyring, TENANT, new Date())
    const client = new Client({ baseUrl: () => url, token })
    const pdf = makePdf(SMALL)
    const run = async (count: number) => {
      await flood(count, IN_FLIGHT, () => driveCase(client, pdf))
      await sleep(IDLE_MS)
    }
    const read = () => {
      const { own, below } = readUsage(service.child.pid ?? 0)
      const usage = { own: own.seconds, below: below.seconds }
      return { ...usage, ...measureFolder(join(folder, 'objects')) }
    }
    const start = read()
    await run(WARM_UP_CASES)
    const before = read()
    await run(CASES)
    const after = read()
    const each = (name: keyof typeof after) => (after[name] - before[name]) / CASES
    const measured =
      `one machine: CPU s at start ${start.own.toFixed(2)} and ${start.below.toFixed(2)} of its ` +
      `children; each case ${each('own').toFixed(3)} s and ${each('below').toFixed(3)} s, ` +
      `${(each('octets') / OCTETS_PER_MB).toFixed(2)} MB`
    const { cpu, files } = ONE_MACHINE
    const figures: Figure[] = [
      { ...cpu, value: each('own') + each('below'), better: 'less' },
      { ...files, value: each('files'), better: 'less' },
    ]
    return { measured, figures }
  } finally {
    await service.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The row; each count is of one case. */
export async function caseCosts(): Promise<RowReport> {
  const { measured, figures: ofOne } = await onOneMachine()
  return besideCluster({ workers: ['node'] }, async (cluster, why) => {
    if (!cluster) return { measured, figures: ofOne, skipped: [`a cluster: ${why}`] }
    const costs = await onEachCase(cluster)
    const figures = Object.entries(MUST).map(([name, must]): Figure => {
      return { of: name, value: costs[name as keyof Costs], better: 'less', must }
    })
    const others = COSTS.filter((name) => MUST[name] === undefined)
    const listed = others.map((name) => `${costs[name].toPrecision(3)} ${name}`).join(', ')
    return {
      measured: `${measured} · cluster, each case: ${listed}`,
      figures: [...ofOne, ...figures],
    }
  })
}
