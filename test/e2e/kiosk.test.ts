/** A case on a kiosk from its upload to its end, by the service as it is started. */
import t, { type Test } from 'tap'
import { openWorld, person, SECOND_MS, type Json, type World } from '../conformance/world.ts'
import { Kiosk } from '../fixtures/kiosk.ts'

t.setTimeout(600_000)
const PEOPLE = [person(), person({ email: 'second@example.com' })]

/** A kiosk of its own that listens. */
async function openKiosk(t: Test, world: World): Promise<{ kiosk: Kiosk; deviceId: string }> {
  const registered = await world.asTenant('POST', '/tenant/devices', { body: { name: 'Desk' } })
  const { deviceId, token } = registered.json
  const kiosk = new Kiosk(world.url, { deviceId, headers: { authorization: `Bearer ${token}` } })
  t.teardown(() => kiosk.source.close())
  return { kiosk: await kiosk.began(), deviceId }
}

async function opened(t: Test, world: World, more: Json = {}) {
  const { kiosk, deviceId } = await openKiosk(t, world)
  const { id, participants } = await world.inProgress({ quickSign: true, ...more })
  const place = `/cases/${id}/participants/${participants[0].id}/open`
  t.equal((await world.asTenant('POST', place, { body: { deviceId } })).status, 200)
  t.match(await kiosk.nextEvent(1), { type: 'device.open_case', data: { caseId: id } })
  return { kiosk, id, participants }
}

t.test('a case with a kiosk opens there for one after the other, and closes', async (t) => {
  const world = await openWorld(t)
  const { kiosk, deviceId } = await openKiosk(t, world)
  const made = { quickSign: true, device: { deviceId }, participants: PEOPLE }
  const { id, participants } = await world.inProgress(made)
  for (const [index, { id: participantId }] of participants.entries()) {
    const { type, data } = await kiosk.nextEvent(index + 1)
    t.match({ type, ...data }, { type: 'device.open_case', caseId: id, participantId })
    // By the link of the kiosk.
    const answer = await world.sign({ id: participantId, signerUrl: data.url })
    t.equal(answer.status, 200)
  }
  t.match(await kiosk.nextEvent(3), { type: 'device.close_case', data: { reason: 'SIGNED' } })
  await world.untilStatus(id, 'DONE')
})

t.test('a kiosk is closed when its participant signs by the link of their mail', async (t) => {
  const world = await openWorld(t)
  const { kiosk, participants } = await opened(t, world, { participants: PEOPLE })
  await world.sign(participants[0])
  const data = { participantId: participants[0].id, reason: 'SIGNED' }
  t.match(await kiosk.nextEvent(2), { type: 'device.close_case', data })
})

t.test('a kiosk is closed when the case is cancelled', async (t) => {
  const world = await openWorld(t)
  const { kiosk, id } = await opened(t, world)
  await world.asTenant('DELETE', `/cases/${id}`)
  t.match(await kiosk.nextEvent(2), { type: 'device.close_case', data: { reason: 'CANCELLED' } })
})

t.test('a kiosk is closed when the case expires', async (t) => {
  const world = await openWorld(t)
  const validUntil = world.from(60 * SECOND_MS)
  const { kiosk } = await opened(t, world, { validUntil })
  world.clock.pass(120 * SECOND_MS)
  t.match(await kiosk.nextEvent(2), { type: 'device.close_case', data: { reason: 'EXPIRED' } })
})
