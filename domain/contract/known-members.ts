/**
 * Removes members that the contract does not name, and empty optional texts: they are ignored, so
 * they must not be stored.
 */
import type { Static, TSchema } from '@sinclair/typebox'

interface Member {
  name: string
  schema: TSchema
  isRequired: boolean
}

/** Cache: there are few schemas, and they never change. */
const membersBySchema = new WeakMap<TSchema, readonly Member[]>()

function membersOf(schema: TSchema): readonly Member[] {
  const known = membersBySchema.get(schema)
  if (known) return known
  const { properties = {}, required = [] } = schema
  const members = Object.entries(properties as Record<string, TSchema>).map(([name, own]) => {
    return { name, schema: own, isRequired: required.includes(name) }
  })
  membersBySchema.set(schema, members)
  return members
}

const isFreeForm = ({ additionalProperties }: TSchema) => additionalProperties === true

/**
 * Copies the value with only the members of the schema; free-form objects are copied as they are.
 *
 * @param value valid by the schema
 */
export function knownMembers<S extends TSchema>(schema: S, value: Static<S>): Static<S> {
  const { type, items } = schema as TSchema
  if (type === 'array') {
    return (value as unknown[]).map((item) => knownMembers(items as TSchema, item)) as Static<S>
  }
  if (type !== 'object' || isFreeForm(schema)) return value
  const given = value as Record<string, unknown>
  const known: Record<string, unknown> = {}
  for (const { name, schema: member, isRequired } of membersOf(schema)) {
    const isLeftEmpty = given[name] === '' && !isRequired
    if (Object.hasOwn(given, name) && !isLeftEmpty) known[name] = knownMembers(member, given[name])
  }
  return known as Static<S>
}
