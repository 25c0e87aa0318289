/** `POST /graphql/stream`: GraphQL subscriptions as server-sent events (decision 52). */
import type { FastifyInstance } from 'fastify'
import type { ExecutionResult, GraphQLError } from 'graphql'
import type { ApiDeps } from '../deps.ts'
import type { CaseUpdates } from '../graphql/case-updates.ts'
import { streamResults } from '../graphql/event-stream.ts'
import { presentGraphqlError } from '../graphql/present-error.ts'
import { subscribeTo, type SubscriptionRequest } from '../graphql/subscribe.ts'

/**
 * Adds the route to a plugin that has the tenant of the request and the library of GraphQL. The
 * OpenAPI document names it at `POST /graphql`. It is not an operation, because both clients need
 * a method for each operation (decision 191), and libraries for GraphQL over SSE exist.
 *
 * @param body schema of a GraphQL request
 */
export function graphqlStreamRoute(
  app: FastifyInstance,
  { timers, updates, body }: Pick<ApiDeps, 'timers'> & { updates: CaseUpdates; body: object },
): void {
  app.post<{ Body: SubscriptionRequest }>(
    '/graphql/stream',
    { config: { isEventStream: true }, schema: { hide: true, body } },
    async (request, reply) => {
      await updates.listen()
      const { tenant } = request
      const begun = await subscribeTo(app.graphql.schema, request.body, { tenant, updates })
      const presentErrors = (errors: readonly GraphQLError[]) =>
        errors.map((error) => presentGraphqlError(error, request))
      if ('errors' in begun) return { data: null, errors: presentErrors(begun.errors) }
      reply.hijack()
      await streamResults({
        response: reply.raw,
        headers: reply.getHeaders(),
        results: begun.results,
        timers,
        present: ({ data, errors }: ExecutionResult) => ({
          data,
          ...(errors ? { errors: presentErrors(errors) } : {}),
        }),
      })
      return reply
    },
  )
}
