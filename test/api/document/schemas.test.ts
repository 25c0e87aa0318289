/** Generators of clients find a name and a description for everything in the OpenAPI document. */
import t from 'tap'
import { errorExample } from '../../../domain/contract/examples.ts'
import { ERRORS, type ErrorCode } from '../../../domain/errors.ts'
import {
  objectSchemasOf,
  objectsOf,
  operationsOf,
  readDocument,
  resolve,
  type Json,
} from '../../fixtures/api-document.ts'

t.setTimeout(120_000)

/** Schemas that each generated client imports. */
const NAMES = [
  ...['AuditEvent', 'Case', 'CaseInput', 'CreatedCase', 'Delivery', 'Device', 'Document'],
  ...['MessageProblem', 'Participant', 'ParticipantInput', 'Problem', 'SignatureField'],
  ...['SigningInput', 'ValidationProblem', 'ValidationReport', 'CaseStatus', 'ErrorCode'],
]

t.test('every object schema has a name', async (t) => {
  const document = await readDocument(t)
  const { schemas = {} } = document.components
  for (const name of NAMES) t.ok(schemas[name], name)
  const unnamed = [...objectSchemasOf(document)]
    .map(({ path }) => path)
    // The codes of one response narrow `Problem`, which has a name.
    .filter((path) => !/^\/components\/schemas\/\w+$/.test(path) && !/\/allOf\/1$/.test(path))
    .filter((path) => !path.endsWith('/data') && !/\/(extensions|params)$/.test(path))
  t.same(unnamed, [])
})

t.test('every member of a body or answer has a description', async (t) => {
  const document = await readDocument(t)
  const all = [...objectSchemasOf(document)].flatMap(({ path, properties }) =>
    Object.entries(properties).map(([name, member]) => ({ at: `${path}.${name}`, member })),
  )
  t.ok(all.length > 300, String(all.length))
  t.same(
    all
      .filter(({ member }) => !(member['description'] ?? resolve(document, member)['description']))
      .map(({ at }) => at),
    [],
  )
})

t.test('an error answer is a component, and names each of its codes once', async (t) => {
  const document = await readDocument(t)
  for (const { operation, url, method } of operationsOf(document)) {
    const { operationId, responses } = operation
    t.ok(operationId, `${method} ${url}`)
    for (const [status, response] of Object.entries(responses)) {
      if (Number(status) < 400) continue
      t.match(response, { $ref: /^#\/components\/responses\// }, `${operationId} ${status}`)
      const { content } = resolve(document, response) as { content: Record<string, Json> }
      const [media = {}] = Object.values(content)
      const examples = Object.keys(media['examples'] as object)
      const codes = examples.filter((name): name is ErrorCode => name in ERRORS)
      for (const code of codes) t.equal(ERRORS[code].status, Number(status), code)
      t.same(
        [...objectsOf(media)].flatMap(({ node }) => (node['enum'] as string[] | undefined) ?? []),
        codes,
        `${operationId} ${status}`,
      )
    }
  }
})

t.test('405 has Allow, 401 WWW-Authenticate, and a wait Retry-After', async (t) => {
  const document = await readDocument(t)
  const headersOf = (name: string) => Object.keys(document.components['responses']?.[name] ?? {})
  t.ok(headersOf('MethodNotAllowed').includes('headers'))
  const names = Object.entries(document.components['responses'] ?? {}).map(
    ([name, { headers = {} }]) => [name, Object.keys(headers as object)] as const,
  )
  for (const [name, headers] of names) {
    t.equal(headers.includes('Allow'), name === 'MethodNotAllowed', name)
    t.equal(headers.includes('WWW-Authenticate'), /Unauthorized/.test(name), name)
    if (/Throttled|RateLimited|SigningUnavailable/.test(name)) {
      t.ok(headers.includes('Retry-After'), name)
    }
  }
  for (const { operation } of operationsOf(document)) {
    t.ok(operation.responses['405'], operation.operationId)
  }
})

t.test('every response names X-Request-Id, as every answer has it', async (t) => {
  const document = await readDocument(t)
  t.ok(document.components['headers']?.['X-Request-Id']?.['description'])
  for (const { operation } of operationsOf(document)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      const { headers } = resolve(document, response) as { headers?: Json }
      const expected = { $ref: '#/components/headers/X-Request-Id' }
      t.same(headers?.['X-Request-Id'], expected, `${operation.operationId} ${status}`)
    }
  }
})

t.test('the example of a new case can be sent for the next ten years', async (t) => {
  const document = await readDocument(t)
  const { requestBody } = document.paths['/cases']!['post']!
  const { validUntil } = requestBody!.content['application/json']!['example'] as Json
  const years = (Date.parse(String(validUntil)) - Date.now()) / (365 * 24 * 60 * 60 * 1000)
  t.ok(years > 10, String(validUntil))
})

t.test('a code of the catalogue that an operation answers has its example', async (t) => {
  const { components } = await readDocument(t)
  const codes = Object.keys(components['examples'] ?? {}).filter((name) => name in ERRORS)
  t.ok(codes.length > 30)
  for (const code of codes as ErrorCode[]) {
    t.same(components['examples']?.[code], { value: errorExample(code) }, code)
  }
})

t.test('patterns mean the same with and without the flag u', async (t) => {
  const document = await readDocument(t)
  const patterns = [...objectsOf(document)].flatMap(({ node }) =>
    typeof node['pattern'] === 'string' ? [node['pattern']] : [],
  )
  t.ok(patterns.length >= 5)
  const texts = [
    ...Array.from({ length: 0x3100 }, (_, code) => String.fromCodePoint(code)),
    ...['', 'a b', ' a', '\ufeff', '\ufeffa', '😀', '😀\n', '042917', 'x-key', 'a\u0085'],
  ]
  for (const pattern of patterns) {
    t.notMatch(pattern, /\\p\{/)
    const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')]
    t.same(
      texts.filter((text) => plain.test(text) !== unicode.test(text)),
      [],
      pattern,
    )
  }
})

t.test('the pattern of a PIN takes what its Unicode classes took', async (t) => {
  const { components } = await readDocument(t)
  const members = components['schemas']?.['CaseInput']?.['properties'] as Record<string, Json>
  const pattern = new RegExp(String(members['pin']?.['pattern']))
  const before = /^[\p{Z}\ufeff]*[^\p{Cc}\p{Z}\ufeff][^\p{Cc}]*$/u
  for (let code = 0; code <= 0x10ffff; code++) {
    const text = String.fromCodePoint(code)
    if (pattern.test(text) !== before.test(text)) t.fail(`U+${code.toString(16)}`)
  }
  t.ok(pattern.test('  0000 '))
})
