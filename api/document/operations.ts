/** Texts, groups and order of the operations in the OpenAPI document. */
import { ERRORS, type ErrorCode } from '../../domain/errors.ts'
import { OPERATION_TEXTS } from './operation-texts.ts'
import { REMEDIES } from './remedies.ts'
import { GROUPS } from './tags.ts'

/** Errors that most operations share; the introduction of the document explains them. */
const SHARED: ReadonlySet<string> = new Set<ErrorCode>([
  'BODY_TOO_LARGE',
  'METHOD_NOT_ALLOWED',
  'TIMEOUT',
  'UNSUPPORTED_MEDIA_TYPE',
])

/** An operation, after its error responses became references. */
export interface Operation {
  operationId?: string
  responses?: Record<string, { $ref?: string }>
}

interface Document {
  components?: { responses?: Record<string, object> }
  paths?: Record<string, Record<string, Operation>>
}

type Responses = Record<string, { content?: Record<string, { examples?: object }> }>

/** Lists the codes of an operation, except those that most operations share. */
function listCodes({ responses = {} }: Operation, components: Responses): ErrorCode[] {
  return Object.values(responses).flatMap(({ $ref = '' }) => {
    const [media] = Object.values(components[$ref.split('/').at(-1) ?? '']?.content ?? {})
    const names = Object.keys(media?.examples ?? {})
    return names.filter((name): name is ErrorCode => name in ERRORS && !SHARED.has(name))
  })
}

function describeFailures(codes: readonly ErrorCode[]): string {
  if (codes.length === 0) {
    return 'It fails only with the errors that all operations share; see the introduction.'
  }
  const lines = codes.map((code) => {
    const { status, message } = ERRORS[code]
    return `- ${status} \`${code}\`: ${message}. ${REMEDIES[code]}.`
  })
  return ['When it fails:', '', ...lines].join('\n')
}

/** Adds the texts and the group of an operation. @throws Error without a text or a group */
function describeOperation(operation: Operation, components: Responses): object {
  const { operationId = '' } = operation
  const text = OPERATION_TEXTS[operationId]
  const group = GROUPS.find(({ operationIds }) => operationIds.includes(operationId))
  if (!text || !group) throw new Error(`the operation ${operationId} has no text or no group`)
  const failures = describeFailures(listCodes(operation, components))
  return {
    ...operation,
    tags: [group.name],
    summary: text.summary,
    description: `${text.description}\n\n${failures}`,
  }
}

const ORDER = GROUPS.flatMap(({ operationIds }) => operationIds)

/** Place of a path: that of its first operation in the order of the work. */
function placeOf(path: Record<string, Operation>): number {
  const places = Object.values(path).map(({ operationId = '' }) => ORDER.indexOf(operationId))
  return Math.min(...places)
}

/** Adds groups, summaries and descriptions, and sorts the paths in the order of the work. */
export function withOperationTexts<D extends Document>(document: D): D {
  const components = (document.components?.responses ?? {}) as Responses
  const sorted = Object.entries(document.paths ?? {}).toSorted(
    ([, a], [, b]) => placeOf(a) - placeOf(b),
  )
  const paths = sorted.map(([url, path]) => [
    url,
    Object.fromEntries(
      Object.entries(path).map(([method, one]) => [method, describeOperation(one, components)]),
    ),
  ])
  const tags = GROUPS.map(({ name, description }) => ({ name, description }))
  return { ...document, tags, paths: Object.fromEntries(paths) as D['paths'] }
}
