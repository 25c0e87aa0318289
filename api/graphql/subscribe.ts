/** Runs a GraphQL subscription of a tenant. */
import {
  getOperationAST,
  GraphQLError,
  parse,
  subscribe,
  validate,
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

/** A subscription that cannot begin, as a GraphQL response has it. */
export interface Refused {
  errors: readonly GraphQLError[]
}

/** @returns why the document is not a subscription of the schema; an empty list when it is */
function findFaults(
  schema: GraphQLSchema,
  { query, operationName }: SubscriptionRequest,
): readonly GraphQLError[] {
  assertAffordable(query)
  const document = parse(query)
  const faults = validate(schema, document)
  if (faults.length > 0) return faults
  const operation = getOperationAST(document, operationName)
  if (operation?.operation === 'subscription') return []
  return [new GraphQLError('Send one subscription; POST /graphql takes queries')]
}

/**
 * Begins a subscription.
 *
 * @returns its results, or the errors of the request
 * @throws ThrottledError when there are too many streams
 */
export async function subscribeTo(
  schema: GraphQLSchema,
  request: SubscriptionRequest,
  { tenant, updates }: { tenant: string; updates: CaseUpdates },
): Promise<AsyncGenerator<ExecutionResult> | Refused> {
  try {
    const errors = findFaults(schema, request)
    if (errors.length > 0) return { errors }
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] }
    throw error
  }
  const results = await subscribe({
    schema,
    document: parse(request.query),
    contextValue: { tenant },
    variableValues: request.variables ?? {},
    operationName: request.operationName ?? null,
    subscribeFieldResolver: (_source: unknown, { caseId }: { caseId?: string | null }) =>
      updates.open(tenant, caseId ?? undefined),
  })
  if (Symbol.asyncIterator in results) return results
  const { errors = [] } = results
  const thrown = errors.find(({ originalError }) => originalError instanceof ThrottledError)
  if (thrown?.originalError) throw thrown.originalError
  return { errors }
}
