/**
 * Keeps `CASES` (4) cases in flight while parts of the cluster fail: each ends as it should. An
 * outage takes `OUTAGE_SECONDS` (2) seconds; `FAULT` names the one that is tried, all by default.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { openWholeKeyring } from '../../adapters/embedded/keyring.ts'
import { KubernetesCaseStore } from '../../adapters/kubernetes/case-store.ts'
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import { dueWebhooks } from '../../domain/cases/webhooks.ts'
import { decodeJson } from '../../domain/json-object.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { Child } from '../../dev/local-cluster/child.ts'
import { HOME } from '../../dev/local-cluster/programs.ts'
import type { CaseAnswer, Client } from '../e2e/client.ts'
import { seeded, seedOf } from '../e2e/seeded.ts'
import { RESTARTED, TENANT, withLocalCluster, type TestCluster } from '../fixtures/local-cluster.ts'
import { bucketOf } from '../fixtures/bucket.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { wholeTrail } from '../fixtures/whole-trail.ts'

/**
 * With more cases on two cores, most faults would find all of them before signing: the first of ten
 * cases ended only after eight of the ten faults.
 */
const CASES = Number(process.env.CASES ?? 4)
const OUTAGE_MS = Number(process.env.OUTAGE_SECONDS ?? 2) * 1000
const PATIENCE_MS = 300_000 + 10 * OUTAGE_MS
/** A little less than the runner gives a file. */
const LIMIT_MS = 480_000 + 20 * OUTAGE_MS
const POLL_MS = 1_000
const LEASE = `/apis/coordination.k8s.io/v1/namespaces/${HOME}/leases/sigcase-controller`
const KILLS = 5
/** In it cases come as far as signing. */
const BETWEEN_FAULTS_MS = 1_000

t.setTimeout(LIMIT_MS)
const seed = seedOf(process.env)
const random = seeded(seed)

async function paused(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  await setTimeout(OUTAGE_MS)
  process.kill(pid, 'SIGCONT')
}

const CLOCK_SHIFT_MS = 2 * 60 * 1000
const SHIFTED_CLOCK = join(import.meta.dirname, '../fixtures/shifted-clock.ts')
const CLOCK_OUTPUT = /(?<=^the clock says )\S+$/gm

/** A worker starts with a wrong clock. @returns what that clock said, for the output */
async function startWithShift(worker: Child, shiftMs: number): Promise<string> {
  const startedMs = Date.now()
  worker.start({
    CLOCK_SHIFT_MS: String(shiftMs),
    NODE_OPTIONS: `--import=${SHIFTED_CLOCK}`,
  })
  await worker.ready()
  const reported = worker.output().match(CLOCK_OUTPUT)?.at(-1) ?? ''
  // It printed the time at some moment since its start, which takes long on a busy machine.
  const reportedMs = Date.parse(reported) - shiftMs
  if (!(startedMs <= reportedMs && reportedMs <= Date.now())) {
    throw new Error(`the clock of the worker is not off: ${reported || 'it printed nothing'}`)
  }
  await setTimeout(OUTAGE_MS)
  await worker.end()
  return reported
}

/** The clock of a worker is ahead, then behind, and is put right. */
async function clockOff({ workers }: TestCluster): Promise<string> {
  const worker = workers.find(({ options }) => options.name.endsWith('node'))
  if (!worker) throw new Error('no worker on Node')
  await worker.end()
  const ahead = await startWithShift(worker, CLOCK_SHIFT_MS)
  const behind = await startWithShift(worker, -CLOCK_SHIFT_MS)
  worker.start()
  return `its clock said ${ahead}, then ${behind}`
}

/** On a busy machine a short outage may pass before a process asks. */
const MAXIMUM_OUTAGES = 20

/**
 * Takes a service away until it has refused a request.
 *
 * @returns a sentence for the output
 */
async function away({ outside }: TestCluster, service: 'storage' | 'keys'): Promise<string> {
  for (let outages = 1; outages <= MAXIMUM_OUTAGES; outages++) {
    await outside.setAway(service, true)
    await setTimeout(OUTAGE_MS)
    const refused = await outside.setAway(service, false)
    if (refused > 0) return `${refused} requests were refused in outage ${outages}`
  }
  throw new Error(`no request was sent in ${MAXIMUM_OUTAGES} outages`)
}

/** What fails, one after the other; the result of each is printed. */
const FAULTS: Readonly<Record<string, (cluster: TestCluster) => Promise<string | void>>> = {
  async 'Redis is wiped three times'({ redis }) {
    const { createClient } = await import('redis')
    const port = redis.options.command[redis.options.command.indexOf('--port') + 1]
    const client = createClient({ url: `redis://127.0.0.1:${port}` })
    await client.connect()
    for (let wipes = 0; wipes < 3; wipes++) {
      await client.flushAll()
      await setTimeout(OUTAGE_MS / 5)
    }
    client.destroy()
  },
  async 'processes are killed at random'({ api, controllers, workers }) {
    const all = [api, ...controllers, ...workers]
    for (let kills = 0; kills < KILLS; kills++) {
      const child = all[Math.floor(random() * all.length)]
      await child?.end('SIGKILL')
      child?.start()
      await setTimeout(random() * 2_000)
    }
  },
  async 'the leader is paused'({ controllers, admin }) {
    const { spec } = await admin.send<{ spec: { holderIdentity?: string } }>({ path: LEASE })
    const name = spec.holderIdentity?.split('_')[0]
    const leader = controllers.find(({ options }) => options.name === name)
    if (leader?.pid !== undefined) await paused(leader.pid)
  },
  async 'Redis is killed'({ redis }) {
    await redis.end('SIGKILL')
    await setTimeout(OUTAGE_MS)
    redis.start()
  },
  async 'etcd is paused'({ plane }) {
    await paused(plane.pids.etcd)
  },
  async 'the API server is killed'({ plane }) {
    await plane.killApiServer()
    await setTimeout(OUTAGE_MS)
    await plane.restartApiServer()
  },
  'the bucket answers 503': (cluster) => away(cluster, 'storage'),
  'Cloud KMS is unavailable': (cluster) => away(cluster, 'keys'),
  'the clock of a worker is ahead and then behind': clockOff,
}

/** Remembers the ids of webhooks, and lets the first attempt of every third fail. */
async function webhookReceiver(t: Test) {
  const seen = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const { id } = JSON.parse((await buffer(request)).toString()) as { id: string }
    const count = (seen.get(id) ?? 0) + 1
    seen.set(id, count)
    response.writeHead(count === 1 && seen.size % 3 === 0 ? 503 : 204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen }
}

async function drive(client: Client, url: string, pdf: Uint8Array): Promise<CaseAnswer> {
  const created = await client.create('Contract', [{}], { callback: { url, authType: 'NONE' } })
  return client.complete(created, pdf, PATIENCE_MS, POLL_MS)
}

/** Everything that was promised of a case, whatever happened on the way. */
async function assertWhole(
  t: Test,
  end: CaseAnswer,
  {
    cluster,
    seen,
    issued,
  }: {
    cluster: TestCluster
    seen: ReadonlyMap<string, number>
    issued: readonly { sha256: string; caseId: string }[]
  },
): Promise<void> {
  const key: CaseKey = { tenant: TENANT, caseId: end.id }
  const { keyring, objects, cases } = storesOf(cluster)
  await wholeTrail(t, objects, key)
  const made = issued.filter(({ caseId }) => caseId === end.id).map(({ sha256 }) => sha256)
  const expected = [end.signedDocument?.sha256, end.evidenceDocument?.sha256]
  t.same(new Set(made), new Set(expected), 'one signed PDF and its evidence')
  const deadlineMs = Date.now() + PATIENCE_MS
  let value = await cases.get(key)
  const isSettled = () =>
    value?.status?.conditions.some(({ type, status }) => type === 'Settled' && status === 'True')
  while (!isSettled() && Date.now() < deadlineMs) {
    await setTimeout(POLL_MS)
    value = await cases.get(key)
  }
  t.ok(isSettled(), 'no work is pending any more')
  if (!value) return
  const due = dueWebhooks(value, acceptedSignatures(keyring, value))
  t.ok(due.length > 0)
  const lost = due.filter(({ eventId }) => !seen.has(eventId))
  t.same(lost, [], 'every webhook was delivered')
}

function storesOf({ admin, environment }: TestCluster) {
  const keyring = openWholeKeyring(environment.KEYRING_FOLDER ?? '')
  const objects = bucketOf(environment)
  return { keyring, objects, cases: new KubernetesCaseStore(admin, { warn: () => {} }) }
}

async function issuedBy(cluster: TestCluster) {
  const { objects } = storesOf(cluster)
  const stats = await objects.list('issued/', { limit: 10_000 })
  return Promise.all(
    stats.map(async ({ key }) => {
      const object = await objects.get(key)
      const { caseId } = decodeJson<CaseKey>(object as NonNullable<typeof object>)
      return { sha256: key.slice('issued/'.length), caseId }
    }),
  )
}

await withLocalCluster(RESTARTED, (cluster) => {
  t.teardown(async () => {
    const { api, controllers, workers } = cluster
    await Promise.all([api, ...controllers, ...workers].map((child) => child.ready()))
  })
  const selected = Object.entries(FAULTS).filter(
    ([name]) => process.env.FAULT === undefined || name.includes(process.env.FAULT),
  )
  t.test(`${CASES} cases end whole though parts of the cluster fail`, async (t) => {
    t.setTimeout(LIMIT_MS)
    t.comment(`SEED=${seed}`)
    const { url, seen } = await webhookReceiver(t)
    const client = await cluster.client(PATIENCE_MS)
    const pdf = await smallDocument()
    const ends: CaseAnswer[] = []
    const over = new AbortController()
    // A client that ends a case begins another: every fault finds as many in flight.
    const lane = async () => {
      do ends.push(await drive(client, url, pdf))
      while (!over.signal.aborted)
    }
    const running = Promise.all(Array.from({ length: CASES }, lane))
    running.catch(() => undefined)
    const startedMs = performance.now()
    for (const [name, fail] of selected) {
      await setTimeout(BETWEEN_FAULTS_MS)
      t.comment(`${name}: ${ends.length} cases were done`)
      const reported = await fail(cluster)
      t.comment(`${name}: over, ${ends.length} were done${reported ? `; ${reported}` : ''}`)
    }
    over.abort()
    await running
    t.comment(`${Math.round(performance.now() - startedMs)} ms`)
    t.same(
      ends.filter(({ status }) => status !== 'DONE').map(({ id, status }) => ({ id, status })),
      [],
      'every case is DONE',
    )
    const issued = await issuedBy(cluster)
    for (const end of ends) {
      await t.test(`case ${end.id}`, (t) => assertWhole(t, end, { cluster, seen, issued }))
    }
  })
})
