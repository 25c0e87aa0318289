/**
 * Leaves out of a request what the contract does not name, and optional texts that are empty: they
 * are ignored, and must not be kept either.
 */
import type { Static, TSchema } from '@sinclair/typebox'

interface Member {
  name: string
  schema: TSchema
  isRequired: boolean
}

/** Schemas are few and never change: what each names is put together once. */
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
 * A copy with the members that the schema names; an object of free form is taken as it is.
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
