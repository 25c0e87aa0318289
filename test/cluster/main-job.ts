/** The main job on a cluster whose worker runs on one runtime. */
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { Child } from '../../dev/local-cluster/child.ts'
import type { LocalCluster } from '../../dev/local-cluster/local.ts'
import { listPrograms } from '../../dev/local-cluster/programs.ts'
import { withLocalCluster, type TestCluster } from '../fixtures/local-cluster.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { erasedOn } from './erased.ts'

const TRAIL = [
  'case.created',
  'participant.created',
  'participant.created',
  'document.uploaded',
  'participant.consented',
  'participant.signed',
  'participant.consented',
  'participant.signed',
  'participant.certificate_issued',
  'participant.certificate_issued',
  'participant.signature_applied',
  'participant.signature_applied',
  'case.finalised',
  'case.completed',
]

const OF_API = [
  /^sigcase_http_requests_total\{method="POST",route="\/cases",status="2xx"\} [1-9]/m,
  /^sigcase_http_request_duration_seconds_count\{method="POST",route="\/cases"\} [1-9]/m,
  /^sigcase_dependency_call_duration_seconds_count\{system="api-server",operation="POST"/m,
  /^sigcase_kiosk_streams 0$/m,
]
const OF_CONTROLLERS = [
  /^sigcase_controller_leads 1$/m,
  /^sigcase_reconcile_duration_seconds_count\{result="succeeded"\} [1-9]/m,
  /^sigcase_cases\{phase="NEW"\} \d/m,
]
const LIST_EXPIRY = /^sigcase_revocation_list_expiry_timestamp_seconds\{authority="issuing"\} \d/m
const LIST_POLL_MS = 1_000
/** A minute and a half, on a machine that does other things too. */
const LIST_TRIES = 90
const OF_WORKERS = [
  'sigcase_jobs{kind="finalise",state="waiting"} 0',
  'sigcase_job_oldest_waiting_seconds{kind="finalise"} 0',
  /^sigcase_job_duration_seconds_count\{kind="finalise",result="succeeded"\} [1-9]/m,
  /^sigcase_dependency_call_duration_seconds_count\{system="kms",operation="sign",outcome="ok"\}/m,
  /^sigcase_dependency_call_duration_seconds_count\{system="tsa",operation="stamp",outcome="ok"\}/m,
  /^sigcase_worker_can_sign 1$/m,
  /^sigcase_certificate_expiry_timestamp_seconds\{key="seal"\} \d/m,
  LIST_EXPIRY,
]

/** Asks each process for its health and its metrics. */
function isMeasuredOn(runtime: string, cluster: LocalCluster): void {
  t.test(`${runtime}: health, readiness and metrics of each process`, async (t) => {
    const { api, controllers, workers } = cluster
    for (const child of [api, ...controllers, ...workers]) {
      const origin = new URL(child.options.readyUrl ?? '').origin
      const ask = async (path: string) => {
        const answer = await fetch(origin + path)
        return { status: answer.status, text: await answer.text() }
      }
      t.match(await ask('/healthz'), { status: 200, text: 'ok\n' })
      t.match(await ask('/readyz'), { status: 200 })
      t.equal((await ask('/')).status, 404)
      const isWorker = workers.includes(child)
      let { text } = await ask('/metrics')
      // The worker looks for the first list again after a while.
      for (let left = isWorker ? LIST_TRIES : 0; left > 0 && !LIST_EXPIRY.test(text); left--) {
        await setTimeout(LIST_POLL_MS)
        text = (await ask('/metrics')).text
      }
      t.match(text, /^process_resident_memory_bytes \d+$/m)
      t.match(text, /^sigcase_dependency_call_duration_seconds_count\{system="objects",/m)
      const expected = isWorker ? OF_WORKERS : child === api ? OF_API : OF_CONTROLLERS
      for (const series of expected) t.match(text, series)
    }
  })
}

/** Goes after the lists were made. */
function publishesAuthoritiesOn(runtime: string, cluster: TestCluster): void {
  t.test(`${runtime}: the API publishes the authorities that the worker recorded`, async (t) => {
    const answer = await fetch(`${cluster.url}/pki`)
    t.equal(answer.status, 200)
    t.match(await answer.json(), { authorities: [{ name: 'root' }, { name: 'issuing' }] })
  })
}

/** Replaces the worker on Node, until the end of the test file, by one on Deno like it. */
async function replaceByDeno({ folder, workers: [worker] }: TestCluster): Promise<Child> {
  if (!worker) throw new Error('the cluster has no worker')
  const { command: onNode, environment } = worker.options
  const places = {
    bundles: dirname(onNode.at(-1) ?? ''),
    readerSocket: environment.READER_SOCKET ?? '',
  }
  const { workers } = listPrograms({ folder, workers: ['deno'] }, places)
  const [{ name, command } = { name: '', command: [] }] = workers
  const log = join(folder, `${name}.log`)
  const onDeno = new Child({ ...worker.options, name, command, log })
  t.teardown(async () => {
    await onDeno.end()
    worker.start()
    await worker.ready()
  })
  await worker.end()
  onDeno.start()
  await onDeno.ready()
  return onDeno
}

/** Declares the tests of a file: Node and Deno are to do the same. */
export async function mainJobOn(runtime: 'node' | 'deno'): Promise<void> {
  t.setTimeout(600_000)
  await withLocalCluster({ workers: ['node'] }, async (shared) => {
    const cluster =
      runtime === 'node' ? shared : { ...shared, workers: [await replaceByDeno(shared)] }
    t.test(`the main job with a worker on ${runtime}`, async (t) => {
      const client = await cluster.client(60_000)
      const { case: created, upload } = await client.create('Contract', [{}, {}], {
        quickSign: true,
      })
      await client.upload(upload.url, await smallDocument())
      const open = await client.untilNot('NEW', created.id)
      t.equal(open.status, 'IN_PROGRESS')
      for (const { signerUrl } of open.participants) {
        t.equal((await client.sign(signerUrl)).status, 200)
      }
      const done = await client.untilNot('IN_PROGRESS', created.id)
      t.equal(done.status, 'DONE')
      t.equal(done.signedDocument?.level, 'PAdES-BASELINE-LTA')
      t.same(
        (await client.events(created.id)).map(({ type }) => type),
        TRAIL,
      )
      const signed = await client.download(done.signedDocument?.url ?? '')
      t.equal(signed.length, done.signedDocument?.size)
    })

    erasedOn(runtime, cluster)

    isMeasuredOn(runtime, cluster)

    publishesAuthoritiesOn(runtime, cluster)

    t.test(`${runtime}: a worker drains on SIGTERM`, async (t) => {
      const client = await cluster.client()
      const [worker] = cluster.workers
      const made = await Promise.all(
        Array.from({ length: 5 }, () => client.create('Contract', [{}], { quickSign: true })),
      )
      const document = await smallDocument()
      await Promise.all(made.map(({ upload }) => client.upload(upload.url, document)))
      t.equal(await worker?.end('SIGTERM'), 0)
      t.match(worker?.output(), /"msg":"drained"/)
      worker?.start()
      await worker?.ready()
      for (const { case: one } of made) {
        t.equal((await client.untilNot('NEW', one.id, 60_000)).status, 'IN_PROGRESS')
      }
    })

    t.test(`${runtime}: no component asked for more than its role allows`, async (t) => {
      t.same(cluster.logged(/is forbidden: /), [])
    })
  })
}
