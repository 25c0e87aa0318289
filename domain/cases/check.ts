/** Validates the schema again, for resources that were not created through the API (design 3). */
import { FormatRegistry, TypeRegistry } from '@sinclair/typebox'
import { Value, ValueErrorType, type ValueError } from '@sinclair/typebox/value'
import { addressFaults, headerNameFaults } from '../contract/callback-rules.ts'
import { isUuid } from '../ids.ts'
import { FRACTION_TOLERANCE } from '../limits.ts'
import { CaseSpec } from './spec.ts'

const WEB = ['http:', 'https:']
const SECURE = ['https:']

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

interface Place {
  path: string
  message: string
}

/** Rules beyond the schema, with the same messages as in the API. */
function* ruleFaults({ definition }: CaseSpec): Generator<Place> {
  for (const [position, { signatureFields }] of definition.participants.entries()) {
    const path = `/definition/participants/${position}/signatureFields`
    for (const [index, { x, y, width, height, unit }] of signatureFields.entries()) {
      const reach = Math.max(x + width, y + height)
      if (unit === 'fraction' && reach > 1 + FRACTION_TOLERANCE) {
        yield { path: `${path}/${index}`, message: 'must be inside the page' }
      }
    }
    const ids = new Set(signatureFields.map(({ id }) => id))
    if (ids.size < signatureFields.length) {
      yield { path, message: 'must not contain two fields with the same id' }
    }
  }
  const { url, tokenUrl, apiKeyHeader } = definition.callback ?? {}
  const callback = '/definition/callback'
  for (const { message } of url === undefined ? [] : addressFaults(url, WEB)) {
    yield { path: `${callback}/url`, message }
  }
  for (const { message } of tokenUrl === undefined ? [] : addressFaults(tokenUrl, SECURE)) {
    yield { path: `${callback}/tokenUrl`, message }
  }
  for (const { message } of apiKeyHeader === undefined ? [] : headerNameFaults(apiKeyHeader)) {
    yield { path: `${callback}/apiKeyHeader`, message }
  }
}

/** Returns where and how a spec violates its schema, as a sentence, or undefined. */
export function specFault(spec: unknown): string | undefined {
  for (const fault of Value.Errors(CaseSpec, spec)) {
    if (!isLongInUnitsOnly(fault)) return `spec${fault.path}: ${fault.message}`
  }
  const [fault] = ruleFaults(spec as CaseSpec)
  return fault && `spec${fault.path}: ${fault.message}`
}
