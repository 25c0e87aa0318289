/** Makes the OpenAPI document fit for readers and generators of other makers. Pure. */

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']

interface Document {
  components?: object
  webhooks?: object
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members that a use of a schema can have beside `$ref`. */
const OWN_MEMBERS = ['description', 'examples', 'default']

/** Returns equal texts for schemas that differ only in members of their own place. */
function textOf(schema: Record<string, unknown>): string {
  const members = Object.entries(schema).filter(([name]) => !OWN_MEMBERS.includes(name))
  return JSON.stringify(Object.fromEntries(members), (_key, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

/** Whether a schema can have a name: an object or an enumeration. */
const canHaveName = ({ type, enum: values }: Record<string, unknown>) =>
  type === 'object' || (type === 'string' && Array.isArray(values))

/** Names of schemas and their own descriptions, by the texts of the schemas. */
type Names = ReadonlyMap<string, { name: string; description: unknown }>

/** Replaces the schemas that have a name with references. */
function withReferences(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, names))
  if (!isObject(value)) return value
  const named = canHaveName(value) ? names.get(textOf(value)) : undefined
  if (named === undefined) return membersWithReferences(value, names)
  const own = OWN_MEMBERS.filter(
    (member) => member in value && value[member] !== named.description,
  ).map((member) => [member, value[member]])
  return { $ref: `#/components/schemas/${named.name}`, ...Object.fromEntries(own) }
}

const membersWithReferences = (value: object, names: Names): object =>
  Object.fromEntries(
    Object.entries(value).map(([member, one]) => [member, withReferences(one, names)]),
  )

/**
 * Gives the document with its schemas under their names.
 *
 * @param schemas keyed by name; those that the document does not use are left out
 */
function withNamedSchemas<D extends Document>(document: D, schemas: Record<string, object>): D {
  const plain = Object.entries(schemas).map(
    ([name, schema]) =>
      [name, JSON.parse(JSON.stringify(schema)) as Record<string, unknown>] as const,
  )
  const names = new Map(
    plain.map(([name, schema]) => [textOf(schema), { name, description: schema['description'] }]),
  )
  const components = plain.map(([name, schema]) => [name, membersWithReferences(schema, names)])
  const { webhooks } = document
  const paths = withReferences(document.paths, names) as D['paths']
  return {
    ...document,
    components: { ...document.components, schemas: Object.fromEntries(components) as object },
    ...(webhooks ? { webhooks: withReferences(webhooks, names) as object } : {}),
    paths,
  }
}

/**
 * Gives the document as it is published. The schemas of the routes, which it was made of, stay as
 * they are.
 *
 * @param keywords names of our own keywords, which only this service validates
 * @param schemas that get a name, by that name
 */
export function publicDocument<D extends Document>(
  document: D,
  keywords: readonly string[],
  schemas: Record<string, object> = {},
): D {
  const known = new Set(keywords)
  const named = withoutKeywords(schemas, known) as Record<string, object>
  const plain = withNamedSchemas(withoutKeywords(document, known) as D, named)
  const paths = Object.entries(plain.paths ?? {}).map(([url, path]) => [url, withSecurity(path)])
  return { ...plain, paths: Object.fromEntries(paths) as D['paths'] }
}
