/** Specification 3: states and transitions. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { conformance } from './conformance.ts'
import { DAY_MS, MINUTE_MS, openWorld, person, type Json } from './world.ts'

t.setTimeout(600_000)
const world = await openWorld(t)

const NO_PDF = Buffer.from('Dear all, '.repeat(200))

const cancel = (caseId: string, body?: Json) =>
  world.asTenant('DELETE', `/cases/${caseId}`, body === undefined ? {} : { body })
const readTypes = async (caseId: string) =>
  (await world.events(caseId)).map(({ type }: Json) => type)

async function failed(): Promise<Json> {
  const { id, participants } = await world.inProgress()
  await world.breakDocument(id)
  await world.sign(participants[0])
  return world.untilStatus(id, 'FAILED')
}

async function rejected(bytes: Uint8Array = NO_PDF): Promise<Json> {
  const created = await world.create()
  await world.upload(created, bytes)
  return world.untilStatus(created.case.id, 'UPLOAD_REJECTED')
}

async function expired(): Promise<Json> {
  const { case: made } = await world.create({ validUntil: world.from(MINUTE_MS) })
  world.clock.pass(MINUTE_MS)
  return world.untilStatus(made.id, 'EXPIRED')
}

conformance(world, '3.1 Case status', {
  async NEW(t) {
    const { case: made } = await world.create()
    t.equal(made.status, 'NEW')
    t.equal((await world.get(made.id)).status, 'NEW')
  },
  async IN_PROGRESS(t) {
    t.equal((await world.inProgress()).status, 'IN_PROGRESS')
  },
  async DONE(t) {
    const { status, signedDocument, evidenceDocument } = await world.done()
    t.equal(status, 'DONE')
    t.ok(signedDocument.url && evidenceDocument.url)
  },
  async UPLOAD_REJECTED(t) {
    t.match((await rejected()).rejectReason, /\w+/)
  },
  async EXPIRED(t) {
    t.ok((await expired()).expiredAt)
  },
  async CANCELLED(t) {
    const { case: made } = await world.create()
    const { json } = await cancel(made.id, { reason: 'Omyl' })
    t.match(json, { status: 'CANCELLED', cancelReason: 'Omyl' })
    t.ok(json.cancelledAt)
  },
  async FAILED(t) {
    const { failedAt, failureReason } = await failed()
    t.ok(failedAt && failureReason)
  },
})

conformance(world, '3.1 Transitions', {
  async '(none) → NEW'(t) {
    const { case: made, upload } = await world.create()
    t.equal(made.status, 'NEW')
    t.equal(upload.type, 'PUT')
    t.match(upload.url, /^http/)
    t.equal((await world.untilEvent(made.id, 'case.created')).actor, 'tenant')
  },
  async 'NEW → IN_PROGRESS'(t) {
    const invited = await world.inProgress({ participants: [person({ email: 'in@example.com' })] })
    await world.untilEvent(invited.id, 'participant.invited')
    await world.until('the mail', async () => (await world.mails('in@example.com'))[0])
    const quick = await world.inProgress({
      quickSign: true,
      participants: [person({ email: 'quick@example.com' })],
    })
    t.equal(quick.status, 'IN_PROGRESS')
    await world.untilEvent(quick.id, 'document.uploaded')
    const after = await world.inProgress({ participants: [person({ email: 'after@example.com' })] })
    await world.untilEvent(after.id, 'participant.invited')
    t.same(await world.mails('quick@example.com'), [], 'it waits for signing in person')
  },
  async 'NEW → UPLOAD_REJECTED'(t) {
    t.match((await rejected()).rejectReason, /PDF/)
    t.match((await rejected(Buffer.from('%PDF-1.7'))).rejectReason, /1 KB/)
    t.match((await rejected(Buffer.alloc(26_214_401, '%PDF-1.7'))).rejectReason, /25 MB/)
  },
  async 'NEW or IN_PROGRESS → CANCELLED'(t) {
    const { case: made } = await world.create()
    t.equal((await cancel(made.id)).json.status, 'CANCELLED')
    const quick = await world.inProgress({
      quickSign: true,
      participants: [person({ email: 'uninvited@example.com' })],
    })
    await cancel(quick.id)
    const people = [person({ email: 'gone@example.com' })]
    const running = await world.inProgress({ participants: people })
    await world.until('the invitation', async () => (await world.mails('gone@example.com'))[0])
    await world.untilEvent(running.id, 'participant.invited')
    t.equal((await cancel(running.id)).json.status, 'CANCELLED')
    await world.until('the second mail', async () => (await world.mails('gone@example.com'))[1])
    t.same(
      await world.mails('uninvited@example.com'),
      [],
      'a participant who was not invited gets no mail',
    )
    const answer = await world.sign(running.participants[0])
    t.equal(answer.status, 410, 'the workflow stopped')
  },
  async 'IN_PROGRESS → DONE'(t) {
    const { id, participants } = await world.inProgress({
      participants: [person(), person({ email: 'b@example.com' })],
    })
    await world.sign(participants[0])
    t.equal((await world.get(id)).status, 'IN_PROGRESS', 'not everyone signed')
    await world.sign(participants[1])
    t.ok((await world.untilStatus(id, 'DONE')).signedDocument.url)
  },
  async 'IN_PROGRESS → FAILED'(t) {
    const { id, status } = await failed()
    t.equal(status, 'FAILED')
    const wasMailed = async () =>
      (await world.mails(person().email)).find((mail) => /could not be signed/i.test(mail))
    t.ok(await world.until('the mail to who signed', wasMailed))
    t.ok(await world.untilEvent(id, 'case.failed'))
  },
  async 'before DONE → EXPIRED'(t) {
    t.equal((await expired()).status, 'EXPIRED')
    const running = await world.inProgress()
    world.clock.pass(2 * DAY_MS)
    t.equal((await world.untilStatus(running.id, 'EXPIRED')).expiredAt, running.validUntil)
    t.ok(await world.untilEvent(running.id, 'case.expired'))
  },
  async 'an end state cannot be cancelled'(t) {
    const { case: made } = await world.create()
    await cancel(made.id)
    const ends = [made, await world.done(), await rejected(), await expired(), await failed()]
    for (const { id } of ends) {
      const { status, json } = await cancel(id)
      t.match({ status, json }, { status: 409, json: { code: 'CASE_NOT_CANCELLABLE' } })
      t.equal(json.status, (await world.get(id)).status)
    }
    t.notOk((await readTypes(ends[1].id)).includes('case.cancelled'))
  },
})

conformance(world, '3.2 Participant status', {
  async 'UNSIGNED → SIGNED'(t) {
    const { id, participants } = await world.inProgress()
    t.equal(participants[0].status, 'UNSIGNED')
    t.equal((await world.sign(participants[0])).status, 200)
    const [after] = (await world.get(id)).participants
    t.equal(after.status, 'SIGNED')
    t.ok(after.signedAt)
  },
  async 'a SIGNED participant signs again'(t) {
    const { participants } = await world.inProgress({ participants: [person(), person()] })
    await world.sign(participants[0])
    const { status, json } = await world.sign(participants[0])
    t.match({ status, json }, { status: 409, json: { code: 'ALREADY_SIGNED' } })
  },
})
