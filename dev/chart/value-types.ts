/** The types of the chart's values; each function builds a schema with description and default. */
import { Type, type TSchema } from '@sinclair/typebox'

type Properties = Record<string, TSchema>
type Options = Record<string, unknown>

/** Longest name of an object in Kubernetes (RFC 1123 subdomain). */
const MAXIMUM_NAME_LENGTH = 253
const OBJECT_NAME = '[a-z0-9]([-a-z0-9.]*[a-z0-9])?'

/** Options of the name of a Kubernetes object. */
export const NAME = { pattern: `^${OBJECT_NAME}$`, maxLength: MAXIMUM_NAME_LENGTH }
/** Options of the name of a Kubernetes object that may be left empty. */
export const NAME_OR_NONE = { pattern: `^(${OBJECT_NAME})?$`, maxLength: MAXIMUM_NAME_LENGTH }
/** Options of an http or https URL that may be left empty. */
export const HTTP_URL_OR_NONE = { pattern: '^(https?://[^\\s]+)?$' }

const OCTET = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const IPV4 = `${OCTET}([.]${OCTET}){3}`
const IPV6 = '[0-9a-fA-F:.]*:[0-9a-fA-F:.]*'
/** Lengths of prefixes, from 0 to 32 and to 128. */
const IPV4_PREFIX = '/([12]?[0-9]|3[0-2])'
const IPV6_PREFIX = '/([1-9]?[0-9]|1[01][0-9]|12[0-8])'
/** Pattern of a range of IPv4 addresses (CIDR). */
export const IPV4_CIDR = `^${IPV4}${IPV4_PREFIX}$`
/** Pattern of a range of addresses (CIDR). */
export const CIDR = `^(${IPV4}${IPV4_PREFIX}|${IPV6}${IPV6_PREFIX})$`
/** Pattern of an address or a range of addresses. */
export const ADDRESS_OR_RANGE = `^(${IPV4}(${IPV4_PREFIX})?|${IPV6}(${IPV6_PREFIX})?)$`

/** Pattern of an amount of Kubernetes (resource.Quantity). */
const QUANTITY = '^([0-9]+\\.?[0-9]*|\\.[0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]+)?$'

/** Builds a group of values; all are required, and `values.yaml` gives those with a default. */
export const group = (description: string, properties: Properties) =>
  Type.Object(properties, { description, additionalProperties: false })
/** Builds a text. @param standard the default; absent: the value is required */
export const text = (description: string, standard?: string, options: Options = {}) =>
  Type.String({ description, ...(standard === undefined ? {} : { default: standard }), ...options })
/** Builds a switch. */
export const flag = (description: string, standard: boolean) =>
  Type.Boolean({ description, default: standard })
/** Builds a whole number within bounds. */
export const count = (description: string, standard: number, minimum: number, maximum: number) =>
  Type.Integer({ description, default: standard, minimum, maximum })
/** Builds a list, empty by default. */
export const list = (description: string, items: TSchema, standard: unknown[] = []) =>
  Type.Array(items, { description, default: standard })
/** Builds an object that the chart passes to Kubernetes unchanged. */
export const passedOn = (description: string) =>
  Type.Unsafe<object>({ type: 'object', description, default: {} })
/** Builds a list of objects that the chart passes to Kubernetes unchanged. */
export const listPassedOn = (description: string) =>
  list(description, Type.Unsafe<object>({ type: 'object' }))
/** Builds the resources of a container. */
export const resourcesOf = (standard: Record<'requests' | 'limits', Record<string, string>>) =>
  Type.Unsafe<object>({
    type: 'object',
    patternProperties: {
      '^(requests|limits)$': {
        type: 'object',
        additionalProperties: { type: ['string', 'number'], pattern: QUANTITY },
      },
      '^claims$': { type: 'array' },
    },
    additionalProperties: false,
    description: 'Resource requests and limits of the container',
    default: standard,
  })
/** Builds a map of names to texts. */
export const texts = (description: string, standard: Record<string, string> = {}) =>
  Type.Unsafe<object>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description,
    default: standard,
  })
/** Builds a TCP port. */
export const port = (description: string, standard: number) =>
  count(description, standard, 1, 65_535)
/** Builds a list of TCP ports. */
export const ports = (description: string, standard: number[]) =>
  list(description, Type.Integer({ minimum: 1, maximum: 65_535 }), standard)

/** Builds a reference to a key of an existing Secret; the chart itself never holds a secret. */
export const secretKey = (description: string, key: string) =>
  group(description, {
    secretName: text('Name of the Secret; empty: none', '', NAME_OR_NONE),
    key: text('Key within the Secret', key, { minLength: 1 }),
  })
