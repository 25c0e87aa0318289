/** Adds the header `X-Request-Id` to every response of the OpenAPI document. */

/** Name of the component, and of the header in each response. */
const NAME = 'X-Request-Id'

const HEADER = {
  description:
    'Id of the request. The service takes the id from the header of the request if it has 8 to ' +
    '64 letters, digits, `-` or `_`, and otherwise creates a UUID. Name it when you report a ' +
    'problem',
  schema: { type: 'string' },
  example: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
}

interface Response {
  $ref?: string
  headers?: object
}

type Responses = Record<string, Response>

interface Document {
  components?: { headers?: object; responses?: Responses }
  paths?: Record<string, Record<string, { responses?: Responses }>>
}

/** Adds the header to a response; a reference leads to a component that has it. */
const withHeader = (response: Response): Response =>
  response.$ref === undefined
    ? {
        ...response,
        headers: { ...response.headers, [NAME]: { $ref: `#/components/headers/${NAME}` } },
      }
    : response

const withHeaders = (responses: Responses = {}): Responses =>
  Object.fromEntries(Object.entries(responses).map(([name, one]) => [name, withHeader(one)]))

/** @returns a copy of the document whose responses all name the header */
export function withRequestIds<D extends Document>(document: D): D {
  const { components = {} } = document
  const paths = Object.entries(document.paths ?? {}).map(([url, path]) => [
    url,
    Object.fromEntries(
      Object.entries(path).map(([method, one]) => [
        method,
        { ...one, responses: withHeaders(one.responses) },
      ]),
    ),
  ])
  return {
    ...document,
    components: {
      ...components,
      headers: { ...components.headers, [NAME]: HEADER },
      responses: withHeaders(components.responses),
    },
    paths: Object.fromEntries(paths) as D['paths'],
  }
}
