/**
 * Checks values against schemas with TypeBox. It is the only file that does, because formats and
 * types have to be registered before the first check, in whichever process that is.
 */
import { FormatRegistry, type Static, type TSchema, TypeRegistry } from '@sinclair/typebox'
import { Value, ValueErrorType, type ValueError } from '@sinclair/typebox/value'
import { isUuid } from './ids.ts'

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:?\d\d)$/

function isJsonObject(text: string): boolean {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** Looser than the API's formats: it only matters that the service can process the value. */
const FORMATS: Readonly<Record<string, (value: string) => boolean>> = {
  uuid: (value) => isUuid(value.toLowerCase()),
  'date-time': (value) => DATE_TIME.test(value) && !Number.isNaN(Date.parse(value)),
  'json-object': isJsonObject,
  email: (value) => /^[^\s@]+@[^\s@]+$/.test(value),
}
for (const [name, check] of Object.entries(FORMATS)) {
  if (!FormatRegistry.Has(name)) FormatRegistry.Set(name, check)
}

/** TypeBox leaves it to us to validate `Unsafe` schemas; ours are string enumerations. */
if (!TypeRegistry.Has('Unsafe')) {
  TypeRegistry.Set<{ enum: readonly unknown[] }>('Unsafe', (schema, value) =>
    schema.enum.includes(value),
  )
}

/**
 * JSON Schema counts code points, but TypeBox counts UTF-16 units and reports some texts wrongly.
 */
function isLongInUnitsOnly({ type, value, schema }: ValueError): boolean {
  return type === ValueErrorType.StringMaxLength && [...String(value)].length <= schema.maxLength
}

/** @returns the first violation of the schema, or undefined when the value conforms */
export function findSchemaFault(schema: TSchema, value: unknown): ValueError | undefined {
  for (const fault of Value.Errors(schema, value)) if (!isLongInUnitsOnly(fault)) return fault
  return undefined
}

/** Returns whether the value has no violation of the schema. */
export const conformsTo = <T extends TSchema>(schema: T, value: unknown): value is Static<T> =>
  findSchemaFault(schema, value) === undefined
