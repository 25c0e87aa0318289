/** `POST /graphql`: reading by GraphQL, with the tenant's token (design 4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { GraphQLError } from 'graphql'
import mercurius from 'mercurius'
import { abortWhenAnswered } from '../answer-signal.ts'
import type { ApiDeps } from '../deps.ts'
import { CaseUpdates } from '../graphql/case-updates.ts'
import { assertAffordable } from '../graphql/cost.ts'
import { presentGraphqlError } from '../graphql/present-error.ts'
import { buildResolvers, SCHEMA } from '../graphql/resolvers.ts'
import type { ListingDeps } from '../present/cases.ts'
import { BODY_REFUSALS, refusals, shownBy, TENANT_REFUSALS } from '../route-schemas.ts'
import { tenantRoute } from '../tenant-route.ts'
import { graphqlSocketRoute } from './graphql-socket.ts'
import { graphqlStreamRoute } from './graphql-stream.ts'

/** The usual introspection takes 2,000; validation compares every field with every other. */
const MAXIMUM_QUERY_LENGTH = 5_000

const Question = Type.Object(
  {
    query: Type.String({ maxLength: MAXIMUM_QUERY_LENGTH, description: 'GraphQL document' }),
    variables: Type.Optional(
      Type.Unsafe<Record<string, unknown> | null>({
        type: ['object', 'null'],
        description: 'Values of the variables of the document, by name',
      }),
    ),
    operationName: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'The operation to run, when the document has several',
      }),
    ),
  },
  { wellFormed: true, description: 'A GraphQL request' },
)

const Fault = Type.Object(
  {
    message: Type.String({ description: 'Text for people; it may change' }),
    path: Type.Optional(
      Type.Array(Type.Unsafe<string | number>({}), {
        description: 'Path of the field that could not be read',
      }),
    ),
    extensions: Type.Optional(
      Type.Object(
        {},
        { additionalProperties: true, description: '`code` and details, as in `Problem`' },
      ),
    ),
  },
  { description: 'Why a part of the request has no result' },
)

const Answer = Type.Object(
  {
    data: Type.Unsafe<unknown>({
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'The result; null when nothing could be read',
    }),
    errors: Type.Optional(
      Type.Array(Fault, { description: 'Parts that could not be read; absent without errors' }),
    ),
  },
  { description: 'A GraphQL response' },
)

/** The schemas of this file by the names that the OpenAPI document gives them. */
export const GRAPHQL_SCHEMAS = {
  GraphqlError: Fault,
  GraphqlRequest: Question,
  GraphqlResponse: Answer,
} as const

const EXAMPLE = {
  query: 'query ($id: ID!) { case(id: $id) { title status } }',
  variables: { id: 'b5ab3a9c-4c5f-4a0e-9d5c-2f0d0f7d5f11' },
}
const ANSWER_EXAMPLE = { data: { case: { title: 'Contract', status: 'IN_PROGRESS' } } }

/** What the library throws for a query that does not parse or that violates a rule. */
interface RefusedQuery extends Error {
  code?: string
  errors?: readonly GraphQLError[]
}

/** Only queries; 200 also when a part could not be read, and `errors` names that part. */
const queryRoutes =
  (deps: ApiDeps, updates: CaseUpdates): FastifyPluginAsyncTypebox =>
  async (app) => {
    tenantRoute(app, deps)
    graphqlStreamRoute(app, { timers: deps.timers, updates, body: Question })
    app.post(
      '/graphql',
      {
        schema: {
          operationId: 'graphql',
          tags: ['cases'],
          summary: 'Read cases, events, deliveries and kiosks by GraphQL',
          security: [{ tenant: [] }],
          body: shownBy(Question, EXAMPLE),
          response: {
            200: shownBy(Answer, ANSWER_EXAMPLE, 'What was asked for, and what could not be read'),
            ...refusals(...BODY_REFUSALS, ...TENANT_REFUSALS),
          },
        },
      },
      async (request, reply) => {
        const { query, variables, operationName } = request.body
        const context = { tenant: request.tenant, awaited: abortWhenAnswered(reply) }
        const present = (error: GraphQLError) => presentGraphqlError(error, request)
        try {
          assertAffordable(query)
          const { data, errors } = await app.graphql(
            query,
            context,
            variables ?? {},
            operationName ?? undefined,
          )
          return { data: data ?? null, ...(errors ? { errors: errors.map(present) } : {}) }
        } catch (error) {
          if (error instanceof GraphQLError) return { data: null, errors: [present(error)] }
          const { code, errors, message } = error as RefusedQuery
          if (!code?.startsWith('MER_ERR_GQL')) throw error
          return { data: null, errors: errors?.map(present) ?? [{ message }] }
        }
      },
    )
  }

/** Queries, and subscriptions by two transports. */
export const graphqlRoutes =
  (deps: ListingDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await app.register(mercurius, {
      schema: SCHEMA,
      resolvers: buildResolvers(deps) as never,
      routes: false,
      jit: 0,
      // The route reports errors itself.
      errorFormatter: (response) => ({ statusCode: 200, response: response as never }),
    })
    const updates = new CaseUpdates(deps)
    await app.register(queryRoutes(deps, updates))
    await app.register(graphqlSocketRoute, {
      deps,
      updates,
      schema: app.graphql.schema,
      body: Question,
    })
  }
