/** Accepts empty optional texts, because clients send fields of a form that were not filled in. */
import type { TObject, TSchema } from '@sinclair/typebox'

/** A text of any content and length; one with a minimum length is a secret. */
const isPlainText = ({ type, format, pattern, enum: values, minLength = 0 }: TSchema) =>
  type === 'string' &&
  minLength <= 1 &&
  [format, pattern, values].every((rule) => rule === undefined)

/**
 * Returns the schema with its optional texts also accepting the empty string. `knownMembers`
 * removes such members, so that they count as absent.
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
