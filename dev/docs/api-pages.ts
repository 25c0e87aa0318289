/** Makes the pages of the API from `api/openapi.json`: one for each group, and the schemas. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from '../markdown.ts'
import type { ApiResponse, Media, OpenApiDocument, Operation, Schema } from './openapi.ts'
import { slugOf } from './slug.ts'

const FOLDER = 'docs/api/'

const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)
const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')
const linkOf = (name: string) => `[${name}](schemas.md#${slugOf(name)})`

/** Returns the type of a schema in words, with links to named schemas. */
function typeOf(schema: Schema | undefined): string {
  if (schema === undefined) return ''
  if (schema.$ref !== undefined) return linkOf(nameOf(schema.$ref))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map(typeOf).join(' or ')
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ')
  if (schema.type === 'array') return `array of ${typeOf(schema.items) || 'anything'}`
  const types = [schema.type ?? 'any'].flat().join(' or ')
  return schema.format === undefined ? types : `${types} (${schema.format})`
}

/** Lists limits and default of a value, as a sentence. */
function limitsOf(schema: Schema): string {
  const range = (unit: string, low?: number, high?: number) => {
    if (low === undefined && high === undefined) return []
    if (high === undefined) return [`at least ${low}${unit}`]
    return [low === undefined ? `at most ${high}${unit}` : `${low} to ${high}${unit}`]
  }
  const limits = [
    ...range('', schema.minimum, schema.maximum),
    ...range(' characters', schema.minLength, schema.maxLength),
    ...range(' items', schema.minItems, schema.maxItems),
    ...(schema.default === undefined ? [] : [`default \`${JSON.stringify(schema.default)}\``]),
    ...(schema.deprecated === true ? ['deprecated'] : []),
  ]
  return limits.join(', ')
}

/** Members of an object, and of objects without a name inside it, as rows. */
function memberRows(schema: Schema, prefix = ''): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix + name
    const isNeeded = schema.required?.includes(name) === true
    const about = [member.description, limitsOf(member)].filter(Boolean).join('; ')
    const row = [`\`${path}\``, cell(typeOf(member)), isNeeded ? 'yes' : 'no', cell(about)]
    const inner = member.type === 'array' ? (member.items ?? {}) : member
    const innerPrefix = member.type === 'array' ? `${path}[].` : `${path}.`
    return [row, ...memberRows(inner, innerPrefix)]
  })
}

function membersTable(schema: Schema): string[] {
  const rows = memberRows(schema)
  return rows.length === 0
    ? []
    : [...table(['member', 'type', 'required', 'description'], rows), '']
}

function example(media: Media): string[] {
  if (media.example === undefined) return []
  return ['```json', JSON.stringify(media.example, null, 2), '```', '']
}

function requestPart({ requestBody }: Operation): string[] {
  if (!requestBody) return []
  return Object.entries(requestBody.content).flatMap(([type, media]) => [
    `**Request body** (\`${type}\`): ${typeOf(media.schema)}. ${requestBody.description ?? ''}`,
    '',
    ...(media.schema?.$ref === undefined ? membersTable(media.schema ?? {}) : []),
    ...example(media),
  ])
}

function responseRow(document: OpenApiDocument, status: string, given: ApiResponse): string[] {
  const name = given.$ref === undefined ? undefined : nameOf(given.$ref)
  const response = name === undefined ? given : (document.components.responses[name] ?? {})
  const types = Object.values(response.content ?? {}).map(({ schema }) => typeOf(schema))
  const body = [...new Set(types)].filter(Boolean).join(', ')
  return [status, cell(response.description ?? ''), cell(body) || '–']
}

function responsesPart(document: OpenApiDocument, { responses }: Operation): string[] {
  const rows = Object.entries(responses).map(([status, response]) =>
    responseRow(document, status, response),
  )
  const examples = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => Object.values(content ?? {}).flatMap(example))
  const intro = examples.length > 0 ? ['**Example of a response:**', '', ...examples] : []
  return [...table(['status', 'when', 'body'], rows), '', ...intro]
}

function authorization(document: OpenApiDocument, { security = [] }: Operation): string {
  const names = security.flatMap((choice) => Object.keys(choice))
  const texts = names.map((name) => document.components.securitySchemes[name]?.description ?? name)
  return texts.length === 0 ? 'none' : texts.join(', or: ')
}

function operationPart(document: OpenApiDocument, route: string, operation: Operation): string[] {
  const parameters = (operation.parameters ?? []).map((parameter) => [
    `\`${parameter.name}\``,
    parameter.in,
    cell(typeOf(parameter.schema)),
    parameter.required === true ? 'yes' : 'no',
    cell(parameter.description ?? ''),
  ])
  return [
    `## ${operation.summary}`,
    '',
    ...(route === '' ? [] : ['```http', route, '```', '']),
    operation.description ?? '',
    '',
    ...(route === '' ? [] : [`**Authorization:** ${authorization(document, operation)}`, '']),
    ...(parameters.length === 0
      ? []
      : [...table(['parameter', 'in', 'type', 'required', 'description'], parameters), '']),
    ...requestPart(operation),
    ...responsesPart(document, operation),
  ]
}

/** The page of a group of operations. */
function groupPage(
  document: OpenApiDocument,
  { name, description }: { name: string; description: string },
): string {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tags.includes(name))
      .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  )
  const webhooks = Object.entries(document.webhooks).flatMap(([, item]) =>
    Object.values(item).filter(({ tags }) => tags.includes(name)),
  )
  return [
    `# ${name}`,
    '',
    description,
    '',
    ...operations.flatMap(([route, operation]) => operationPart(document, route, operation)),
    ...webhooks.flatMap((operation) => operationPart(document, '', operation)),
  ].join('\n')
}

function schemasPage({ components }: OpenApiDocument): string {
  const parts = Object.entries(components.schemas).flatMap(([name, schema]) => [
    `## ${name}`,
    '',
    schema.description ?? '',
    '',
    ...(schema.properties ? membersTable(schema) : [`Type: ${typeOf(schema)}`, '']),
  ])
  return ['# Schemas', '', 'Every named schema of requests and responses.', '', ...parts].join('\n')
}

/** Makes the pages of the API, by path under `docs/api/`. @param root folder of the repository */
export function apiPages(root: string): Map<string, string> {
  const document = JSON.parse(
    readFileSync(join(root, 'api/openapi.json'), 'utf8'),
  ) as OpenApiDocument
  const { info, tags } = document
  const groups = tags.map((tag) => [`${FOLDER}${slugOf(tag.name)}.md`, groupPage(document, tag)])
  return new Map([
    [
      `${FOLDER}README.md`,
      [
        '# Overview of the API',
        '',
        `Version ${info.version}. A running service shows its API at \`/docs\`, with requests to`,
        'try out, and serves this description at `/openapi.json`.',
        '',
        info.description,
        '',
      ].join('\n'),
    ],
    ...(groups as [string, string][]),
    [`${FOLDER}schemas.md`, schemasPage(document)],
  ])
}
