/** Makes the OpenAPI document fit for readers and generators of other makers. Pure. */

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']

interface Document {
  paths?: Record<string, Record<string, object>>
}

/**
 * The value without our own keywords of JSON Schema, which other validators do not know. Each is
 * `true` where it applies, so that a property of the same name stays: its value is a schema.
 */
function withoutKeywords(value: unknown, keywords: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutKeywords(item, keywords))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !(member === true && keywords.has(name)))
      .map(([name, member]) => [name, withoutKeywords(member, keywords)]),
  )
}

/** A public operation says so: without `security` that of the document would count. */
function withSecurity(path: Record<string, object>): Record<string, object> {
  const entries = Object.entries(path).map(([name, operation]) =>
    METHODS.includes(name) && !('security' in operation)
      ? [name, { ...operation, security: [] }]
      : [name, operation],
  )
  return Object.fromEntries(entries) as Record<string, object>
}

/**
 * Gives the document as it is published. The schemas of the routes, which it was made of, stay as
 * they are.
 *
 * @param keywords names of our own keywords, which only this service validates
 */
export function publicDocument<D extends Document>(document: D, keywords: readonly string[]): D {
  const plain = withoutKeywords(document, new Set(keywords)) as D
  const paths = Object.entries(plain.paths ?? {}).map(([url, path]) => [url, withSecurity(path)])
  return { ...plain, paths: Object.fromEntries(paths) as D['paths'] }
}
