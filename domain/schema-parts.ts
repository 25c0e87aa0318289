/** Small JSON Schemas that the larger ones are made of. */
import { Type } from '@sinclair/typebox'

/**
 * A string enumeration that is one `enum` rule in JSON Schema (a union of literals would be three).
 */
export function stringEnum<const T extends readonly string[]>(values: T, options: object = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })
}

/** At least one character, and at most so many code points (JSON Schema counts those). */
export const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })
/** RFC 3339, of any offset. */
export const timestamp = (description: string) => Type.String({ format: 'date-time', description })
/** RFC 9562, in either case. */
export const uuid = (description: string) => Type.String({ format: 'uuid', description })
/** Lower-case hex. */
export const sha256 = (description: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64, description })
