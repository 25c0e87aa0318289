/** The collection has every operation, keeps the format, and its requests work. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import t from 'tap'
import { COLLECTION } from '../../../dev/clients/collection.ts'
import { listOperations, type OpenApiDocument } from '../../../dev/clients/model.ts'
import { openClientWorld, waitForStatus } from '../../clients/world.ts'
import { smallDocument } from '../../fixtures/signed-by-all.ts'
import { CollectionRunner, type Collection } from '../../clients/collection-runner.ts'

t.setTimeout(300_000)
const ROOT = join(import.meta.dirname, '../../..')
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
const collection = read(COLLECTION) as Collection
const document = read('api/openapi.json') as OpenApiDocument

const text = { type: 'string' }
const list = (items: object) => ({ type: 'array', items })
const pairs = list({
  type: 'object',
  required: ['key', 'value'],
  properties: { key: text, value: text, disabled: { type: 'boolean' }, description: text },
})
const auth = {
  type: 'object',
  required: ['type'],
  properties: { type: { enum: ['noauth', 'bearer'] }, bearer: pairs },
}
const request = {
  type: 'object',
  required: ['method', 'url'],
  additionalProperties: false,
  properties: {
    method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
    description: text,
    auth,
    header: pairs,
    url: {
      type: 'object',
      additionalProperties: false,
      properties: { raw: text, host: list(text), path: list(text), query: pairs },
    },
    body: {
      type: 'object',
      required: ['mode'],
      additionalProperties: false,
      properties: {
        mode: { enum: ['raw', 'file'] },
        raw: text,
        file: { type: 'object', properties: { src: text } },
        options: { type: 'object' },
      },
    },
  },
}
const event = {
  type: 'object',
  required: ['listen'],
  additionalProperties: false,
  properties: {
    listen: { enum: ['prerequest', 'test'] },
    script: { type: 'object', properties: { type: text, exec: list(text) } },
  },
}
/** The part of the Postman Collection Format 2.1.0 that the collection uses. */
const FORMAT = {
  type: 'object',
  required: ['info', 'item'],
  additionalProperties: false,
  properties: {
    info: {
      type: 'object',
      required: ['name', 'schema'],
      properties: {
        name: text,
        schema: { const: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      },
    },
    auth,
    variable: pairs,
    item: list({
      type: 'object',
      required: ['item'],
      additionalProperties: false,
      properties: {
        name: text,
        item: list({
          type: 'object',
          required: ['request'],
          additionalProperties: false,
          properties: {
            id: text,
            name: text,
            event: list(event),
            request,
            response: { type: 'array', maxItems: 0 },
          },
        }),
      },
    }),
  },
}

t.test('the collection has the format that API clients import', async (t) => {
  const ajv = new Ajv({ allErrors: true })
  t.ok(ajv.validate(FORMAT, collection), ajv.errorsText())
})

t.test('the collection has every operation once', async (t) => {
  const items = collection.item.flatMap(({ item }) => item)
  const ids = items.map(({ id }) => id)
  t.equal(new Set(ids).size, ids.length)
  for (const { operationId, method, path } of listOperations(document)) {
    const item = items.find(({ id }) => id === operationId)
    const raw = `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, '{{$1}}')}`
    t.equal(item?.request.method, method, operationId)
    t.equal(item?.request.url.raw.split('?')[0], raw, operationId)
  }
  const names = new Set(collection.variable.map(({ key }) => key))
  const used = [...JSON.stringify(items).matchAll(/\{\{([\w-]+)\}\}/g)].map(([, name]) => `${name}`)
  t.same(
    used.filter((name) => !names.has(name)),
    [],
    'every variable is declared',
  )
})

/** Requests in an order that works, each with the status that it gets. */
const REQUESTS: readonly (readonly [id: string, status: number])[] = [
  ['health', 200],
  ['readiness', 200],
  ['authorities', 200],
  ['createCase', 200],
  ['renewUpload', 200],
  ['uploadDocument', 200],
  ['untilInProgress', 200],
  ['getCase', 200],
  ['listCases', 200],
  ['graphql', 200],
  ['inviteAgain', 202],
  ['registerDevice', 200],
  ['listDevices', 200],
  ['createPairingCode', 200],
  ['openOnDevice', 200],
  ['deviceEvents', 200],
  ['pairKiosk', 200],
  ['getCaseDefinition', 200],
  ['getBranding', 200],
  // The case has no second factor.
  ['sendCode', 409],
  ['verifyCode', 409],
  ['sign', 200],
  // It was signed before.
  ['decline', 409],
  ['untilDone', 200],
  ['getSignedDocument', 302],
  ['listEvents', 200],
  ['listDeliveries', 200],
  // The case has no webhooks.
  ['redeliver', 404],
  ['listWebhookEvents', 200],
  ['uploadForVerification', 200],
  ['uploadForVerificationDocument', 200],
  ['verify', 200],
  ['createCase', 200],
  ['cancelCase', 200],
  ['removeDevice', 204],
]

t.test('the requests of the collection work', async (t) => {
  const world = await openClientWorld(t)
  const runner = new CollectionRunner(collection, new Uint8Array(await smallDocument()))
  runner.set('baseUrl', world.url)
  runner.set('token', await world.token())
  runner.set('eventId', '00000000-0000-4000-8000-000000000000')
  for (const [id, expected] of REQUESTS) {
    if (id === 'untilInProgress') await waitForStatus(world, runner.get('caseId'), 'IN_PROGRESS')
    else if (id === 'untilDone') await waitForStatus(world, runner.get('caseId'), 'DONE')
    else {
      const { status, text } = await runner.send(id)
      t.equal(status, expected, `${id} ${status === expected ? '' : text}`)
    }
  }
  const sent = new Set(REQUESTS.map(([id]) => id))
  t.same(
    runner.items.map(({ id }) => id).filter((id) => !sent.has(id)),
    [],
    'every request was sent',
  )
})
