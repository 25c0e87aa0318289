/**
 * Row `watch`: time from the request that creates a case, as `kubectl apply` does, to the start of
 * its first reconcile, compared with the event of a plain watch; and the time until the status is
 * written.
 */
import { randomUUID } from 'node:crypto'
import { get as httpsGet } from 'node:https'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { closeInTurn, type Closing } from '../../adapters/shared/closings.ts'
import { KubernetesCaseResources } from '../../adapters/kubernetes/case-resources.ts'
import { KubernetesCaseStore } from '../../adapters/kubernetes/case-store.ts'
import { openAdapters, openProcessKeyring } from '../../runtime/cluster/adapters.ts'
import { openJobs } from '../../runtime/cluster/jobs.ts'
import { TenantRetention } from '../../runtime/cluster/retention.ts'
import { readControllerConfig } from '../../runtime/config/processes.ts'
import { buildController } from '../../controllers/controller.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { CaseKey, CaseStore } from '../../domain/ports/stores.ts'
import { systemTimers } from '../../adapters/shared/system-timers.ts'
import { TENANT } from '../../test/fixtures/signature-case.ts'
import type { LocalCluster } from '../../dev/local-cluster/local.ts'
import { HOME } from '../../dev/local-cluster/programs.ts'
import { environmentOf } from '../../dev/local-cluster/start-emulators.ts'
import { resourceOf } from '../row-cluster/cases.ts'
import { endControllers, onCluster, OTHER_TENANT } from '../row-cluster/start.ts'
import { alternate, quantile } from '../measure.ts'
import type { RowReport } from '../report.ts'

const CASES_PER_ROUND = 30
const LIMIT_MS = 10_000
/** Pause, so that later work on one case does not delay the next case. */
const PAUSE_MS = 50

/** Records the times of an event by case id. */
class Instants {
  readonly #waiting = new Map<string, (atMs: number) => void>()

  /** Waits for the next event. @throws Error when none comes in time */
  next(caseId: string): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const limit = setTimeout(() => reject(new Error('no event for a case')), LIMIT_MS)
    this.#waiting.set(caseId, (atMs) => {
      clearTimeout(limit)
      resolve(atMs)
    })
    return promise
  }

  note(caseId: string): void {
    this.#waiting.get(caseId)?.(performance.now())
    this.#waiting.delete(caseId)
  }
}

/** Records when a reconcile begins and when it has written; skips the other tenant. */
class ObservedCaseStore extends KubernetesCaseStore {
  readonly begun = new Instants()
  readonly written = new Instants()

  override watch(onChange: (key: CaseKey) => void): () => void {
    return super.watch((key) => {
      if (key.tenant !== OTHER_TENANT) onChange(key)
    })
  }

  override async get(key: CaseKey): Promise<SignatureCase | undefined> {
    this.begun.note(key.caseId)
    return super.get(key)
  }

  override async replaceStatus(signatureCase: SignatureCase): Promise<SignatureCase> {
    const written = await super.replaceStatus(signatureCase)
    this.written.note(signatureCase.metadata.name)
    return written
  }
}

/** As `kubectl apply` creates it: for a case of the API, the controller waits for the upload. */
function appliedCase(key: CaseKey): SignatureCase {
  const made = resourceOf(key)
  const { creation: _, ...spec } = made.spec
  return { ...made, spec: spec as SignatureCase['spec'] }
}

/** Starts a plain watch of the other tenant's cases. @returns a function that ends it */
async function watchPlainly({ plane }: LocalCluster, received: Instants): Promise<() => void> {
  const url = `${plane.url}/apis/sigcase.dev/v1/namespaces/${OTHER_TENANT}/signaturecases?watch=1`
  const headers = { authorization: `Bearer ${plane.adminToken}` }
  const { promise, resolve, reject } = Promise.withResolvers<() => void>()
  const request = httpsGet(url, { ca: plane.ca, headers, agent: false }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (text + chunk).split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        received.note((JSON.parse(line) as { object: SignatureCase }).object.metadata.name)
      }
    })
    response.on('error', () => undefined)
    resolve(() => request.destroy())
  })
  request.on('error', reject)
  return promise
}

/** Creates one case after another. @returns milliseconds until `next` for each case */
async function latencies(
  tenant: string,
  store: CaseStore,
  next: (caseId: string) => Promise<number>,
): Promise<number[]> {
  const found: number[] = []
  for (let count = 0; count < CASES_PER_ROUND; count++) {
    const caseId = randomUUID()
    const received = next(caseId)
    const startedMs = performance.now()
    await store.create(appliedCase({ tenant, caseId }))
    found.push((await received) - startedMs)
    await sleep(PAUSE_MS)
  }
  return found
}

async function startController(cluster: LocalCluster, closings: Closing[]) {
  const log = pino({ level: 'silent' })
  const config = readControllerConfig({
    ...environmentOf('controller', cluster.environment),
    KUBECONFIG: await cluster.writeComponentKubeconfig('controller', 'bench'),
    POD_NAMESPACE: HOME,
    POD_NAME: 'bench',
  })
  const parts = { log, timers: systemTimers, closings }
  const adapters = openAdapters(
    'controller',
    openProcessKeyring('controller', config),
    config,
    parts,
  )
  const { apiServer } = adapters
  const cases = new ObservedCaseStore(apiServer, log)
  const resources = new KubernetesCaseResources(apiServer, systemTimers)
  const jobs = openJobs(config, parts)
  const retention = new TenantRetention(adapters.tenants, adapters.now)
  const controller = buildController({ ...adapters, cases, jobs, resources, retention })
  closings.unshift(() => controller.stop())
  await controller.start()
  return cases
}

async function compare(cluster: LocalCluster): Promise<RowReport> {
  await endControllers(cluster)
  const closings: Closing[] = []
  const log = pino({ level: 'silent' })
  const tenants = new KubernetesCaseStore(cluster.admin, log)
  const received = new Instants()
  const reconciledMs: number[] = []
  try {
    closings.unshift(await watchPlainly(cluster, received))
    const { begun, written } = await startController(cluster, closings)
    const begunMs = async () => {
      const starts: number[] = []
      const ends = await latencies(TENANT, tenants, async (caseId) => {
        const askedMs = performance.now()
        void begun.next(caseId).then(
          (atMs) => starts.push(atMs - askedMs),
          () => undefined,
        )
        return written.next(caseId)
      })
      reconciledMs.push(...ends)
      return quantile(starts, 0.5)
    }
    const times = await alternate({
      floor: async () => {
        const all = await latencies(OTHER_TENANT, tenants, (caseId) => received.next(caseId))
        return quantile(all, 0.5)
      },
      begun: begunMs,
    })
    return reportOf(times, reconciledMs)
  } finally {
    await closeInTurn(closings, log)
  }
}

function reportOf(times: { floor: number; begun: number }, reconciledMs: number[]): RowReport {
  const until = (share: number) => quantile(reconciledMs, share).toFixed(1)
  return {
    measured:
      `${times.begun.toFixed(2)} ms to the first reconcile (bare watch ${times.floor.toFixed(2)} ` +
      `ms); status written after ${until(0.5)} ms, p99 ${until(0.99)} ms`,
    figures: [
      {
        of: '× the bare watch',
        value: times.begun / times.floor,
        better: 'less',
        must: 2,
        aim: 1.2,
      },
    ],
  }
}

export async function watch(): Promise<RowReport> {
  return onCluster({ workers: [] }, compare)
}
