/** An upgrade while cases run: nothing is lost. */
import t from 'tap'
import { installChart, RELEASE } from '../../tools/pods/release.ts'
import { cluster, kubectl, NAMESPACE, runCase, untilReady } from './cases.ts'

const CASES = 3

interface Revision {
  revision: number
  status: string
}

async function revisions(): Promise<Revision[]> {
  const text = await kubectl.helm('history', RELEASE, NAMESPACE, '--output', 'json')
  return JSON.parse(text) as Revision[]
}

t.test('cases reach DONE through an upgrade that replaces every pod', async (t) => {
  const before = await untilReady('worker', 2)
  const cases = Array.from({ length: CASES }, () => runCase(t))
  const upgrade = installChart({ ...cluster, set: ['logLevel=debug'] })
  const [ids] = await Promise.all([Promise.all(cases), upgrade])
  t.equal(new Set(ids).size, CASES)
  const after = await untilReady('worker', 2)
  const kept = after.filter(({ metadata }) => before.some((old) => old.metadata.uid === metadata.uid))
  t.same(kept, [], 'all workers are new')
})

t.test('a rollback takes the value back, and the service works', async (t) => {
  const last = (await revisions()).at(-1)?.revision ?? 0
  await kubectl.helm('rollback', RELEASE, String(last - 1), NAMESPACE, '--wait', '--timeout', '6m')
  const values = await kubectl.helm('get', 'values', RELEASE, NAMESPACE, '--output', 'json')
  t.not((JSON.parse(values) as { logLevel?: string }).logLevel, 'debug')
  await runCase(t)
})
