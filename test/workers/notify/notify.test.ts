import { createHash } from 'node:crypto'
import t from 'tap'
import { eventOf } from '../../../domain/audit/entry.ts'
import { RecordingAlarm, testTrail } from '../../fixtures/alarms.ts'
import type { AuditTrail } from '../../../application/audit/trail.ts'
import { mailsWaitKey } from '../../../domain/cases/jobs.ts'
import { readReceipts } from '../../../application/cases/receipts.ts'
import {
  auditFolder,
  auditKey,
  commonReceiptKey,
  outcomeKey,
  receiptFolder,
  receiptKey,
} from '../../../domain/cases/keys.ts'
import { auditEvent, eventId } from '../../../domain/cases/due-audit-events.ts'
import { MAIL_TYPES, recordedMails, type MailType } from '../../../domain/cases/due-mails.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import { MAXIMUM_MAIL_ATTACHMENT_BYTES } from '../../../domain/limits.ts'
import { brandColours } from '../../../domain/tenants/branding.ts'
import { MailRefusedError, type Mail } from '../../../domain/ports/mailer.ts'
import { notify } from '../../../workers/notify/notify.ts'
import { boundsOf } from '../../fixtures/bounds.ts'
import { auditFault } from '../../fixtures/audit-fault.ts'
import { FrozenTimers } from '../../fixtures/frozen-timers.ts'
import { MemoryCaseStore } from '../../fixtures/memory-cases.ts'
import { MemoryEphemeral } from '../../fixtures/memory-ephemeral.ts'
import { MemoryObjectStore } from '../../fixtures/memory-objects.ts'
import { seededHex } from '../../fixtures/seeded-hex.ts'
import {
  CASE_ID,
  CASE_KEY,
  keyring,
  participant,
  signatureCase,
  type CaseOptions,
} from '../../fixtures/signature-case.ts'

const NOTIFICATION = JSON.stringify({ ...CASE_KEY, mayWait: true })

type NotifyDeps = Parameters<typeof notify>[1]

const NOW = '2026-11-02T09:30:00.000Z'
const DAY_MS = 24 * 60 * 60 * 1000
const mailId = (type: MailType, position = 1) =>
  eventId(CASE_ID, `mail.${type}`, participant(position).id)

function world(options: CaseOptions) {
  const timers = new FrozenTimers(NOW)
  const objects = new MemoryObjectStore(timers.now)
  const cases = new MemoryCaseStore()
  cases.seed(signatureCase(options))
  const sent: Mail[] = []
  const warnings: object[] = []
  const deps: NotifyDeps & {
    ephemeral: MemoryEphemeral
    trail: AuditTrail
    alarm: RecordingAlarm
  } = {
    cases,
    objects,
    trail: testTrail(objects, seededHex()),
    keyring,
    alarm: new RecordingAlarm(),
    ephemeral: new MemoryEphemeral(),
    links: {
      mint: async ({ participantId }: { participantId: string }) => `token-of-${participantId}`,
      read: async () => undefined,
    },
    mailer: {
      send: async (mail: Mail) => {
        sent.push(mail)
      },
    },
    baseUrl: 'https://sign.example',
    now: timers.now,
    log: { info: () => {}, warn: (details: object) => void warnings.push(details) },
  }
  const send = (type: MailType, position = 1) =>
    notify({ ...CASE_KEY, eventId: mailId(type, position) }, deps)
  const receipt = (type: MailType, position = 1) =>
    objects.json(receiptKey(CASE_KEY, mailId(type, position)))
  const invitedBefore = (position: number, at = NOW) =>
    deps.trail.append(CASE_KEY, [
      auditEvent(CASE_ID, 'participant.invited', {
        occurredAt: at,
        actor: 'system',
        participantId: participant(position).id,
      }),
    ])
  const invited = async () =>
    (await deps.trail.entries(CASE_KEY)).map(({ participantId }) => participantId)
  return { deps, timers, objects, sent, warnings, send, receipt, invitedBefore, invited }
}

t.test('an invitation is sent with the signing link, and recorded masked', async (t) => {
  const w = world({ phase: 'IN_PROGRESS' })
  await w.send('invitation')
  const { id } = participant(1)
  t.match(w.sent, [{ id: mailId('invitation'), to: { address: 'p1@example.com' }, language: 'sk' }])
  t.ok(w.sent[0]?.text.includes(`https://sign.example/sign/${id}#token-of-${id}`))
  t.same(w.objects.under(receiptFolder(CASE_KEY)), [], 'the entry is the receipt')
  const [entry] = await w.deps.trail.entries(CASE_KEY)
  t.match(entry, { type: 'participant.invited', participantId: id, occurredAt: NOW })
  t.equal(entry?.actor, 'system')
  const opening = await w.deps.trail.opening(CASE_KEY, entry!.eventId)
  t.same(opening?.data?.value, { channel: 'EMAIL', destination: 'p***@e***.com' })
  t.same(w.deps.ephemeral.published, [NOTIFICATION])
})

t.test('a mail has the colour that the tenant chose', async (t) => {
  const w = world({ phase: 'IN_PROGRESS' })
  const colours = brandColours('#ffcc00')
  w.deps.branding = { read: async (tenant) => (tenant === CASE_KEY.tenant ? { colours } : {}) }
  await w.send('invitation')
  t.match(w.sent[0]?.html, `bgcolor="${colours.light.background}"`)
})

t.test('a mail has the time zone that the tenant chose', async (t) => {
  const w = world({ phase: 'IN_PROGRESS' })
  const timeZone = 'America/New_York'
  w.deps.branding = { read: async (tenant) => (tenant === CASE_KEY.tenant ? { timeZone } : {}) }
  await w.send('invitation')
  t.match(w.sent[0]?.text, '(UTC-5)')
})

t.test('a reminder goes out on its day, once, and is recorded as one', async (t) => {
  const invitedAt = '2026-11-01T09:30:00.000Z'
  const w = world({ phase: 'IN_PROGRESS', definition: { reminders: { afterDays: [0.5, 1, 3] } } })
  await w.invitedBefore(1, invitedAt)
  const { id } = participant(1)
  const reminder = (days: number) => eventId(CASE_ID, 'mail.reminder', id, String(days))
  for (const days of [0.5, 1, 1, 3]) await notify({ ...CASE_KEY, eventId: reminder(days) }, w.deps)
  t.match(w.sent, [{ id: reminder(1), language: 'sk', to: { address: 'p1@example.com' } }])
  t.equal(w.sent.length, 1, 'the earlier one is over, the later one is not due')
  t.ok(w.sent[0]?.text.includes(`https://sign.example/sign/${id}#token-of-${id}`))
  t.same(w.objects.under(receiptFolder(CASE_KEY)), [])
  const [, entry, ...more] = await w.deps.trail.entries(CASE_KEY)
  t.same(more, [])
  t.match(entry, { type: 'participant.invited', actor: 'system', occurredAt: NOW })
  const opening = await w.deps.trail.opening(CASE_KEY, entry!.eventId)
  t.equal(auditFault(eventOf(entry!, opening)), undefined)
  const data = { channel: 'EMAIL', destination: 'p***@e***.com', reminder: 1 }
  t.same(opening?.data?.value, data)
})

t.test('an invitation that the tenant asked for is recorded as its doing', async (t) => {
  const w = world({ phase: 'IN_PROGRESS', participants: [participant(1, { notify: false })] })
  const requestId = '0d7a5e7c-5e0d-4a5c-8a55-8f3f1f5d0b02'
  const at = '2026-11-02T09:29:58.000Z'
  const one = (await w.deps.cases.get(CASE_KEY))!
  const { id } = participant(1)
  const request = { requestId, participantId: id, at, ip: '192.0.2.9', userAgent: 'CRM/1' }
  await w.deps.cases.replaceSpec({ ...one, spec: { ...one.spec, invitations: [request] } })
  const asked = eventId(CASE_ID, 'mail.invitation', id, requestId)
  await w.send('invitation')
  t.same(w.sent, [], 'notify is false')
  for (let run = 0; run < 2; run++) await notify({ ...CASE_KEY, eventId: asked }, w.deps)
  t.equal(w.sent.length, 1)
  const [entry, ...more] = await w.deps.trail.entries(CASE_KEY)
  t.same(more, [])
  t.match(entry, { type: 'participant.invited', actor: 'tenant', occurredAt: NOW })
  const opening = await w.deps.trail.opening(CASE_KEY, entry!.eventId)
  t.equal(auditFault(eventOf(entry!, opening)), undefined)
  t.equal(opening?.ip?.value, '192.0.2.9')
  const data = { channel: 'EMAIL', destination: 'p***@e***.com', requestedAt: at }
  t.same(opening?.data?.value, data)
})

t.test('every mail goes out in the name of its sender, and answers go there', async (t) => {
  const sender = { name: 'ACME, a. s.', replyTo: 'zmluvy@acme.example' }
  const sent: Mail[] = []
  for (const [phase, type] of [
    ['IN_PROGRESS', 'invitation'],
    ['IN_PROGRESS', 'reminder'],
    ['DONE', 'completion'],
    ['CANCELLED', 'cancellation'],
    ['EXPIRED', 'expiry'],
    ['FAILED', 'failure'],
  ] as const) {
    const definition = { sender, reminders: { afterDays: [1] } }
    const w = world({ phase, definition, signed: phase === 'DONE' ? 2 : 0 })
    if (type !== 'invitation') await w.invitedBefore(1, '2026-11-01T09:00:00.000Z')
    const id = type === 'reminder' ? '1' : undefined
    const event = eventId(CASE_ID, `mail.${type}`, participant(1).id, id)
    await notify({ ...CASE_KEY, eventId: event }, w.deps)
    sent.push(...w.sent)
  }
  t.equal(sent.length, MAIL_TYPES.length)
  for (const { fromName, replyTo } of sent) {
    t.equal(fromName, sender.name)
    t.same(replyTo, { name: sender.name, address: sender.replyTo })
  }
})

t.test('an invitation that the trail records is not sent again', async (t) => {
  const w = world({ phase: 'IN_PROGRESS' })
  await w.send('invitation')
  await w.send('invitation')
  t.equal(w.sent.length, 1)
})

t.test('an invitation that was sent without its entry is sent again', async (t) => {
  const w = world({ phase: 'IN_PROGRESS' })
  w.objects.beforePut = (key) => {
    if (key.startsWith(auditFolder(CASE_KEY))) throw new Error('killed')
  }
  await t.rejects(w.send('invitation'), { message: 'killed' })
  w.objects.beforePut = undefined
  await w.send('invitation')
  t.equal(w.sent.length, 2)
  t.equal(w.sent[0]?.id, w.sent[1]?.id)
  t.equal((await w.deps.trail.entries(CASE_KEY)).length, 1)
})

t.test('no one is invited while the trail cannot record it', async (t) => {
  const w = world({ phase: 'IN_PROGRESS' })
  w.objects.upload(auditKey(CASE_KEY, 1), new Uint8Array(1))
  await t.rejects(w.send('invitation'), { name: 'AuditTrailError' })
  t.same(w.sent, [])
})

t.test('an invitation reads no receipt and lists nothing that is known', async (t) => {
  const w = world({ phase: 'IN_PROGRESS' })
  await w.invitedBefore(2)
  const requests: string[] = []
  const { stat, list } = w.deps.objects
  w.deps.objects.stat = (key) => (requests.push(key), stat.call(w.objects, key))
  w.deps.objects.list = (...args) => (requests.push(args[0]), list.apply(w.objects, args))
  await w.send('invitation')
  t.same(requests, [])
  t.same(await w.invited(), [participant(2).id, participant(1).id])
})

t.test('a mailer that refuses leaves no entry', async (t) => {
  const w = world({ phase: 'IN_PROGRESS' })
  w.deps.mailer.send = async () => {
    throw new Error('mailbox unavailable')
  }
  await t.rejects(w.send('invitation'))
  t.same(await w.deps.trail.entries(CASE_KEY), [])
})

t.test('a mail that is refused for good is not sent again, and the case settles', async (t) => {
  const w = world({ phase: 'IN_PROGRESS' })
  let attempts = 0
  w.deps.mailer.send = async () => {
    attempts++
    throw new MailRefusedError('no such mailbox', 550)
  }
  await w.send('invitation')
  await w.send('invitation')
  t.equal(attempts, 1)
  const [entry, ...more] = await w.deps.trail.entries(CASE_KEY)
  t.same(more, [])
  t.match(entry, { type: 'participant.invited', actor: 'system', occurredAt: NOW })
  const opening = await w.deps.trail.opening(CASE_KEY, entry!.eventId)
  t.same(
    opening?.data?.value,
    { channel: 'EMAIL', destination: 'p***@e***.com', refused: 'recipient', answer: 550 },
    'the tenant reads why the participant was not invited',
  )
  t.equal(w.warnings.length, 1, 'the operator is notified')
  t.same(w.deps.ephemeral.published, [NOTIFICATION], 'the controller is notified')
})

t.test('who has signed meanwhile is not invited any more', async (t) => {
  const w = world({ phase: 'IN_PROGRESS', signed: 1 })
  await w.send('invitation')
  t.same(w.sent, [])
})

t.test('the completion mail carries the signed document up to 5 MB', async (t) => {
  for (const [size, attached] of [
    [MAXIMUM_MAIL_ATTACHMENT_BYTES, true],
    [MAXIMUM_MAIL_ATTACHMENT_BYTES + 1, false],
  ] as const) {
    const bytes = new Uint8Array(size)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const signedDocument = { sha256, size, level: 'PAdES-BASELINE-LTA' }
    const w = world({ phase: 'DONE', signed: 2, status: { signedDocument } })
    w.objects.upload(outcomeKey(CASE_KEY), bytes)
    await w.send('completion', 2)
    const [mail] = w.sent
    t.equal(mail?.attachments?.[0]?.bytes.length, attached ? size : undefined)
    t.match(w.receipt('completion', 2), { type: 'completion' })
    t.equal((await w.deps.trail.entries(CASE_KEY)).length, 0)
  }
})

t.test('a PDF that is not the signed one goes with no mail', async (t) => {
  const signedDocument = { sha256: 'a'.repeat(64), size: 4, level: 'PAdES-BASELINE-LTA' }
  const w = world({ phase: 'DONE', signed: 2, status: { signedDocument } })
  w.objects.upload(outcomeKey(CASE_KEY), new Uint8Array(4))
  await w.send('completion', 2)
  t.equal(w.sent.length, 1)
  t.equal(w.sent[0]?.attachments, undefined)
  t.same(w.deps.alarm.names(), ['outcome otherDocument'])
})

t.test('where a second factor guards the document, no mail carries it', async (t) => {
  for (const definition of [{ multiFactorType: 'EMAIL' as const }, { pinRequired: true }]) {
    const signedDocument = { sha256: 'a'.repeat(64), size: 4, level: 'PAdES-BASELINE-LTA' }
    const w = world({ phase: 'DONE', signed: 2, definition, status: { signedDocument } })
    w.objects.upload(outcomeKey(CASE_KEY), new Uint8Array(4))
    await w.send('completion', 2)
    t.equal(w.sent[0]?.attachments, undefined)
    t.match(w.sent[0]?.text, `https://sign.example/sign/${participant(2).id}#token-of-`)
  }
})

t.test('cancellation and expiry reach those who were invited', async (t) => {
  const cancelled = world({ phase: 'CANCELLED', cancellation: { at: NOW, reason: 'omyl' } })
  await cancelled.invitedBefore(1)
  await cancelled.send('cancellation', 1)
  await cancelled.send('cancellation', 2)
  t.match(cancelled.sent, [{ to: { address: 'p1@example.com' } }])
  const expired = world({ phase: 'EXPIRED' })
  await expired.invitedBefore(2)
  await expired.send('expiry', 1)
  await expired.send('expiry', 2)
  t.match(expired.sent, [{ to: { address: 'p2@example.com' } }])
})

t.test('a mail about a case whose trail is broken is sent once', async (t) => {
  const w = world({ phase: 'FAILED' })
  const unreadable = encodeJson({ entries: [] })
  await w.deps.objects.putIfAbsent(auditKey(CASE_KEY, 1), unreadable, 'application/json')
  for (let run = 0; run < 2; run++) await w.send('failure')
  t.equal(w.sent.length, 1)
  t.ok(w.receipt('failure'))
})

t.test('a mail that follows from no other mail needs no listing', async (t) => {
  const w = world({ phase: 'DONE' })
  w.deps.objects.list = async () => {
    throw new Error('the folder was listed')
  }
  await w.send('completion')
  t.ok(w.receipt('completion'))
})

t.test('mails that a mail server did not take use nothing of the day up', async (t) => {
  const w = world({ phase: 'IN_PROGRESS' })
  w.deps.bounds = boundsOf({ tenantMailsPerDay: 1 }, w.timers.now)
  const { mailer } = w.deps
  w.deps.mailer = {
    send: async () => {
      throw new Error('the mail server is away')
    },
  }
  for (let attempt = 0; attempt < 3; attempt++) await t.rejects(w.send('invitation'), /is away/)
  w.deps.mailer = mailer
  await w.send('invitation')
  t.equal(w.sent.length, 1)
})

t.test('mails beyond those of the day stay due, and the controller is notified', async (t) => {
  const w = world({ phase: 'IN_PROGRESS' })
  w.deps.bounds = boundsOf({ tenantMailsPerDay: 1 }, w.timers.now)
  await w.send('invitation', 1)
  await w.send('invitation', 2)
  await w.send('invitation', 2)
  t.equal(w.sent.length, 1)
  t.same(await w.invited(), [participant(1).id], 'the other is due')
  const day = Math.floor(w.timers.nowMs() / DAY_MS)
  t.equal(await w.deps.ephemeral.get(mailsWaitKey('acme', day)), '1')
  t.match(w.warnings, [{ tenant: 'acme' }])
  await w.timers.moveTo((day + 1) * DAY_MS)
  await w.send('invitation', 2)
  t.equal(w.sent.length, 2)
})

const BOTH = [mailId('invitation', 1), mailId('invitation', 2)] as const
const sendBoth = ({ deps }: ReturnType<typeof world>) =>
  notify({ ...CASE_KEY, eventId: BOTH[0], others: [BOTH[1]] }, deps)

t.test('mails of one job share an append to the trail', async (t) => {
  const w = world({ phase: 'IN_PROGRESS' })
  await sendBoth(w)
  t.same(
    w.sent.map(({ id }) => id),
    BOTH,
  )
  const entries = await w.deps.trail.entries(CASE_KEY)
  t.same(
    entries.map(({ type, participantId }) => [type, participantId]),
    [1, 2].map((number) => ['participant.invited', participant(number).id]),
  )
  t.same(w.objects.under(auditFolder(CASE_KEY)).length, 1)
  const [value] = [(await w.deps.cases.get(CASE_KEY))!]
  t.same([...recordedMails(value, entries).keys()], BOTH)
  await sendBoth(w)
  t.equal(w.sent.length, 2, 'none is sent again')
})

const ENDS = [mailId('completion', 1), mailId('completion', 2)] as const
const sendEnds = ({ deps }: ReturnType<typeof world>) =>
  notify({ ...CASE_KEY, eventId: ENDS[0], others: [ENDS[1]] }, deps)

t.test('mails about the end share a receipt, which the controller finds by its name', async (t) => {
  const w = world({ phase: 'DONE' })
  await sendEnds(w)
  t.same(w.objects.under(receiptFolder(CASE_KEY)), [commonReceiptKey(CASE_KEY, ENDS)])
  t.same([...(await readReceipts(CASE_KEY, w.objects)).keys()], ENDS)
  t.same(w.deps.ephemeral.published, [NOTIFICATION])
  await sendEnds(w)
  t.equal(w.sent.length, 2, 'none is sent again')
})

t.test('a mail that is not accepted does not keep back the others of its job', async (t) => {
  const w = world({ phase: 'DONE' })
  const { send } = w.deps.mailer
  w.deps.mailer.send = async (mail) => {
    if (mail.id === ENDS[0]) throw new Error('the server is busy')
    await send(mail)
  }
  await t.rejects(sendEnds(w), { message: 'the server is busy' })
  t.same([...(await readReceipts(CASE_KEY, w.objects)).keys()], [ENDS[1]])
  const found = JSON.stringify({ ...CASE_KEY, mayWait: true, isListed: true })
  t.same(w.deps.ephemeral.published, [found], 'the controller lists a receipt of another name')
  w.deps.mailer.send = send
  await w.send('completion', 1)
  t.same(
    w.sent.map(({ id }) => id),
    [ENDS[1], ENDS[0]],
    'each was sent once',
  )
})

t.test('an invitation that is not accepted does not keep back the other one', async (t) => {
  const w = world({ phase: 'IN_PROGRESS' })
  const { send } = w.deps.mailer
  w.deps.mailer.send = async (mail) => {
    if (mail.id === BOTH[0]) throw new Error('the server is busy')
    await send(mail)
  }
  await t.rejects(sendBoth(w), { message: 'the server is busy' })
  t.same(await w.invited(), [participant(2).id])
  w.deps.mailer.send = send
  await sendBoth(w)
  t.same(
    w.sent.map(({ id }) => id),
    [BOTH[1], BOTH[0]],
    'each was sent once',
  )
})

t.test('receipts of the former version count for a job with several mails', async (t) => {
  const w = world({ phase: 'DONE' })
  for (const position of [1, 2]) {
    w.objects.upload(receiptKey(CASE_KEY, mailId('completion', position)), encodeJson({}))
  }
  const receipts = await readReceipts(CASE_KEY, w.objects)
  t.same(new Set(receipts.keys()), new Set([1, 2].map((n) => mailId('completion', n))))
})
