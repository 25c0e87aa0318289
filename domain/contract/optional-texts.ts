/** Optional texts that clients send empty: a form that was not filled in says nothing. */
import type { TObject, TSchema } from '@sinclair/typebox'

const isPlainText = ({ type, format, pattern, enum: values }: TSchema) =>
  type === 'string' && [format, pattern, values].every((rule) => rule === undefined)

/**
 * The schema, with its own optional texts taken also when they are empty: `knownMembers` leaves
 * such a member out, so that it reads as one that is absent.
 */
export function withEmptyTexts<T extends TObject>(schema: T): T {
  const { properties, required = [] } = schema
  const entries = Object.entries(properties).map(([name, member]) => {
    if (required.includes(name) || !isPlainText(member)) return [name, member]
    const { minLength: _, ...rest } = member
    return [name, rest]
  })
  return { ...schema, properties: Object.fromEntries(entries) }
}
