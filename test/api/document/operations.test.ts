/** Every operation and webhook of the OpenAPI document explains itself. */
import t from 'tap'
import { GROUPS } from '../../../api/document/tags.ts'
import { OPERATION_TEXTS } from '../../../api/document/operation-texts.ts'
import { WEBHOOK_TYPES } from '../../../domain/cases/webhooks.ts'
import { webhookBody, webhookHeaders } from '../../../domain/cases/webhook-request.ts'
import { ERRORS } from '../../../domain/errors.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { operationsOf, readDocument, resolve, type Json } from '../../fixtures/api-document.ts'
import { signatureCase } from '../../fixtures/signature-case.ts'

t.setTimeout(120_000)

const SHARED = ['BODY_TOO_LARGE', 'METHOD_NOT_ALLOWED', 'TIMEOUT', 'UNSUPPORTED_MEDIA_TYPE']

t.test('every operation has a summary, a description and its failures', async (t) => {
  const document = await readDocument(t)
  const all = operationsOf(document)
  t.same(
    all.map(({ operation }) => operation.operationId).sort(),
    Object.keys(OPERATION_TEXTS).sort(),
  )
  for (const { operation } of all) {
    const { operationId, summary = '', description = '' } = operation
    t.match(summary, /^[A-Z].{4,60}[^.]$/, operationId)
    t.ok(description.length > 100, operationId)
    const names = Object.values(operation.responses).flatMap((response) => {
      const { content = {} } = resolve(document, response) as { content?: Record<string, Json> }
      return Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples as object))
    })
    for (const code of names.filter((name) => name in ERRORS)) {
      if (!SHARED.includes(code))
        t.ok(description.includes(`\`${code}\``), `${operationId} ${code}`)
      else t.ok(String(document.info['description']).includes(code), code)
    }
  }
})

t.test('every parameter and header has a description', async (t) => {
  const document = await readDocument(t)
  const operations = [
    ...operationsOf(document).map(({ operation }) => operation),
    ...Object.values(document.webhooks).map(({ post }) => post),
  ]
  const parameters = operations.flatMap(({ operationId, parameters = [] }) =>
    parameters.map((parameter) => ({ operationId, ...parameter })),
  )
  t.ok(parameters.length > 60, String(parameters.length))
  t.same(
    parameters.filter(({ description }) => !description),
    [],
  )
  const { headers = {}, securitySchemes = {} } = document.components
  for (const one of [...Object.values(headers), ...Object.values(securitySchemes)]) {
    t.ok(one['description'])
  }
})

t.test('a body is described by its schema alone, so that readers see the text once', async (t) => {
  const document = await readDocument(t)
  const bodies = operationsOf(document).flatMap(({ operation }) => operation.requestBody ?? [])
  t.ok(bodies.length > 5)
  for (const body of bodies) {
    t.notOk('description' in body)
    const { schema } = body.content['application/json'] as Json
    t.ok(resolve(document, schema as Json)['description'])
  }
})

t.test('every operation that reads bodies names what it refuses of them', async (t) => {
  const all = operationsOf(await readDocument(t)).filter(({ method }) => method !== 'get')
  t.ok(all.length > 15)
  for (const { operation } of all) {
    t.match(Object.keys(operation.responses), /400.*413.*415/, operation.operationId)
  }
})

t.test('the cookie of a kiosk and the id of its last event are named', async (t) => {
  const all = operationsOf(await readDocument(t))
  const find = (id: string) => all.find(({ operation }) => operation.operationId === id)?.operation
  for (const id of ['pairKiosk', 'deviceEvents']) {
    t.match(find(id)?.responses['200'], { headers: { 'set-cookie': {} } }, id)
  }
  const names = find('deviceEvents')?.parameters?.map(({ name }) => name)
  t.ok(names?.includes('Last-Event-ID'))
})

t.test('groups and paths follow the order of the work', async (t) => {
  const document = await readDocument(t)
  t.same(
    document.tags.map(({ name }) => name),
    GROUPS.map(({ name }) => name),
  )
  const order = GROUPS.flatMap(({ operationIds }) => operationIds)
  const firsts = Object.values(document.paths).map((path) =>
    Math.min(...Object.values(path).map(({ operationId }) => order.indexOf(operationId))),
  )
  t.same(
    firsts,
    [...firsts].sort((a, b) => a - b),
  )
  for (const { operation } of operationsOf(document)) {
    const group = GROUPS.find(({ operationIds }) => operationIds.includes(operation.operationId))
    t.same(operation.tags, [group?.name], operation.operationId)
  }
})

t.test('the five webhooks have their headers and an example that fits', async (t) => {
  const document = await readDocument(t)
  const { components, webhooks } = document
  t.same(Object.keys(webhooks), [...WEBHOOK_TYPES])
  const ajv = addFormats.default(new Ajv2020({ strict: false }))
  const isValid = ajv.compile({ $ref: '#/components/schemas/WebhookBody', components })
  const sent = webhookHeaders({
    event: { eventId: 'e', type: 'case-failed', occurredAt: '2026-11-02T09:14:07.512Z' },
    deliveryId: 'd',
    body: '{}',
    now: new Date(0),
    signingSecret: 's'.repeat(32),
  })
  for (const [type, { post }] of Object.entries(webhooks)) {
    const { schema, example } = post.requestBody!.content['application/json'] as Json
    t.same(schema, { $ref: '#/components/schemas/WebhookBody' })
    t.ok(isValid(example), ajv.errorsText(isValid.errors))
    t.equal((example as Json)['type'], type)
    t.same(
      post.parameters?.map(({ name }) => name).sort(),
      // The trace is sent beside them, if there is one.
      [...Object.keys(sent), 'traceparent'].filter((name) => name !== 'Content-Type').sort(),
    )
    const named = post.parameters?.find(({ name }) => name === 'Service-Event')
    t.equal(named?.['example'], type)
  }
})

t.test('a webhook that the service makes fits the schema', async (t) => {
  const { components } = await readDocument(t)
  const ajv = addFormats.default(new Ajv2020({ strict: false }))
  const schema = components['schemas']?.['WebhookBody'] as Json
  const isValid = ajv.compile({ ...schema, additionalProperties: false, components })
  const event = {
    eventId: '0b8a4c55-62f7-5d5e-8d0b-6f0f8a1c7e11',
    type: 'case-completed' as const,
    occurredAt: '2026-11-02T09:14:07.512Z',
  }
  const links = { signed: 'https://a', evidence: 'https://b' }
  const body = webhookBody(event, signatureCase({ phase: 'DONE' }), 'DONE', links)
  t.ok(isValid(body), ajv.errorsText(isValid.errors))
})
