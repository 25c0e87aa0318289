/** Ended cases leave the database, and every route answers as before (decision 234). */
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import type { Tombstone } from '../../domain/cases/erasure.ts'
import { archiveKey, tombstoneKey } from '../../domain/cases/keys.ts'
import type { CaseStatus } from '../../domain/cases/status.ts'
import { decodeJson } from '../../domain/json-object.ts'
import { casesPath } from '../../runtime/embedded/paths.ts'
import { HOUR_MS, person, type Json, type World } from '../conformance/world.ts'
import { callTool } from '../fixtures/call-tool.ts'
import { httpReceiver } from '../fixtures/receiver.ts'
import { runTool } from '../fixtures/run-tool.ts'
import { openObjects, TENANT } from './harness.ts'
import { restartable } from './restartable.ts'

t.setTimeout(600_000)

/** A service that archives cases one hour after their end. */
async function archiving(t: Test, more: Record<string, string> = {}) {
  const world = await restartable(t, {
    ARCHIVE_AFTER_HOURS: '1',
    EGRESS_ALLOW: '127.0.0.1/32',
    ...more,
  })
  const { folder } = world
  /** Whether the table of the service has a row for the case. */
  const isLiving = (caseId: string) => {
    const database = new DatabaseSync(casesPath(folder), { readOnly: true })
    const row = database.prepare('SELECT 1 FROM signature_case WHERE case_id = ?').get(caseId)
    database.close()
    return row !== undefined
  }
  /** Whether the controller found that nothing is left to do. */
  const isSettled = (caseId: string) => {
    const database = new DatabaseSync(casesPath(folder), { readOnly: true })
    const row = database.prepare('SELECT status FROM signature_case WHERE case_id = ?').get(caseId)
    database.close()
    const { conditions = [] } = JSON.parse(String(row?.['status'] ?? '{}')) as Partial<CaseStatus>
    return conditions.some(({ type, status }) => type === 'Settled' && status === 'True')
  }
  const hasRecord = async (caseId: string) =>
    (await openObjects(folder).stat(archiveKey({ tenant: TENANT, caseId }))) !== undefined
  return { ...world, isLiving, isSettled, hasRecord }
}

type Archives = Awaited<ReturnType<typeof archiving>>

/** Lets an hour pass, and resyncs until the case has no row any more. */
async function untilArchived({ clock, isLiving }: Archives, world: World, caseId: string) {
  clock.pass(HOUR_MS)
  await world.untilResynced('the archiving', async () => !isLiving(caseId) || undefined)
}

/**
 * Links end at another time in each answer, and have another signature. A restarted service has
 * another port.
 */
const withoutExpiry = (text: string) =>
  text.replaceAll(/([?#])[^"\s]*/g, '$1…').replaceAll(/(127\.0\.0\.1):\d+/g, '$1')

/** The trail without the visits of this test. */
const withoutVisits = ({ events }: Json) =>
  events.filter(({ type }: Json) => !/viewed|downloaded/.test(type))

/** What the routes of a case answer to its tenant and its participant, byte for byte. */
async function answers(world: World, { id, participants }: Json): Promise<Json> {
  const [participant] = participants
  const query = `{ case(id: "${id}") { id status title participants { lastName } } }`
  const found = `cases(search: "${id.slice(0, 8)}", sort: CREATED_DESC)`
  const search = `{ ${found} { cases { id status } } }`
  const all = await Promise.all([
    world.asTenant('GET', `/cases/${id}`),
    world.asTenant('GET', `/cases/${id}/deliveries`),
    world.asTenant('DELETE', `/cases/${id}`),
    world.asTenant('POST', '/graphql', { body: { query } }),
    world.asTenant('POST', '/graphql', { body: { query: search } }),
    world.asTenant('GET', '/cases'),
    world.asTenant('GET', '/cases?status=DONE'),
    world.asTenant('GET', `/cases/${id}`, { token: await world.token('other') }),
    world.asParticipant(participant, 'GET', 'caseDefinition'),
    world.sign(participant, { consent: { textVersion: '2026-11', acceptedAt: participant.at } }),
  ])
  const trail = await world.asTenant('GET', `/cases/${id}/events`)
  return [
    ...all.map(({ status, text }) => [status, withoutExpiry(text)]),
    [trail.status, withoutVisits(trail.json)],
  ]
}

t.test('all routes answer for an archived case as they did before', async (t) => {
  const archives = await archiving(t)
  const world = await archives.start()
  const receiver = await httpReceiver((_request, response) => void response.writeHead(200).end())
  t.teardown(() => receiver.close())
  const callback = { url: `http://127.0.0.1:${receiver.port}/`, authType: 'NONE' }
  const made = await world.done({ callback })
  const { id } = made
  await world.untilEvent(id, 'case.completed')
  const sent = await world.until('the deliveries', async () => {
    const { json } = await world.asTenant('GET', `/cases/${id}/deliveries`)
    const isOver = json.deliveries.every(({ state }: Json) => state === 'delivered')
    return isOver && json.deliveries.length > 0 ? json.deliveries : undefined
  })
  const before = await answers(world, made)
  t.notOk(await archives.hasRecord(id))
  await untilArchived(archives, world, id)
  t.ok(await archives.hasRecord(id))
  t.same(await answers(world, made), before)
  const { signedDocument } = await world.get(id)
  t.equal(await world.digestAt(signedDocument.url), signedDocument.sha256)

  const received = receiver.requests.length
  const [{ eventId }] = sent
  const again = await world.asTenant('POST', `/cases/${id}/deliveries/${eventId}/redeliver`)
  t.equal(again.status, 202, again.text)
  await world.until('the redelivery', async () =>
    receiver.requests.length > received ? true : undefined,
  )
  await untilArchived(archives, world, id)
  const { json } = await world.asTenant('GET', `/cases/${id}/deliveries`)
  const redelivered = json.deliveries.find((one: Json) => one.eventId === eventId)
  t.equal(redelivered.attempts.length, 2)

  await archives.stop()
  const restarted = await archives.start()
  t.notOk(archives.isLiving(id))
  t.match(await restarted.get(id), { id, status: 'DONE' })
})

t.test('a repeated request finds its archived case', async (t) => {
  const archives = await archiving(t)
  const world = await archives.start()
  const headers = { 'idempotency-key': 'archived-once' }
  const body = {
    title: 'Zmluva',
    validUntil: world.from(30 * 24 * HOUR_MS),
    participants: [person()],
  }
  const { json: created } = await world.asTenant('POST', '/cases', { body, headers })
  const { id } = created.case
  await world.asTenant('DELETE', `/cases/${id}`)
  await world.untilStatus(id, 'CANCELLED')
  await untilArchived(archives, world, id)
  const repeated = await world.asTenant('POST', '/cases', { body, headers })
  t.match(repeated.json, { case: { id, status: 'CANCELLED' } })
  t.notOk(archives.isLiving(id))
  const other = await world.asTenant('POST', '/cases', { body: { ...body, title: 'x' }, headers })
  t.equal(other.status, 409)
})

t.test('an archived case is erased when the retention time is over', async (t) => {
  const archives = await archiving(t, { RETENTION_DAYS: '30' })
  const world = await archives.start()
  const { id } = await world.cancelled()
  await world.untilEvent(id, 'case.cancelled')
  await untilArchived(archives, world, id)
  archives.clock.pass(31 * 24 * HOUR_MS)
  const place = tombstoneKey({ tenant: TENANT, caseId: id })
  const tombstone = await world.untilResynced('the erasure', async () => {
    const stored = await openObjects(archives.folder).get(place)
    const found = stored && decodeJson<Tombstone>(stored)
    return found?.erasedAt === undefined ? undefined : found
  })
  t.match(tombstone, { rule: 'retention', retentionDays: 30 })
  t.ok(tombstone.objects.some(({ name }) => name === 'archive.json'))
  t.equal((await world.asTenant('GET', `/cases/${id}`)).status, 404)
})

t.test('commands archive, restore and erase cases while the service is stopped', async (t) => {
  const archives = await archiving(t)
  const { folder, start, stop, isLiving, isSettled } = archives
  const env = { DATA_DIR: folder }
  const tool = (script: string, ...words: string[]) => callTool(`cli/${script}.ts`, words, { env })
  const ownProcess = (script: string, ...words: string[]) =>
    runTool(`cli/${script}.ts`, words, { env })
  let world = await start()
  const first = await world.cancelled()
  const second = await world.cancelled()
  const { case: open } = await world.create()
  for (const { id } of [first, second]) {
    await world.until('the end of all work', async () => isSettled(id) || undefined)
  }
  const before = await answers(world, first)
  t.match(await ownProcess('erase', '--tenant', TENANT, first.id), {
    code: 1,
    stderr: /another service uses .*: stop it first/,
  })
  await stop()

  t.match(await tool('archive', first.id), { code: 2, stderr: /a tenant is needed/ })
  t.match(await tool('archive', '--tenant', TENANT), { code: 2, stderr: /or --all-due/ })
  t.match(await tool('archive', '--all-due'), { code: 2, stderr: /set --after/ })
  const yaml = ['archive', '--all-due', '--after', '0', '-o', 'yaml'] as const
  t.match(await tool(...yaml), { code: 2, stderr: /--output is one of table, json/ })
  t.match(await tool('archive', '--tenant', TENANT, 'x'), { code: 2, stderr: /x is not the id/ })
  t.match(await ownProcess('archive', '--tenant', TENANT, first.id, open.id), {
    code: 1,
    stdout: `${first.id} is archived\n`,
    stderr: new RegExp(`${open.id} has not ended`),
  })
  t.notOk(isLiving(first.id))
  t.match(await tool('archive', '--all-due', '--after', '0'), {
    code: 0,
    stdout: '1 case is archived\n',
  })
  t.notOk(isLiving(second.id))
  t.ok(isLiving(open.id))
  t.match(await tool('archive', '--renew', '--all-due'), { code: 2, stderr: /or --renew, are/ })
  t.match(await tool('archive', '--renew'), { code: 0, stdout: '2 records are renewed\n' })

  const unknown = '7a0f4f6e-2c55-4f0e-9a63-1d2f5c1b8e01'
  t.match(await ownProcess('restore', '--tenant', TENANT, first.id, unknown, open.id), {
    code: 1,
    stdout: `${first.id} is restored\n${open.id} is not archived\n`,
    stderr: `${TENANT} has no case ${unknown}\n`,
  })
  t.ok(isLiving(first.id))
  const both = ['--tenant', TENANT, first.id, unknown, '-o', 'json']
  const { code, stdout, stderr } = await tool('restore', ...both)
  t.equal(code, 1)
  t.same(JSON.parse(stdout), [
    { caseId: first.id, outcome: 'living' },
    { caseId: unknown, outcome: 'absent' },
  ])
  t.equal(stderr, '')
  const named = await tool('archive', '--tenant', TENANT, unknown, '--output', 'json')
  t.same(JSON.parse(named.stdout), [{ caseId: unknown, outcome: 'absent' }])
  t.match(await tool('archive', '--all-due', '--after', '9', '-o', 'json'), {
    code: 0,
    stdout: '{"archived":0}\n',
    stderr: '',
  })
  t.match(await tool('erase', '--tenant', TENANT, second.id), { code: 0 })
  world = await start()
  t.same(await answers(world, first), before)
  await world.until('the erasure', async () => {
    const stored = await openObjects(folder).get(
      tombstoneKey({ tenant: TENANT, caseId: second.id }),
    )
    return stored && decodeJson<Tombstone>(stored).erasedAt
  })
  t.notOk(await archives.hasRecord(second.id))
})
