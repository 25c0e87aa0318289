/** The request of an operation, as samples in every language show it. */

/** What a sample needs to know of an operation of the OpenAPI document. */
export interface SampledOperation {
  operationId?: string
  security?: readonly object[]
  parameters?: readonly { name: string; in: string; required?: boolean; schema?: object }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}

export interface SampleRequest {
  operationId: string
  /** URL of the service, without a slash at its end. */
  baseUrl: string
  /** In upper case. */
  method: string
  /** Path and required query, with the parameters of the path in braces. */
  target: string
  /** Environment variable with the bearer token; absent for public operations. */
  tokenName?: string
  /** Example of the body. */
  body?: unknown
  /** Whether the operation takes an `Idempotency-Key`. */
  takesIdempotencyKey: boolean
}

/** Environment variables with the tokens of the security schemes. */
const TOKEN_NAMES: Readonly<Record<string, string>> = {
  tenant: 'SIGCASE_TOKEN',
  signingLink: 'SIGNING_TOKEN',
  device: 'DEVICE_TOKEN',
}

/** @returns the first value that a schema permits, for a required parameter of a query */
const firstValue = (schema: object = {}) => String((schema as { enum?: unknown[] }).enum?.[0] ?? '')

/** Reads the request of an operation. @param url path of the operation @param method of HTTP */
export function readRequest(
  baseUrl: string,
  url: string,
  method: string,
  operation: SampledOperation,
): SampleRequest {
  const { operationId = '', security = [], parameters = [], requestBody } = operation
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name, schema }) => `${name}=${firstValue(schema)}`)
  const tokenName = TOKEN_NAMES[Object.keys(security[0] ?? {})[0] ?? '']
  const body = Object.values(requestBody?.content ?? {})[0]?.example
  return {
    operationId,
    baseUrl: baseUrl.replace(/\/$/, ''),
    method: method.toUpperCase(),
    target: query.length === 0 ? url : `${url}?${query.join('&')}`,
    ...(tokenName === undefined ? {} : { tokenName }),
    ...(body === undefined ? {} : { body }),
    takesIdempotencyKey: parameters.some(({ name }) => /^idempotency-key$/i.test(name)),
  }
}

/** Environment variable of a parameter of the path: `caseId` is `CASE_ID`. */
export const variableOf = (parameter: string): string =>
  parameter.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

/** Replaces the parameters of a path. @param replace makes the text for a parameter */
export const fillPath = (target: string, replace: (parameter: string) => string): string =>
  target.replace(/\{(\w+)\}/g, (_, parameter: string) => replace(parameter))

/** Names of the parameters in a path. */
export const pathParameters = (target: string): string[] =>
  [...target.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** Indents every line that is not empty. @param width in spaces */
export const indentLines = (text: string, width: number): string =>
  text.replace(/^(?=.)/gm, ' '.repeat(width))
