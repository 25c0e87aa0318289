/** The types of the chart's values, each a schema with a description and a default. */
import { Type, type TSchema } from '@sinclair/typebox'

type Properties = Record<string, TSchema>
type Options = Record<string, unknown>

/** A group of values; all are required, and the chart's own values give those with a default. */
export const group = (description: string, properties: Properties) =>
  Type.Object(properties, { description, additionalProperties: false })
/** A text. @param standard absent: the value is required */
export const text = (description: string, standard?: string, options: Options = {}) =>
  Type.String({ description, ...(standard === undefined ? {} : { default: standard }), ...options })
/** A switch. */
export const flag = (description: string, standard: boolean) =>
  Type.Boolean({ description, default: standard })
/** A whole number within bounds. */
export const count = (description: string, standard: number, minimum: number, maximum: number) =>
  Type.Integer({ description, default: standard, minimum, maximum })
/** A list, empty by default. */
export const list = (description: string, items: TSchema, standard: unknown[] = []) =>
  Type.Array(items, { description, default: standard })
/** An object that is passed to Kubernetes unchanged. */
export const passedOn = (description: string, standard: object = {}) =>
  Type.Unsafe<object>({ type: 'object', description, default: standard })
/** Texts by name. */
export const texts = (description: string, standard: Record<string, string> = {}) =>
  Type.Unsafe<object>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description,
    default: standard,
  })
/** A TCP port. */
export const port = (description: string, standard: number) =>
  count(description, standard, 1, 65_535)
