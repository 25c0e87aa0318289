/** Small JSON Schemas for use in larger ones. */
import { Type } from '@sinclair/typebox'

/**
 * A string enumeration as a single `enum` rule in JSON Schema; TypeBox makes three rules of a union
 * of literals.
 */
export function stringEnum<const T extends readonly string[]>(values: T, options: object) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })
}

/** A text of 1 to `maxLength` code points, the unit of JSON Schema. */
export const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })
/** RFC 3339 with any offset. */
export const timestamp = (description: string) => Type.String({ format: 'date-time', description })
/** RFC 9562, in either case. */
export const uuid = (description: string) => Type.String({ format: 'uuid', description })
/** Lower-case hex. */
export const sha256 = (description: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64, description })
