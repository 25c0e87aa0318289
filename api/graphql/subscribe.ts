/** Runs a GraphQL subscription of a tenant. */
import {
  getOperationAST,
  GraphQLError,
  parse,
  subscribe,
  validate,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql'
import { ThrottledError } from '../../application/errors.ts'
import { assertAffordable } from './cost.ts'
import type { CaseUpdates } from './case-updates.ts'

export interface SubscriptionRequest {
  query: string
  variables?: Record<string, unknown> | null
  operationName?: string | null
}

/** Why a subscription cannot begin, as in a GraphQL response. */
export interface Refused {
  errors: readonly GraphQLError[]
}

/** A running subscription. */
export interface Subscribed {
  document: DocumentNode
  results: AsyncGenerator<ExecutionResult>
}

/** Parses and validates the document of a subscription; a query or mutation is refused. */
function parseSubscription(
  schema: GraphQLSchema,
  { query, operationName }: SubscriptionRequest,
): DocumentNode | Refused {
  assertAffordable(query)
  const document = parse(query)
  const errors = validate(schema, document)
  if (errors.length > 0) return { errors }
  const operation = getOperationAST(document, operationName)
  if (operation?.operation === 'subscription') return document
  return { errors: [new GraphQLError('Send one subscription; POST /graphql takes queries')] }
}

/**
 * Begins a subscription.
 *
 * @returns its document and results, or the errors of the request
 * @throws ThrottledError when there are too many streams
 */
export async function subscribeTo(
  schema: GraphQLSchema,
  request: SubscriptionRequest,
  { tenant, updates }: { tenant: string; updates: CaseUpdates },
): Promise<Subscribed | Refused> {
  let parsed: DocumentNode | Refused
  try {
    parsed = parseSubscription(schema, request)
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] }
    throw error
  }
  if ('errors' in parsed) return parsed
  const results = await subscribe({
    schema,
    document: parsed,
    contextValue: { tenant },
    variableValues: request.variables ?? {},
    operationName: request.operationName ?? null,
    subscribeFieldResolver: (_source: unknown, { caseId }: { caseId?: string | null }) =>
      updates.open(tenant, caseId ?? undefined),
  })
  if (Symbol.asyncIterator in results) return { document: parsed, results }
  const { errors = [] } = results
  const thrown = errors.find(({ originalError }) => originalError instanceof ThrottledError)
  if (thrown?.originalError) throw thrown.originalError
  return { errors }
}
