import t from 'tap'
import { AuditTrail } from '../../domain/audit/trail.ts'
import { outcomeKey, receiptKey } from '../../domain/cases/keys.ts'
import { eventId, type MailType } from '../../domain/cases/owed.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { MAXIMUM_MAIL_ATTACHMENT_BYTES } from '../../domain/limits.ts'
import { MailRefusedError, type Mail } from '../../domain/ports/mailer.ts'
import { notify } from '../../workers/notify.ts'
import {
  FrozenTimers,
  MemoryCaseStore,
  MemoryEphemeral,
  MemoryObjectStore,
  seededHex,
} from '../fixtures/memory.ts'
import {
  CASE_ID,
  CASE_KEY,
  keyring,
  participant,
  signatureCase,
  type CaseOptions,
} from '../fixtures/signature-case.ts'

const NOW = '2026-11-02T09:30:00.000Z'
const mailId = (type: MailType, position = 1) =>
  eventId(CASE_ID, `mail.${type}`, participant(position).id)

function world(options: CaseOptions) {
  const timers = new FrozenTimers(NOW)
  const objects = new MemoryObjectStore(timers.now)
  const cases = new MemoryCaseStore()
  cases.seed(signatureCase(options))
  const sent: Mail[] = []
  const warnings: object[] = []
  const deps = {
    cases,
    objects,
    trail: new AuditTrail(objects, seededHex()),
    keyring,
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
  const invitedBefore = (position: number) =>
    objects.upload(receiptKey(CASE_KEY, mailId('invitation', position)), encodeJson({}))
  return { deps, objects, sent, warnings, send, receipt, invitedBefore }
}

t.test('an invitation is sent with the signing link, recorded masked, and receipted', async (t) => {
  const w = world({ phase: 'IN_PROGRESS' })
  await w.send('invitation')
  const { id } = participant(1)
  t.match(w.sent, [{ id: mailId('invitation'), to: { address: 'p1@example.com' }, language: 'sk' }])
  t.ok(w.sent[0]?.text.includes(`https://sign.example/sign/${id}#token-of-${id}`))
  t.match(w.receipt('invitation'), { type: 'invitation', participantId: id, sentAt: NOW })
  const [entry] = await w.deps.trail.entries(CASE_KEY)
  t.match(entry, { type: 'participant.invited', participantId: id, occurredAt: NOW })
  t.equal(entry?.actor, 'system')
  const opening = await w.deps.trail.opening(CASE_KEY, entry!.eventId)
  t.same(opening?.data?.value, { channel: 'EMAIL', destination: 'p***@e***.com' })
  t.same(w.deps.ephemeral.rung, [JSON.stringify(CASE_KEY)])
})

t.test('a mail with a receipt is not sent again', async (t) => {
  const w = world({ phase: 'IN_PROGRESS' })
  await w.send('invitation')
  await w.send('invitation')
  t.equal(w.sent.length, 1)
})

t.test('a mail that was sent without its receipt is sent again, and recorded once', async (t) => {
  const w = world({ phase: 'IN_PROGRESS' })
  w.objects.beforePut = (key) => {
    if (key === receiptKey(CASE_KEY, mailId('invitation'))) throw new Error('killed')
  }
  await t.rejects(w.send('invitation'), { message: 'killed' })
  w.objects.beforePut = undefined
  await w.send('invitation')
  t.equal(w.sent.length, 2)
  t.equal(w.sent[0]?.id, w.sent[1]?.id)
  t.equal((await w.deps.trail.entries(CASE_KEY)).length, 1)
})

t.test('a mailer that refuses leaves no receipt and no entry', async (t) => {
  const w = world({ phase: 'IN_PROGRESS' })
  w.deps.mailer.send = async () => {
    throw new Error('mailbox unavailable')
  }
  await t.rejects(w.send('invitation'))
  t.equal(w.receipt('invitation'), undefined)
  t.same(await w.deps.trail.entries(CASE_KEY), [])
})

t.test('a mail that is refused for good is not sent again, and the case settles', async (t) => {
  const w = world({ phase: 'IN_PROGRESS' })
  let attempts = 0
  w.deps.mailer.send = async () => {
    attempts++
    throw new MailRefusedError('no such mailbox')
  }
  await w.send('invitation')
  await w.send('invitation')
  t.equal(attempts, 1)
  t.match(w.receipt('invitation'), { type: 'invitation', refusedAt: NOW })
  t.notOk('sentAt' in (w.receipt('invitation') as object))
  t.same(await w.deps.trail.entries(CASE_KEY), [], 'nobody was invited')
  t.equal(w.warnings.length, 1, 'the operator is told')
  t.same(w.deps.ephemeral.rung, [JSON.stringify(CASE_KEY)], 'the controller is told')
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
    const signedDocument = { sha256: 'a'.repeat(64), size, level: 'PAdES-BASELINE-T' }
    const w = world({ phase: 'DONE', signed: 2, status: { signedDocument } })
    w.objects.upload(outcomeKey(CASE_KEY), new Uint8Array(size))
    await w.send('completion', 2)
    const [mail] = w.sent
    t.equal(mail?.attachments?.[0]?.bytes.length, attached ? size : undefined)
    t.match(w.receipt('completion', 2), { type: 'completion' })
    t.equal((await w.deps.trail.entries(CASE_KEY)).length, 0)
  }
})

t.test('cancellation and expiry reach those who were invited', async (t) => {
  const cancelled = world({ phase: 'CANCELLED', cancellation: { at: NOW, reason: 'omyl' } })
  cancelled.invitedBefore(1)
  await cancelled.send('cancellation', 1)
  await cancelled.send('cancellation', 2)
  t.match(cancelled.sent, [{ to: { address: 'p1@example.com' } }])
  const expired = world({ phase: 'EXPIRED' })
  expired.invitedBefore(2)
  await expired.send('expiry', 1)
  await expired.send('expiry', 2)
  t.match(expired.sent, [{ to: { address: 'p2@example.com' } }])
})
