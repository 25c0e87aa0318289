/** Error responses of the OpenAPI document: one component for each, used by every operation. */
import { errorExample, VALIDATION_EXAMPLE } from '../../domain/contract/examples.ts'
import { ERRORS, type ErrorCode } from '../../domain/errors.ts'
import { CODELESS, REMEDIES, type Codeless, type Refusal } from './remedies.ts'

/** Member of a media type that lists the errors of a response until the document is published. */
export const REFUSALS_MARK = 'x-refusals'

interface CodelessError {
  status: number
  /** Component of its body; plain text when absent. */
  schema?: 'MessageProblem' | 'ValidationProblem'
  example: unknown
  message: string
}

const CODELESS_ERRORS: Readonly<Record<Codeless, CodelessError>> = {
  validation: {
    status: 400,
    schema: 'ValidationProblem',
    example: VALIDATION_EXAMPLE,
    message: 'The request violates rules; every violated rule is listed',
  },
  unauthorized: {
    status: 401,
    schema: 'MessageProblem',
    example: { message: 'Unauthorized' },
    message: 'The token is missing, invalid, or not valid for this resource yet',
  },
  forbidden: {
    status: 403,
    schema: 'MessageProblem',
    example: { message: 'Forbidden' },
    message: 'The token is valid but names no tenant',
  },
  'not-found': {
    status: 404,
    example: 'Case not found',
    message: 'There is no such case, participant, device or event',
  },
  throttled: {
    status: 429,
    schema: 'MessageProblem',
    example: { message: 'Too many requests' },
    message: 'Too many requests in a minute or a day',
  },
  unexpected: {
    status: 500,
    schema: 'MessageProblem',
    example: { message: 'Internal Server Error' },
    message: 'An unexpected failure, which the service logged',
  },
}

const isCodeless = (refusal: Refusal): refusal is Codeless =>
  (CODELESS as readonly string[]).includes(refusal)

/** Returns the HTTP status of an error. */
export const statusOf = (refusal: Refusal): number =>
  isCodeless(refusal) ? CODELESS_ERRORS[refusal].status : ERRORS[refusal].status

const isText = (refusal: Refusal) =>
  isCodeless(refusal) && CODELESS_ERRORS[refusal].schema === undefined

/** Returns the media type of a response with these errors of one status. */
export const mediaTypeOf = (refusals: readonly Refusal[]): string =>
  refusals.every(isText) ? 'text/plain' : 'application/json'

const component = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** `Problem` with only the codes that this response can have. */
const problemSchema = (codes: readonly ErrorCode[]) => ({
  allOf: [
    component('schemas', 'Problem'),
    {
      type: 'object',
      properties: {
        code: { type: 'string', enum: [...codes], description: 'Code of this response' },
      },
      required: ['code'],
    },
  ],
})

function schemaOf(refusals: readonly Refusal[]): object {
  const codes = refusals.filter((refusal) => !isCodeless(refusal))
  const names = refusals.filter(isCodeless).map((refusal) => CODELESS_ERRORS[refusal].schema)
  const codeless = names.map((name) =>
    name === undefined ? { type: 'string' } : component('schemas', name),
  )
  const all = codes.length > 0 ? [...codeless, problemSchema(codes)] : codeless
  return all.length === 1 ? (all[0] as object) : { anyOf: all }
}

function describe(refusal: Refusal): string {
  if (!isCodeless(refusal))
    return `\`${refusal}\`: ${ERRORS[refusal].message}. ${REMEDIES[refusal]}.`
  return `${CODELESS_ERRORS[refusal].message}. ${REMEDIES[refusal]}.`
}

const exampleOf = (refusal: Refusal): unknown =>
  isCodeless(refusal) ? CODELESS_ERRORS[refusal].example : errorExample(refusal)

const hasRetryAfter = (refusal: Refusal) =>
  refusal === 'throttled' ||
  (!isCodeless(refusal) && 'retryAfterSeconds' in (exampleOf(refusal) as object))

const HEADERS: Readonly<Record<string, object>> = {
  Allow: {
    description: 'The methods that the path supports',
    schema: { type: 'string' },
    example: 'DELETE, GET, HEAD',
  },
  'Retry-After': {
    description: 'Seconds until another attempt can succeed, where the service knows it',
    schema: { type: 'integer' },
    example: 30,
  },
  'WWW-Authenticate': {
    description:
      '`Bearer` asks for a valid token. `Bearer error="insufficient_user_authentication"` (RFC ' +
      '9470) says that the token is valid, but the one-time code or PIN is missing',
    schema: { type: 'string' },
    example: 'Bearer',
  },
}

function headersOf(status: number, refusals: readonly Refusal[]): { headers?: object } {
  const names = [
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === ERRORS.METHOD_NOT_ALLOWED.status ? ['Allow'] : []),
    ...(refusals.some(hasRetryAfter) ? ['Retry-After'] : []),
  ]
  if (names.length === 0) return {}
  return { headers: Object.fromEntries(names.map((name) => [name, component('headers', name)])) }
}

function buildResponse(refusals: readonly Refusal[]): object {
  const [first] = refusals
  if (first === undefined) throw new Error('a response without errors')
  const lines = refusals.map(describe)
  const examples = refusals.map((refusal) => [refusal, component('examples', refusal)])
  return {
    description: lines.length === 1 ? lines[0] : lines.map((line) => `- ${line}`).join('\n'),
    ...headersOf(statusOf(first), refusals),
    content: {
      [mediaTypeOf(refusals)]: {
        schema: schemaOf(refusals),
        examples: Object.fromEntries(examples) as object,
      },
    },
  }
}

const upperFirst = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const pascalCase = (name: string) => name.toLowerCase().split(/[_-]/).map(upperFirst).join('')

/** Name of a response component: its errors, such as `CaseNotActiveOrLinkExpired`. */
const nameOf = (refusals: readonly Refusal[]) => refusals.map(pascalCase).join('Or')

type Responses = Record<string, { content?: Record<string, Record<string, unknown>> }>

/** The errors that a response is marked with, in alphabetical order. */
function marksOf({ content = {} }: Responses[string]): Refusal[] | undefined {
  const [media] = Object.values(content)
  return (media?.[REFUSALS_MARK] as Refusal[] | undefined)?.toSorted()
}

interface Document {
  components?: object
  paths?: Record<string, Record<string, { responses?: Responses }>>
}

/** Components of the responses with errors that the document uses. */
function buildComponents(lists: readonly (readonly Refusal[])[]) {
  const used = [...new Set(lists.flat())].sort()
  const headers = [...new Set(lists.flatMap((list) => headerNames(list)))].sort()
  const entries = lists.map((list) => [nameOf(list), buildResponse(list)] as const)
  return {
    headers: Object.fromEntries(headers.map((name) => [name, HEADERS[name]])),
    examples: Object.fromEntries(
      used.map((refusal) => [refusal, { value: exampleOf(refusal) }]),
    ) as object,
    responses: Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))) as object,
  }
}

const headerNames = (refusals: readonly Refusal[]) =>
  Object.keys(headersOf(statusOf(refusals[0] as Refusal), refusals).headers ?? {})

/**
 * Replaces the marks of `refusals()` with references to components, and adds 405 to every
 * operation: its path answers it to the methods that it does not support.
 */
export function withErrorResponses<D extends Document>(document: D): D {
  const lists = new Map<string, readonly Refusal[]>()
  const refer = (refusals: readonly Refusal[]) => {
    lists.set(nameOf(refusals), refusals)
    return component('responses', nameOf(refusals))
  }
  const referAll = (operation: { responses?: Responses }) => {
    const entries = Object.entries(operation.responses ?? {}).map(([status, response]) => {
      const refusals = marksOf(response)
      return [status, refusals === undefined ? response : refer(refusals)] as const
    })
    const { status } = ERRORS.METHOD_NOT_ALLOWED
    const responses = Object.fromEntries([...entries, [status, refer(['METHOD_NOT_ALLOWED'])]])
    return { ...operation, responses }
  }
  const paths = Object.entries(document.paths ?? {}).map(([url, path]) => [
    url,
    Object.fromEntries(Object.entries(path).map(([method, one]) => [method, referAll(one)])),
  ])
  return {
    ...document,
    components: { ...document.components, ...buildComponents([...lists.values()]) },
    paths: Object.fromEntries(paths) as D['paths'],
  }
}
