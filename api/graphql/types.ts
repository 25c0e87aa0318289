/** GraphQL types, written from the schemas of what the REST routes answer. */
import type { TSchema } from '@sinclair/typebox'

const SCALARS: Readonly<Record<string, string>> = {
  string: 'String',
  boolean: 'Boolean',
  integer: 'Int',
  number: 'Float',
}

/** A member's type is named by its path: `CaseSender`. */
const nameWithin = (name: string, member: string) =>
  `${name}${member.charAt(0).toUpperCase()}${member.slice(1)}`

function typeOf(schema: TSchema, name: string, types: Map<string, string>): string {
  if (schema['type'] === 'array') return `[${typeOf(schema['items'], name, types)}!]`
  const scalar = SCALARS[schema['type']]
  if (scalar !== undefined) return scalar
  if (schema['type'] !== 'object') throw new Error(`${name} has no type in GraphQL`)
  if (schema['additionalProperties'] === true) return 'JSON'
  addType(schema, name, types)
  return name
}

function addType(schema: TSchema, name: string, types: Map<string, string>): void {
  const members = Object.entries(schema['properties'] as Record<string, TSchema>)
  const required = new Set<string>(schema['required'])
  const fields = members.map(([member, of]) => {
    const type = typeOf(of, nameWithin(name, member), types)
    return `  ${member}: ${type}${required.has(member) ? '!' : ''}\n`
  })
  types.set(name, `type ${name} {\n${fields.join('')}}\n`)
}

/**
 * The types of named schemas and of all that lies within, in the schema language; an object of free
 * form is of the scalar JSON. @throws Error for a schema that GraphQL cannot express
 */
export function typesOf(schemas: Readonly<Record<string, TSchema>>): string {
  const types = new Map<string, string>()
  for (const [name, schema] of Object.entries(schemas)) addType(schema, name, types)
  return ['scalar JSON\n', ...types.values()].join('\n')
}
