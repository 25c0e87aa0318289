/**
 * Ended cases leave etcd, an index of cases finds them, and both can be lost and made again, by
 * docs/how-to/archive-cases.md and docs/how-to/index-cases.md.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { BASE_URL, ROOT } from '../../dev/pods/layout.ts'
import { installChart } from '../../dev/pods/release.ts'
import type { CaseAnswer, Client } from '../e2e/client.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { cluster, kubectl, NAMESPACE, TENANT, until, untilWhole } from './cases.ts'
import { patientClient } from './load.ts'
import {
  loseServer,
  rebuildIndex,
  removeIndex,
  runCommands,
  setUpIndex,
  startServer,
} from './postgres.ts'
import { deliveries, RECEIVER_URL, startReceiver } from './receiver.ts'

const LIMIT_MS = 900_000
const CASE_LIMIT_MS = 240_000
const POLL_MS = 1_000
const WEBHOOKS = 2
const COMPONENTS = ['api', 'controller'] as const

const blocksOf = (page: string) =>
  [...readFileSync(join(ROOT, 'docs/how-to', page), 'utf8').matchAll(/^```\w*\n(.*?)^```$/gms)].map(
    ([, block = '']) => block,
  )
/** The values of the page, and its commands; those for a cluster are the last ones. */
const [VALUES = '', COMMANDS = ''] = blocksOf('archive-cases.md')
const RESTORE = COMMANDS.slice(COMMANDS.indexOf('kubectl '))
const [ERASE = ''] = blocksOf('erase-a-case.md')

/** Runs commands of a page for a case of the tenant. */
const runFor = (id: string, commands: string) =>
  runCommands(`id=${id}\n${commands.replaceAll(' acme ', ` ${TENANT} `)}`)

/** The page says that the command is the same for both. */
const operate = (what: 'restore' | 'archive', id: string) =>
  runFor(id, RESTORE.replace(' restore ', ` ${what} `))

/** @returns phase of the resource; an empty text when there is none */
const phaseOf = (id: string) =>
  kubectl.run(
    ...['get', 'signaturecase', id, `--namespace=${TENANT}`, '--ignore-not-found'],
    '--output=jsonpath={.status.phase}',
  )

const untilArchived = (id: string) =>
  until('the resource is gone', async () => ((await phaseOf(id)) === '' ? true : undefined))

/** Links differ in each answer. */
const withoutLinks = (text: string) => text.replaceAll(/([?#])[^"\s]*/g, '$1…')

async function ask(client: Client, method: string, path: string, body?: object) {
  const response = await client.request(method, path, body && { body })
  return { status: response.status, text: withoutLinks(await response.text()) }
}

/** Finds cases by their title, the newest first. @returns ids, or the code of the refusal */
async function find(client: Client, title: string): Promise<string[] | string> {
  const query =
    'query ($search: String) { cases(search: $search, sort: CREATED_DESC) { cases { id } } }'
  // Without patience: it is refused with 503 while there is no database.
  const response = await fetch(`${BASE_URL}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${client.token}` },
    body: JSON.stringify({ query, variables: { search: title } }),
  })
  const { data, errors } = (await response.json()) as {
    data?: { cases: { cases: { id: string }[] } | null } | null
    errors?: { extensions?: { code?: string } }[]
  }
  return data?.cases?.cases.map(({ id }) => id) ?? errors?.[0]?.extensions?.code ?? ''
}

/** What the routes of a case answer to its tenant. */
async function answers(client: Client, { id }: CaseAnswer) {
  const query = `{ case(id: "${id}") { id status title participants { lastName } } }`
  const all = [
    ask(client, 'GET', `/cases/${id}`),
    ask(client, 'GET', `/cases/${id}/events`),
    ask(client, 'GET', `/cases/${id}/deliveries`),
    ask(client, 'DELETE', `/cases/${id}`),
    ask(client, 'POST', '/graphql', { query }),
  ]
  return Promise.all(all)
}

/** Waits until nothing is left to do for the case. */
async function untilSettled({ id }: CaseAnswer): Promise<void> {
  const condition = '{.status.conditions[?(@.type=="Settled")].status}'
  await until('the case is settled', async () => {
    const place = ['signaturecase', id, `--namespace=${TENANT}`, `--output=jsonpath=${condition}`]
    return (await kubectl.run('get', ...place)) === 'True' ? true : undefined
  })
}

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
    const program = ['node', 'cli/sigcase.ts', 'doctor', '--process', name]
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
  writeFileSync(archiving, VALUES.replace('"24"', '"0"'))
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
  await runFor(id, ERASE)
  t.notOk((await client.get(id)).signedDocument?.url)
  await until('the search does not find it', async () =>
    (await find(client, title)).includes(id) ? undefined : true,
  )
})
