/** Objects of the delivery log that the service did not write hold up nothing. */
import t from 'tap'
import { observeDeliveries } from '../../../controllers/signature-case/observe/deliveries.ts'
import { deliveryKey, endedWebhookKey, receiptKey } from '../../../domain/cases/keys.ts'
import { DELIVERY_TIMES } from '../../../domain/cases/webhook-attempts.ts'
import { testApi } from '../../fixtures/api.ts'
import { callback, CASE_ID, CASE_KEY, TENANT } from '../../fixtures/signature-case.ts'
import { webhookWorld } from '../../fixtures/webhook-job.ts'

const ODD = ['', '{', 'null', '[]', '"attempt"', '{"number":1}', '{"number":1,"round":1}']
const JSON_TYPE = 'application/json'
const octetsOf = (text: string) => new TextEncoder().encode(text)

t.test('an attempt that cannot be read is replaced by the next one', async (t) => {
  for (const odd of ODD) {
    const w = await webhookWorld()
    const { eventId } = w.event
    w.objects.upload(deliveryKey(CASE_KEY, eventId, 1), octetsOf(odd), JSON_TYPE)
    await w.run()
    t.match(await w.attempts(), [{ number: 1, ending: { outcome: 'delivered' } }], odd)
    t.match(w.receipt(), { state: 'delivered' })
  }
})

t.test('an attempt that can be read is claimed once', async (t) => {
  const w = await webhookWorld()
  await w.run()
  const [attempt] = await w.attempts()
  t.equal(await w.log.claim(CASE_KEY, w.event.eventId, attempt!), false)
})

t.test('the controller sees the other attempts of the case', async (t) => {
  for (const odd of ODD) {
    const w = await webhookWorld()
    w.http.answers = [500]
    await w.run()
    const { eventId } = w.event
    w.objects.upload(deliveryKey(CASE_KEY, eventId, 2), octetsOf(odd), JSON_TYPE)
    const deps = { objects: w.objects, deliveryTimes: DELIVERY_TIMES }
    const { attempts } = await observeDeliveries(CASE_KEY, w.events, new Set() as never, deps)
    t.match(attempts.get(eventId), [{ number: 1 }], odd)
    t.equal(attempts.get(eventId)?.length, 1)
  }
})

t.test('names that no store accepts hold up nothing', async (t) => {
  const w = await webhookWorld()
  const { eventId } = w.event
  const api = await testApi(t)
  api.seed({ phase: 'FAILED', definition: { callback: callback() } })
  for (const objects of [w.objects, api.objects]) {
    objects.upload(`${deliveryKey(CASE_KEY, eventId, 1)} copy`, octetsOf('{}'), JSON_TYPE)
    objects.upload(`${endedWebhookKey(TENANT, 'dead', w.event)} copy`, octetsOf('{}'), JSON_TYPE)
  }
  await w.run()
  t.match(w.receipt(), { state: 'delivered' })
  const deliveries = await api.ask('GET', `/cases/${CASE_ID}/deliveries`)
  t.match(deliveries.json(), { deliveries: [{ eventId, attempts: [] }] })
  t.same((await api.ask('GET', '/tenant/webhook-events?status=dead')).json(), { events: [] })
})

t.test('a receipt that cannot be read is written anew', async (t) => {
  const w = await webhookWorld()
  w.objects.upload(receiptKey(CASE_KEY, w.event.eventId), octetsOf('{'), JSON_TYPE)
  await w.run()
  t.match(w.receipt(), { state: 'delivered', round: 1 })
})

t.test('listings leave out what cannot be read', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'FAILED', definition: { callback: callback() } })
  const w = await webhookWorld()
  const listed = endedWebhookKey(TENANT, 'dead', w.event)
  for (const odd of ODD) {
    api.objects.upload(deliveryKey(CASE_KEY, w.event.eventId, 1), octetsOf(odd), JSON_TYPE)
    api.objects.upload(listed, octetsOf(odd), JSON_TYPE)
    const deliveries = await api.ask('GET', `/cases/${CASE_ID}/deliveries`)
    t.match(deliveries.json(), { deliveries: [{ eventId: w.event.eventId, attempts: [] }] }, odd)
    const dead = await api.ask('GET', '/tenant/webhook-events?status=dead')
    t.same(dead.json(), { events: [] }, odd)
  }
})
