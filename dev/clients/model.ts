/** Reads the types and operations of the OpenAPI document, from which the clients are generated. */

/** The parts of a JSON Schema that the document uses. */
export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  description?: string
  deprecated?: boolean
  readonly enum?: readonly (string | number | boolean | null)[]
  const?: string | number | boolean | null
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
}

interface Media {
  schema?: Schema
  example?: unknown
  examples?: Readonly<Record<string, { value?: unknown }>>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema?: Schema
}

export interface OperationObject {
  operationId: string
  summary?: string
  description?: string
  tags?: readonly string[]
  parameters?: readonly Parameter[]
  security?: readonly Readonly<Record<string, readonly string[]>>[]
  requestBody?: { required?: boolean; content: Readonly<Record<string, Media>> }
  responses: Readonly<Record<string, { content?: Readonly<Record<string, Media>> }>>
}

export interface OpenApiDocument {
  info: { title: string; version: string; description?: string }
  components: { schemas: Readonly<Record<string, Schema>> }
  paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** A member of an object. */
export interface Field {
  name: string
  type: Type
  isRequired: boolean
  text: string
}

export type Type =
  | { kind: 'plain'; plain: 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'unknown' }
  | { kind: 'literals'; values: readonly (string | number | boolean | null)[] }
  | { kind: 'reference'; name: string }
  | { kind: 'list'; of: Type }
  | { kind: 'map'; of: Type }
  | { kind: 'record'; fields: readonly Field[] }
  | { kind: 'union'; of: readonly Type[] }

export interface NamedType {
  name: string
  type: Type
  text: string
}

export interface Operation extends OperationObject {
  method: string
  path: string
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const REFERENCE = '#/components/schemas/'
const JSON_TYPE = 'application/json'
const PLAIN = ['string', 'number', 'integer', 'boolean', 'null'] as const

/** Changes the first letter to upper case. */
export const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function textOf({ description = '', deprecated }: Schema): string {
  return deprecated ? `Deprecated. ${description}`.trim() : description
}

function union(types: readonly Type[]): Type {
  const [first] = types
  return types.length === 1 && first ? first : { kind: 'union', of: types }
}

/** Merges what `allOf` lists when each part is an object. */
function mergeParts(parts: readonly Schema[], document: OpenApiDocument): Type {
  const [only] = parts
  if (parts.length === 1 && only) return readType(only, document)
  const fields = parts.flatMap((part) => {
    const name = part.$ref?.slice(REFERENCE.length)
    const type = readType(name ? (document.components.schemas[name] ?? {}) : part, document)
    if (type.kind !== 'record') throw new Error('allOf with a part that is not an object')
    return type.fields
  })
  return { kind: 'record', fields }
}

function readObject(schema: Schema, document: OpenApiDocument): Type {
  const { properties, required = [], additionalProperties = true } = schema
  if (!properties || Object.keys(properties).length === 0) {
    const of = typeof additionalProperties === 'object' ? additionalProperties : {}
    return { kind: 'map', of: readType(of, document) }
  }
  const fields = Object.entries(properties).map(([name, property]) => ({
    name,
    type: readType(property, document),
    isRequired: required.includes(name),
    text: textOf(property),
  }))
  return { kind: 'record', fields }
}

/**
 * Reads one schema.
 *
 * @throws Error for a schema that no client could have a type for
 */
function readType(schema: Schema, document: OpenApiDocument): Type {
  if (schema.$ref !== undefined) {
    if (!schema.$ref.startsWith(REFERENCE)) throw new Error(`a reference to ${schema.$ref}`)
    return { kind: 'reference', name: schema.$ref.slice(REFERENCE.length) }
  }
  if (schema.const !== undefined) return { kind: 'literals', values: [schema.const] }
  if (schema.enum) return { kind: 'literals', values: schema.enum }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return union(choices.map((choice) => readType(choice, document)))
  if (schema.allOf) return mergeParts(schema.allOf, document)
  if (Array.isArray(schema.type)) {
    return union(schema.type.map((type: string) => readType({ ...schema, type }, document)))
  }
  if (schema.type === 'array') return { kind: 'list', of: readType(schema.items ?? {}, document) }
  if (schema.type === 'object' || schema.properties) return readObject(schema, document)
  const plain = PLAIN.find((name) => name === schema.type)
  if (schema.type !== undefined && !plain) throw new Error(`a schema of type ${schema.type}`)
  return { kind: 'plain', plain: plain ?? 'unknown' }
}

/** Lists the operations in the order of the document. */
export function listOperations({ paths }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => Object.hasOwn(item, method)).map((method) => ({
      ...(item[method] as OperationObject),
      method: method.toUpperCase(),
      path,
    })),
  )
}

/** Returns the JSON body of the first successful response that has one. */
function answerOf({ responses }: OperationObject): Schema | undefined {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return successes.map(([, { content }]) => content?.[JSON_TYPE]?.schema).find(Boolean)
}

/**
 * Lists the types of the document: its named schemas, and for each operation `<Id>Input` (body) and
 * `<Id>Result` (response), which keep their names when a schema is renamed.
 */
export function listTypes(document: OpenApiDocument): NamedType[] {
  const { schemas } = document.components
  const named = Object.entries(schemas).map(([name, schema]) => ({
    name,
    type: readType(schema, document),
    text: textOf(schema),
  }))
  const bodies = listOperations(document).flatMap((operation) => {
    const id = capitalise(operation.operationId)
    const input = operation.requestBody?.content[JSON_TYPE]?.schema
    const result = answerOf(operation)
    const place = `${operation.method} ${operation.path}`
    return [
      ...(input ? [{ name: `${id}Input`, schema: input, text: `Body of ${place}.` }] : []),
      ...(result ? [{ name: `${id}Result`, schema: result, text: `Response of ${place}.` }] : []),
    ]
  })
  const own = bodies
    .filter(({ name }) => !Object.hasOwn(schemas, name))
    .map(({ name, schema, text }) => ({ name, type: readType(schema, document), text }))
  return [...named, ...own]
}
