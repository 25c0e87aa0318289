/** Small JSON Schemas that the larger ones are made of. */
import { Type } from '@sinclair/typebox'

/**
 * A string enumeration that is one `enum` rule in JSON Schema (a union of literals would be three).
 */
export function stringEnum<const T extends readonly string[]>(values: T, options: object = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })
}

export const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })
export const timestamp = (description: string) => Type.String({ format: 'date-time', description })
export const uuid = (description: string) => Type.String({ format: 'uuid', description })
export const sha256 = (description: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64, description })
