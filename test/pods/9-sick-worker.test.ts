/** One worker loses its connection to Cloud KMS: it is not ready, and the other one signs. */
import t from 'tap'
import { runInNode } from '../../dev/pods/in-node.ts'
import { BASE_URL } from '../../dev/pods/layout.ts'
import { preparePrograms } from '../../dev/pods/programs.ts'
import { KEYS_PORT } from '../../dev/pods/outside.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { listPods, until, untilReady, untilWhole, type Pod } from './cases.ts'
import { patientClient } from './load.ts'

const LIMIT_MS = 580_000
const CASES = 10
const CASE_LIMIT_MS = 240_000
const POLL_MS = 1_000
const OPERATIONS_PORT = 9090
const TABLE = 'sick_worker'
const WORKERS = 2

const programs = preparePrograms()
const nft = (rules: string) => runInNode(programs, ['nft', rules])

/** Refuses what the pod sends to the emulator of Cloud KMS. */
const cutOff = (address: string) =>
  nft(
    [
      `add table inet ${TABLE}`,
      `add chain inet ${TABLE} forward { type filter hook forward priority -10; }`,
      `add rule inet ${TABLE} forward ip saddr ${address} tcp dport ${KEYS_PORT} reject`,
    ].join('; '),
  )

const addressOf = ({ status }: Pod) => status.podIP ?? ''

const isReady = ({ status }: Pod) => status.containerStatuses?.every(({ ready }) => ready) === true

/** Reads a metric of a worker: the sum over its labels that match. */
async function readMetric(pod: Pod, pattern: RegExp): Promise<number> {
  const response = await fetch(`http://${addressOf(pod)}:${OPERATIONS_PORT}/metrics`)
  const lines = (await response.text()).split('\n').filter((line) => pattern.test(line))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

const CAN_SIGN = /^sigcase_worker_can_sign /
/** Jobs that use the signing keys, by their ends. */
const SIGNING_JOBS = /^sigcase_job_duration_seconds_count\{(?=.*kind="(finalise|trail-seal|crl)")/

/** Whether the API says that signing is available. */
async function isSigning(): Promise<boolean> {
  const response = await fetch(`${BASE_URL}/readyz`)
  const { checks } = (await response.json()) as { checks: { canary: { outcome: string } } }
  return checks.canary.outcome === 'passed'
}

t.test('a worker without keys is not ready, and takes no signing jobs', async (t) => {
  t.setTimeout(LIMIT_MS)
  await untilWhole()
  const [sick, sound] = (await listPods('worker')) as [Pod, Pod]
  await until('both can sign', async () => {
    const values = await Promise.all([sick, sound].map((pod) => readMetric(pod, CAN_SIGN)))
    return values.every((value) => value === 1) ? true : undefined
  })
  await cutOff(addressOf(sick))
  t.teardown(() => nft(`delete table inet ${TABLE}`).catch(() => undefined))
  const startedMs = performance.now()
  await until('the worker is not ready', async () => {
    const found = (await listPods('worker')).find(
      ({ metadata }) => metadata.uid === sick.metadata.uid,
    )
    return found && !isReady(found) ? true : undefined
  })
  t.comment(`not ready after ${Math.round((performance.now() - startedMs) / 1000)} s`)
  t.equal(await readMetric(sick, CAN_SIGN), 0)
  t.equal(await readMetric(sound, CAN_SIGN), 1)
  t.ok(await isSigning(), 'signing is available')

  const before = await readMetric(sick, SIGNING_JOBS)
  const soundBefore = await readMetric(sound, SIGNING_JOBS)
  const client = await patientClient()
  const pdf = await smallDocument()
  const bring = async () =>
    client.complete(await client.create('Contract', [{}]), pdf, CASE_LIMIT_MS, POLL_MS)
  const ended = await Promise.all(Array.from({ length: CASES }, bring))
  t.same([...new Set(ended.map(({ status }) => status))], ['DONE'])
  t.equal(await readMetric(sick, SIGNING_JOBS), before, 'it took no signing job')
  const signed = (await readMetric(sound, SIGNING_JOBS)) - soundBefore
  t.ok(signed >= CASES, `the other one ran ${signed} signing jobs`)
  t.ok(await isSigning(), 'signing is still available')
  const [stays] = (await listPods('worker')).filter(
    ({ metadata }) => metadata.uid === sick.metadata.uid,
  )
  t.notOk(stays && isReady(stays), 'it is still not ready')
  const restarts = stays?.status.containerStatuses?.map(({ restartCount }) => restartCount)
  t.same(
    restarts,
    sick.status.containerStatuses?.map(({ restartCount }) => restartCount),
    'nothing restarted it',
  )

  await nft(`delete table inet ${TABLE}`)
  await untilReady('worker', WORKERS)
  await until('it can sign again', async () =>
    (await readMetric(sick, CAN_SIGN)) === 1 ? true : undefined,
  )
})
