/** Timers and what a tenant asks beyond the specification, over HTTP, with restarts in between. */
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { mailFolder } from '../../runtime/embedded/paths.ts'
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  openFreshWorld,
  openWorld,
  person,
  type Json,
  type World,
} from '../conformance/world.ts'
import { restartable } from './restartable.ts'

const UNSIGNED = 'unsigned@example.com'
const SIGNER = 'signer@example.com'
const SILENT = 'silent@example.com'

const field = (id: string, y: number) => [
  { id, page: 1, x: 72, y, width: 200, height: 60, unit: 'pt' },
]
const people = () => [
  person({ email: UNSIGNED, language: 'en', signatureFields: field('f1', 500) }),
  person({ email: SIGNER, language: 'en', signatureFields: field('f2', 400) }),
  person({ email: SILENT, language: 'en', notify: false, signatureFields: field('f3', 300) }),
]

/** Its mails are counted before the first is sent. */
async function mailing(t: Test) {
  const world = await restartable(t)
  await mkdir(mailFolder(world.folder))
  return world
}

const SUBJECT = /^Subject: (.*?):/m
/** The kinds of mail that an address got, in order of the alphabet: files have no other. */
const kinds = async (world: World, to: string) =>
  (await world.mails(to)).map((mail) => SUBJECT.exec(mail)?.[1] ?? '').sort()
const untilKinds = (world: World, to: string, expected: readonly string[]) =>
  world.until(`${expected.join()} to ${to}`, async () => {
    const got = await kinds(world, to)
    return got.length >= expected.length ? got : undefined
  })

/** The trail counts a mail, and its day, once it was sent; the mail is there before that. */
const untilInvited = (world: World, caseId: string, count: number) =>
  world.until(`invitation ${count}`, async () => {
    const events = await world.events(caseId)
    const invited = events.filter(({ type }) => type === 'participant.invited')
    return invited.length >= count ? invited : undefined
  })

t.test('reminders and expiry come on their days, also over a restart', async (t) => {
  const { clock, start, stop } = await mailing(t)
  let world = await start()
  const { id, participants } = await world.inProgress({
    title: 'Lease',
    participants: people(),
    reminders: { afterDays: [1, 2, 3, 30] },
    validUntil: world.from(5 * DAY_MS),
  })
  await untilKinds(world, UNSIGNED, ['Please sign'])
  await untilKinds(world, SIGNER, ['Please sign'])
  await untilInvited(world, id, 2)
  t.equal((await world.sign(participants[1])).status, 200)

  clock.pass(DAY_MS + MINUTE_MS)
  t.same(await untilKinds(world, UNSIGNED, ['', '']), ['Please sign', 'Reminder to sign'])
  await untilInvited(world, id, 3)
  await stop()
  clock.pass(2 * DAY_MS)
  world = await start()
  await untilKinds(world, UNSIGNED, ['', '', ''])
  await untilInvited(world, id, 4)
  await stop()
  clock.pass(2 * DAY_MS)
  world = await start()
  const expired = await world.untilStatus(id, 'EXPIRED')
  t.equal(expired.expiredAt, expired.validUntil)
  await untilKinds(world, SIGNER, ['', ''])
  await world.untilEvent(id, 'case.expired')
  t.same(await untilKinds(world, UNSIGNED, ['', '', '', '']), [
    'Deadline passed',
    'Please sign',
    'Reminder to sign',
    'Reminder to sign',
  ])
  const ofSigner = await kinds(world, SIGNER)
  t.same(ofSigner, ['Deadline passed', 'Please sign'], 'who signed is not reminded')
  t.same(await world.mails(SILENT), [], 'notify is false')
  const invited = await untilInvited(world, id, 4)
  const occasions = invited.map(({ data }: Json) => data.reminder ?? 'invitation')
  t.same(
    occasions.reverse().sort(),
    [1, 3, 'invitation', 'invitation'],
    'of missed days only the last',
  )
})

t.test('a new upload URL works after the first is over, also after a restart', async (t) => {
  const { clock, start, stop } = await mailing(t)
  let world = await start()
  const created = await world.create()
  const { id } = created.case
  clock.pass(3 * HOUR_MS)
  await stop()
  world = await start()
  const renew = () => world.asTenant('POST', `/cases/${id}/upload`)
  const renewed = await renew()
  t.equal(renewed.status, 200)
  t.same(Object.keys(renewed.json), ['upload'])
  t.equal(await world.upload({ case: created.case, ...renewed.json }), 200)
  await world.untilStatus(id, 'IN_PROGRESS')
  const { status, json } = await renew()
  t.equal(status, 409)
  t.match(json, { code: 'DOCUMENT_ALREADY_UPLOADED', status: 'IN_PROGRESS' })
})

t.test(
  'a quick-sign case mails no one until the tenant asks, and five times an hour',
  async (t) => {
    const { clock, start, stop } = await mailing(t)
    let world = await start()
    const participants = [person({ email: UNSIGNED, language: 'en', notify: false })]
    const definition = { quickSign: true, participants, reminders: { afterDays: [0.01] } }
    const { id, participants: known } = await world.inProgress(definition)
    clock.pass(HOUR_MS)
    const invite = () =>
      world.asTenant('POST', `/cases/${id}/participants/${known[0].id}/invitation`)
    await world.inProgress({ participants: [person({ email: SIGNER, language: 'en' })] })
    await untilKinds(world, SIGNER, ['Please sign'])
    t.same(await world.mails(UNSIGNED), [], 'who comes later was mailed before')
    const answers = await Promise.all(Array.from({ length: 9 }, invite))
    t.equal(answers.filter(({ status }) => status === 202).length, 5)
    const mails = await untilKinds(world, UNSIGNED, ['', '', '', '', ''])
    t.same(new Set(mails), new Set(['Please sign']))
    await stop()
    world = await start()
    const { status, json } = await invite()
    t.equal(status, 429, 'a restart opens no limit')
    t.match(json, { code: 'INVITATION_RATE_LIMITED' })
    clock.pass((json.retryAfterSeconds + 1) * 1000)
    t.equal((await invite()).status, 202)
    await untilKinds(world, UNSIGNED, ['', '', '', '', '', ''])
    const invited = (await world.events(id)).filter(({ type }) => type === 'participant.invited')
    t.same([...new Set(invited.map(({ actor }) => actor))], ['tenant'])
  },
)

t.test('one Idempotency-Key makes one case, also at once and over a restart', async (t) => {
  const { clock, start, stop } = await mailing(t)
  let world = await start()
  const headers = { 'idempotency-key': randomUUID() }
  const body = { title: 'Lease', validUntil: world.from(DAY_MS), participants: [person()] }
  const create = (more: Record<string, unknown> = {}) =>
    world.asTenant('POST', '/cases', { headers, body: { ...body, ...more } })
  const [first, ...others] = await Promise.all(Array.from({ length: 10 }, () => create()))
  t.ok(others.every(({ status, json }) => status === 200 && json.case.id === first!.json.case.id))
  await stop()
  clock.pass(2 * HOUR_MS)
  world = await start()
  const again = await create()
  t.equal(again.json.case.id, first?.json.case.id)
  t.equal(await world.upload(again.json), 200, 'its URL is a fresh one')
  await world.untilStatus(again.json.case.id, 'IN_PROGRESS')
  const refused = await create({ title: 'Another' })
  t.equal(refused.status, 409)
  t.match(refused.json, { code: 'IDEMPOTENCY_KEY_REUSED' })
  t.notOk('upload' in (await create()).json)
  const listed = await world.asTenant('GET', '/cases')
  t.equal(listed.json.cases.length, 1)
})

t.test('cases are listed by status and page', async (t) => {
  const world = await openFreshWorld(t)
  for (let count = 0; count < 3; count++) await world.create()
  const { id } = await world.inProgress()
  const list = async (query: string) => (await world.asTenant('GET', `/cases?${query}`)).json
  t.match((await list('status=IN_PROGRESS')).cases, [{ id, status: 'IN_PROGRESS' }])
  const first = await list('status=NEW&limit=2')
  const rest = await list(`status=NEW&limit=2&cursor=${first.nextCursor}`)
  t.equal(first.cases.length + rest.cases.length, 3)
  t.equal(rest.nextCursor, undefined)
  world.clock.pass(2 * DAY_MS)
  t.equal((await list('status=EXPIRED')).cases.length, 4)
  const strange = await world.asTenant('GET', `/cases?status=DONE&cursor=${first.nextCursor}`)
  t.match(strange.json, { code: 'INVALID_CURSOR' })
})

t.test('public routes and tenants are throttled as configured', async (t) => {
  const limits = { PUBLIC_REQUESTS_PER_MINUTE: '20', TENANT_REQUESTS_PER_MINUTE: '30' }
  const world = await openWorld(t, limits)
  const many = async (count: number, ask: () => ReturnType<World['ask']>) =>
    (await Promise.all(Array.from({ length: count }, ask))).filter(({ status }) => status === 429)
  const path = `/participant/${randomUUID()}/caseDefinition`
  // However the minute falls, more than twice the limit cannot pass.
  for (const [ask, limit] of [
    [() => world.ask('GET', path, { token: 'x' }), 20],
    [() => world.asTenant('GET', '/cases'), 30],
  ] as const) {
    const refused = await many(limit * 3, ask)
    t.ok(refused.length >= limit)
    t.same(Object.keys(refused[0]?.json), ['message'])
    t.ok(Number(refused[0]?.headers.get('retry-after')) > 0)
    world.clock.pass(MINUTE_MS)
    t.not((await ask()).status, 429)
  }
})
