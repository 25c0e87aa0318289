/**
 * Ended cases leave etcd, an index of cases finds them, and both can be lost and made again, by
 * docs/how-to/archive-cases.md and docs/how-to/index-cases.md.
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { installChart } from '../../dev/pods/release.ts'
import type { CaseAnswer } from '../e2e/client.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import {
  answers,
  ARCHIVE_AT_ONCE,
  ask,
  erase,
  find,
  operate,
  phaseOf,
  untilArchived,
  untilSettled,
} from './archived.ts'
import { cluster, kubectl, NAMESPACE, until, untilWhole } from './cases.ts'
import { patientClient } from './load.ts'
import { loseServer, rebuildIndex, removeIndex, setUpIndex, startServer } from './postgres.ts'
import { deliveries, RECEIVER_URL, startReceiver } from './receiver.ts'

const LIMIT_MS = 900_000
const CASE_LIMIT_MS = 240_000
const POLL_MS = 1_000
const WEBHOOKS = 2
const COMPONENTS = ['api', 'controller'] as const

const webhooksOf = async (id: string) =>
  (await deliveries()).filter(({ caseId }) => caseId === id).length

t.setTimeout(5 * LIMIT_MS)
await untilWhole()
await startReceiver()
const client = await patientClient()
const title = `Archive ${Date.now()}`
const cases: CaseAnswer[] = []
const folder = t.testdir()
const index = await setUpIndex(folder)
t.teardown(async () => {
  await installChart(cluster)
  await untilWhole()
  await removeIndex()
})

const complete = async () => {
  const callback = { url: RECEIVER_URL, authType: 'NONE' }
  const created = await client.create(title, [{}], { callback })
  return client.complete(created, await smallDocument(), CASE_LIMIT_MS, POLL_MS)
}

t.test('the index finds cases, also those that exist already', { timeout: LIMIT_MS }, async (t) => {
  cases.push(await complete())
  t.equal(await find(client, title), 'INDEX_REQUIRED', 'without an index')
  await installChart({ ...cluster, valueFiles: [index] })
  await untilWhole()
  cases.push(await complete())
  const newestFirst = cases.map(({ id }) => id).toReversed()
  await until('both rows', async () =>
    (await find(client, title)).length === cases.length ? true : undefined,
  )
  t.same(await find(client, title), newestFirst)
  for (const name of COMPONENTS) {
    const program = ['node', 'runtime/dist/sigcase.js', 'doctor', '--process', name]
    const output = await kubectl.run('exec', NAMESPACE, `deploy/sigcase-${name}`, '--', ...program)
    t.match(output, /index of cases.*may read and write rows/, name)
  }
})

const assertAs = async (t: Test, before: Map<string, unknown>) => {
  for (const one of cases) t.same(await answers(client, one), before.get(one.id))
  t.same(await find(client, title), cases.map(({ id }) => id).toReversed(), 'in the index')
}
const before = new Map<string, unknown>()

t.test('ended cases leave etcd, and answers stay', { timeout: LIMIT_MS }, async (t) => {
  for (const one of cases) {
    await untilSettled(one)
    before.set(one.id, await answers(client, one))
  }
  const archiving = join(folder, 'archive.yaml')
  writeFileSync(archiving, ARCHIVE_AT_ONCE)
  await installChart({ ...cluster, valueFiles: [index, archiving] })
  for (const { id } of cases) await untilArchived(id)
  await assertAs(t, before)
  const [{ signedDocument, participants }] = cases as [CaseAnswer]
  const { signedDocument: kept } = await client.get(cases[0]?.id ?? '')
  const pdf = new Uint8Array(await (await fetch(kept?.url ?? '')).arrayBuffer())
  t.equal(createHash('sha256').update(pdf).digest('hex'), signedDocument?.sha256)
  const again = await client.sign(participants[0]?.signerUrl ?? '')
  t.equal(again.status, 409, 'the link of a participant leads to the case')
})

t.test('archived cases are restored', { timeout: LIMIT_MS }, async (t) => {
  // A right of the controller that it keeps when no further cases are archived.
  await installChart({ ...cluster, valueFiles: [index] })
  await untilWhole()
  const [first, second] = cases as [CaseAnswer, CaseAnswer]
  t.equal(await operate('restore', second.id), `${second.id} is restored\n`)
  t.equal(await phaseOf(second.id), 'DONE')
  await assertAs(t, before)
  await untilSettled(second)
  t.equal(await operate('archive', second.id), `${second.id} is archived\n`)
  t.equal(await phaseOf(second.id), '')

  t.equal(await webhooksOf(first.id), WEBHOOKS)
  const delivery = (await deliveries()).find(({ caseId }) => caseId === first.id)
  const eventId = delivery?.id ?? ''
  const path = `/cases/${first.id}/deliveries/${eventId}/redeliver`
  t.equal((await ask(client, 'POST', path)).status, 202)
  await until('the redelivery', async () =>
    (await webhooksOf(first.id)) > WEBHOOKS ? true : undefined,
  )
  t.equal(await phaseOf(first.id), 'DONE', 'the case is a resource again')
})

t.test('the service works without its database', { timeout: LIMIT_MS }, async (t) => {
  await loseServer()
  const made = await complete()
  t.equal(made.status, 'DONE')
  t.equal(await find(client, title), 'TIMEOUT')
  t.equal((await client.get(cases[1]?.id ?? '')).status, 'DONE', 'an archived case by its id')
  cases.push(made)

  await startServer()
  t.match(await rebuildIndex(), /^The index has \d+ cases\.$/m)
  const newestFirst = cases.map(({ id }) => id).toReversed()
  await until('the rows', async () => {
    const found = await find(client, title)
    return found.length === newestFirst.length ? true : undefined
  })
  t.same(await find(client, title), newestFirst, 'with the archived case')
})

t.test('an archived case is restored and erased', { timeout: LIMIT_MS }, async (t) => {
  const [, { id }] = cases as [CaseAnswer, CaseAnswer]
  await operate('restore', id)
  await erase(id)
  t.notOk((await client.get(id)).signedDocument?.url)
  await until('the search does not find it', async () =>
    (await find(client, title)).includes(id) ? undefined : true,
  )
})
