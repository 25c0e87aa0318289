/**
 * Leaves out of a request what the contract does not name, and optional texts that are empty: they
 * are ignored, and must not be kept either.
 */
import type { Static, TSchema } from '@sinclair/typebox'

const isFreeForm = ({ additionalProperties }: TSchema) => additionalProperties === true

/**
 * A copy with the members that the schema names; an object of free form is taken as it is.
 *
 * @param value valid by the schema
 */
export function knownMembers<S extends TSchema>(schema: S, value: Static<S>): Static<S> {
  const { type, properties = {}, required = [], items } = schema as TSchema
  if (type === 'array') {
    return (value as unknown[]).map((item) => knownMembers(items as TSchema, item)) as Static<S>
  }
  if (type !== 'object' || isFreeForm(schema)) return value
  const given = value as Record<string, unknown>
  const known: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(properties as Record<string, TSchema>)) {
    const isLeftEmpty = given[name] === '' && !required.includes(name)
    if (Object.hasOwn(given, name) && !isLeftEmpty) known[name] = knownMembers(member, given[name])
  }
  return known as Static<S>
}
