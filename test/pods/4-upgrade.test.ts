/** An upgrade while cases run: nothing is lost. */
import t from 'tap'
import { installChart, INSTALL_LIMIT, RELEASE } from '../../dev/pods/release.ts'
import { cluster, kubectl, NAMESPACE, POD_LIMIT_MS, runCase, untilReady } from './cases.ts'
import { startProbe } from './probe.ts'

const CASES = 3
/** The upgrade takes most of a minute, at 20 requests a second. */
const MINIMUM_REQUESTS = 300
const ROLLOUTS = 3
const ROLLOUT_REQUESTS = 1_000

interface Revision {
  revision: number
  status: string
}

async function revisions(): Promise<Revision[]> {
  const text = await kubectl.helm('history', RELEASE, NAMESPACE, '--output', 'json')
  return JSON.parse(text) as Revision[]
}

/** A changed annotation replaces the pods of these components. */
const REPLACED = ['api', 'worker', 'controller'] as const
const SET = REPLACED.map((component) => `${component}.podAnnotations.changed=${Date.now()}-ms`)

async function uids(): Promise<string[]> {
  const pods = await Promise.all(REPLACED.map((component) => untilReady(component, 2)))
  return pods.flat().map(({ metadata }) => metadata.uid)
}

t.test('cases reach DONE through an upgrade that replaces all pods', async (t) => {
  const before = await uids()
  const probe = startProbe(t)
  const cases = Array.from({ length: CASES }, () => runCase(t))
  const upgrade = installChart({ ...cluster, set: SET })
  const [ids] = await Promise.all([Promise.all(cases), upgrade])
  t.equal(new Set(ids).size, CASES)
  // `helm upgrade` returns when the new pods are ready; the last old ones still end.
  const after = await uids()
  t.same(
    after.filter((uid) => before.includes(uid)),
    [],
    'all of them are new',
  )
  const answers = await probe.stop()
  t.comment(Object.fromEntries(answers))
  t.same([...answers.keys()], ['200'], 'no connection was refused or cut')
  t.ok((answers.get('200') ?? 0) > MINIMUM_REQUESTS)
})

t.test('a rollback takes the value back, and the service works', async (t) => {
  const last = (await revisions()).at(-1)?.revision ?? 0
  await kubectl.helm(
    'rollback',
    RELEASE,
    String(last - 1),
    NAMESPACE,
    '--wait',
    '--timeout',
    INSTALL_LIMIT,
  )
  const values = await kubectl.helm('get', 'values', RELEASE, NAMESPACE, '--output', 'json')
  t.notMatch(values, '-ms"', 'the annotation is gone')
  await runCase(t)
})

t.test(`${ROLLOUTS} rollouts of every component refuse no request`, async (t) => {
  t.setTimeout(ROLLOUTS * POD_LIMIT_MS)
  const deployments = REPLACED.map((component) => `deployment/sigcase-${component}`)
  const probe = startProbe(t)
  for (let rollout = 1; rollout <= ROLLOUTS; rollout++) {
    await kubectl.run('rollout', 'restart', ...deployments, NAMESPACE)
    const limit = `--timeout=${POD_LIMIT_MS / 1000}s`
    for (const one of deployments) await kubectl.run('rollout', 'status', one, NAMESPACE, limit)
    await uids()
  }
  const answers = await probe.stop()
  t.comment(Object.fromEntries(answers))
  t.same([...answers.keys()], ['200'], 'no connection was refused or cut')
  t.ok((answers.get('200') ?? 0) > ROLLOUT_REQUESTS)
  await runCase(t)
})
