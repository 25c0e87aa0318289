/**
 * Converts TypeBox schemas to structural schemas of a CustomResourceDefinition, and throws for
 * keywords that the API server would refuse or drop.
 */

import { FRACTION_TOLERANCE } from '../../domain/limits.ts'

/** JSON Schema as TypeBox builds it; symbols are ignored. */
export type JsonSchema = Readonly<Record<string, unknown>>

export type StructuralSchema = Record<string, unknown>

/** A rule in the Common Expression Language (CEL), with its error message. */
export interface CelRule {
  rule: string
  message: string
}

/** Additions to the TypeBox schema of a resource, by path (`spec.signatures[].kid`). */
export interface Overlay {
  rules?: Readonly<Record<string, readonly CelRule[]>>
  /** Keys of lists with `listType: map`. */
  listMapKeys?: Readonly<Record<string, readonly string[]>>
  /** Default values of members that an applied resource may omit. */
  defaults?: Readonly<Record<string, unknown>>
  /** Members that an applied resource may omit because the service derives them. */
  derived?: readonly string[]
}

/** Keywords that both kinds of schema share. */
const KEPT = [
  'type',
  'format',
  'description',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
] as const

/** Keywords that are translated. */
const TRANSLATED = ['properties', 'required', 'items', 'exclusiveMinimum', 'insidePage']

/** Formats that the API server does not know; the controller checks them. */
const OWN_FORMATS = ['json-object']

/** Maximum length of strings with a format; CEL cost estimates need a bound. */
const MAXIMUM_LENGTHS: Readonly<Record<string, number>> = { uuid: 36, 'date-time': 40 }

const INSIDE = 1 + FRACTION_TOLERANCE
const INSIDE_PAGE: CelRule = {
  rule:
    `self.unit != 'fraction' || (self.x + self.width <= ${INSIDE}` +
    ` && self.y + self.height <= ${INSIDE})`,
  message: 'must be inside the page',
}

/** Overlay paths that matched a member; other paths are misspelled. */
type Met = Set<string>

function fault(path: string, what: string): Error {
  return new Error(`the schema of ${path || 'the resource'} ${what}`)
}

function checkBounds(schema: JsonSchema, path: string): void {
  const bounded = schema.maxLength ?? schema.enum ?? MAXIMUM_LENGTHS[String(schema.format)]
  if (schema.type === 'string' && bounded === undefined) throw fault(path, 'has no maxLength')
  if (schema.type === 'array' && schema.maxItems === undefined) throw fault(path, 'has no maxItems')
}

function objectMembers(schema: JsonSchema, path: string, overlay: Overlay, met: Met) {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, JsonSchema>
    required?: readonly string[]
  }
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const needed = required.filter(
    (name) => overlay.defaults?.[at(name)] === undefined && !overlay.derived?.includes(at(name)),
  )
  const members = Object.entries(properties).map(([name, member]) => [
    name,
    structuralSchema(member, at(name), overlay, met),
  ])
  return {
    ...(needed.length === 0 ? {} : { required: needed }),
    properties: Object.fromEntries(members) as object,
  }
}

/**
 * Converts one schema and its members.
 *
 * @param path path of the schema within the resource, for the overlay and for errors
 * @throws Error when a keyword is not supported, or when a type, bound or description is missing
 */
export function structuralSchema(
  schema: JsonSchema,
  path: string,
  overlay: Overlay,
  met: Met = new Set(),
): StructuralSchema {
  for (const keyword of Object.keys(schema)) {
    if (![...KEPT, ...TRANSLATED].includes(keyword)) throw fault(path, `has keyword ${keyword}`)
  }
  if (schema.type === undefined) throw fault(path, 'has no type')
  if (schema.description === undefined) throw fault(path, 'has no description')
  checkBounds(schema, path)
  const rules = [...(schema.insidePage ? [INSIDE_PAGE] : []), ...(overlay.rules?.[path] ?? [])]
  const keys = overlay.listMapKeys?.[path]
  const { format, ...others } = schema
  const kept = OWN_FORMATS.includes(String(format)) ? others : schema
  const standard = overlay.defaults?.[path]
  met.add(path)
  return {
    ...Object.fromEntries(KEPT.flatMap((key) => (key in kept ? [[key, kept[key]]] : []))),
    ...(schema.maxLength === undefined && schema.enum === undefined && schema.type === 'string'
      ? { maxLength: MAXIMUM_LENGTHS[String(schema.format)] }
      : {}),
    ...(schema.exclusiveMinimum === undefined
      ? {}
      : { minimum: schema.exclusiveMinimum, exclusiveMinimum: true }),
    ...(standard === undefined ? {} : { default: standard }),
    ...(schema.type === 'object' ? objectMembers(schema, path, overlay, met) : {}),
    ...(schema.type === 'array'
      ? { items: structuralSchema(schema.items as JsonSchema, `${path}[]`, overlay, met) }
      : {}),
    ...(keys ? { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [...keys] } : {}),
    ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
  }
}

/** @returns overlay paths that did not match a member */
export function unmetPaths(overlay: Overlay, met: ReadonlySet<string>): string[] {
  const named = [overlay.rules, overlay.listMapKeys, overlay.defaults].flatMap((part) =>
    Object.keys(part ?? {}),
  )
  return [...named, ...(overlay.derived ?? [])].filter((path) => path !== '' && !met.has(path))
}
