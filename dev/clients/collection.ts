/**
 * Generates the collection of requests for Postman, Bruno, Insomnia and other API clients, in the
 * Postman Collection Format 2.1.0.
 */
import { ADDITIONS, type Script, type Upload } from './collection-scripts.ts'
import { listOperations, type OpenApiDocument, type Operation, type Parameter } from './model.ts'

/** Path of the generated file from the root of the repository. */
export const COLLECTION = 'clients/collection/sigcase.postman_collection.json'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const JSON_TYPE = 'application/json'
const DEFAULT_URL = 'http://127.0.0.1:8080'

/** Variables with the bearer token of a security scheme; those of the tenant are inherited. */
const TOKENS: Readonly<Record<string, string>> = {
  signingLink: 'signingToken',
  device: 'deviceToken',
}

const bearer = (variable: string) => ({
  type: 'bearer',
  bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }],
})

function authOf({ security = [] }: Operation): object {
  const schemes = security.flatMap((one) => Object.keys(one))
  if (schemes.includes('tenant')) return {}
  const scheme = schemes.find((name) => Object.hasOwn(TOKENS, name))
  return { auth: scheme === undefined ? { type: 'noauth' } : bearer(TOKENS[scheme] as string) }
}

function described(text: string | undefined): object {
  return text === undefined ? {} : { description: text }
}

/** Returns the value that a required parameter is sent with. */
function valueOf({ name, required, schema }: Parameter): string {
  return required === true ? String(schema?.enum?.[0] ?? `{{${name}}}`) : ''
}

function urlOf(path: string, parameters: readonly Parameter[]): object {
  const place = path.replaceAll(/\{(\w+)\}/g, '{{$1}}')
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const query = inQuery.map((parameter) => ({
    key: parameter.name,
    value: valueOf(parameter),
    disabled: parameter.required !== true,
    ...described(parameter.description),
  }))
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`)
  return {
    raw: `{{baseUrl}}${place}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
    host: ['{{baseUrl}}'],
    path: place.slice(1).split('/'),
    ...(query.length > 0 ? { query } : {}),
  }
}

function headersOf(operation: Operation, hasBody: boolean): object[] {
  const { headers: sent = [] } = ADDITIONS[operation.operationId] ?? {}
  const own = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'header')
    .map(({ name, description }) => ({
      key: name,
      value: `{{${name}}}`,
      disabled: !sent.includes(name),
      ...described(description),
    }))
  return hasBody ? [{ key: 'Content-Type', value: JSON_TYPE }, ...own] : own
}

/** Returns the example of the body with what the collection replaces; undefined without a body. */
function bodyOf({ operationId, requestBody }: Operation): object | undefined {
  const media = requestBody?.content[JSON_TYPE]
  if (!media) return undefined
  const [named] = Object.values(media.examples ?? {})
  const example = media.example ?? named?.value ?? {}
  const raw = JSON.stringify({ ...example, ...ADDITIONS[operationId]?.body }, null, 2)
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } }
}

function eventsOf(before?: Script, after?: Script): object {
  const event = (listen: string, exec?: Script) =>
    exec ? [{ listen, script: { type: 'text/javascript', exec } }] : []
  const events = [...event('prerequest', before), ...event('test', after)]
  return events.length > 0 ? { event: events } : {}
}

function requestItem(operation: Operation): object {
  const { operationId: id, summary, description, method, path, parameters = [] } = operation
  const { before, after } = ADDITIONS[id] ?? {}
  const body = bodyOf(operation)
  return {
    id,
    name: summary ?? id,
    ...eventsOf(before, after),
    request: {
      method,
      ...described(description),
      ...authOf(operation),
      header: headersOf(operation, body !== undefined),
      url: urlOf(path, parameters),
      ...(body ? { body } : {}),
    },
    response: [],
  }
}

function uploadItem({ id, name, url, before }: Upload): object {
  return {
    id,
    name,
    ...eventsOf(before),
    request: {
      method: 'PUT',
      description: 'Select the PDF as the body of this request.',
      auth: { type: 'noauth' },
      header: [{ key: 'Content-Type', value: 'application/pdf' }],
      url: { raw: `{{${url}}}`, host: [`{{${url}}}`] },
      body: { mode: 'file', file: { src: '' } },
    },
    response: [],
  }
}

function variables(text: string): object[] {
  const given = { baseUrl: DEFAULT_URL, token: '' } as Readonly<Record<string, string>>
  const used = [...text.matchAll(/\{\{([\w-]+)\}\}/g)].map(([, name]) => `${name}`)
  const names = new Set([...Object.keys(given), ...used])
  return [...names].map((key) => ({ key, value: given[key] ?? '', type: 'string' }))
}

/** @returns the text of {@link COLLECTION}: a folder for each tag, in the order of the document */
export function postmanCollection(document: OpenApiDocument): string {
  const operations = listOperations(document)
  const folders = [...new Set(operations.map(({ tags = [] }) => tags[0] ?? 'other'))]
  const item = folders.map((name) => ({
    name,
    item: operations
      .filter(({ tags = [] }) => (tags[0] ?? 'other') === name)
      .flatMap((operation) => {
        const { upload } = ADDITIONS[operation.operationId] ?? {}
        return [requestItem(operation), ...(upload ? [uploadItem(upload)] : [])]
      }),
  }))
  const { title, version, description = '' } = document.info
  const collection = {
    info: {
      name: `${title} ${version}`,
      description: `${description}\n\nMade by \`npm run generate\`; do not edit.`,
      schema: SCHEMA,
    },
    auth: bearer('token'),
    item,
  }
  const variable = variables(JSON.stringify(collection))
  return `${JSON.stringify({ ...collection, variable }, null, 2)}\n`
}
