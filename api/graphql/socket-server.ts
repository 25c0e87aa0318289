/** The protocol `graphql-transport-ws` with the rules of `POST /graphql/stream` (decision 270). */
import type { WebSocket } from '@fastify/websocket'
import type { FastifyRequest } from 'fastify'
import { GraphQLError, type GraphQLSchema } from 'graphql'
import { CloseCode, makeServer, type Context, type Server } from 'graphql-ws'
import { authenticateToken, bearerTokenIn } from '../authentication.ts'
import type { ApiDeps } from '../deps.ts'
import { AuthenticationError } from '../errors.ts'
import { logIds } from '../logging.ts'
import { countingGuesses, countTenant } from '../throttle.ts'
import type { CaseUpdates } from './case-updates.ts'
import { LONGEST_STREAM_MS } from './event-stream.ts'
import type { OpenSocket } from './open-sockets.ts'
import { presentGraphqlError } from './present-error.ts'
import { CONNECT_AGAIN, GOING_AWAY } from './socket.ts'
import { subscribeTo, type SubscriptionRequest } from './subscribe.ts'

/** Time for `connection_init` with the token. */
const INITIALISATION_MS = 10_000

/** What belongs to a socket. */
export interface SocketExtra {
  socket: WebSocket
  request: FastifyRequest
  place: OpenSocket
  /** Cancels the end of the socket after {@link LONGEST_STREAM_MS}. */
  cancelEnd?: () => void
}
type SocketContext = Context<Record<string, unknown>, SocketExtra>

export interface SocketServerOptions {
  deps: ApiDeps
  updates: CaseUpdates
  schema: GraphQLSchema
  /** JSON Schema of a GraphQL request, as `POST /graphql` takes it. */
  body: object
}

/** The member `authorization` of the payload, whose name is that of the header. */
function authorizationIn(payload: Readonly<Record<string, unknown>> = {}): string | undefined {
  const values = Object.entries(payload)
    .filter(([name]) => name.toLowerCase() === 'authorization')
    .map(([, value]) => value)
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : undefined
}

/** Ends the socket after the longest time; the code says whether the token is still valid. */
async function endSocket(token: string, extra: SocketExtra, deps: ApiDeps): Promise<void> {
  const { socket, request } = extra
  try {
    await authenticateToken(token, deps)
    socket.close(GOING_AWAY, CONNECT_AGAIN)
  } catch (error) {
    if (error instanceof AuthenticationError) {
      return socket.close(CloseCode.Unauthorized, 'Unauthorized')
    }
    request.log.error({ err: error }, 'unexpected failure')
    socket.close(GOING_AWAY, CONNECT_AGAIN)
  }
}

/** Authenticates the tenant of a socket. @throws AuthenticationError, ThrottledError */
async function identify({ connectionParams, extra }: SocketContext, deps: ApiDeps): Promise<void> {
  const { socket, request, place } = extra
  const { token, tenant } = await countingGuesses(request, deps, async () => {
    const token = bearerTokenIn(authorizationIn(connectionParams))
    return { token, tenant: await authenticateToken(token, deps) }
  })
  request.tenant = tenant
  logIds(request, { tenant })
  await countTenant(request, deps)
  place.identify(tenant)
  if (socket.readyState !== socket.OPEN) return
  extra.cancelEnd = deps.timers.after(LONGEST_STREAM_MS, () => void endSocket(token, extra, deps))
}

const asGraphqlError = (error: unknown) =>
  error instanceof GraphQLError
    ? error
    : new GraphQLError('failed', { originalError: error as Error })

/** Begins a subscription. @throws GraphQLError for a payload that is not a GraphQL request */
async function begin(
  { request }: SocketExtra,
  payload: object,
  { deps, updates, schema, body }: SocketServerOptions,
) {
  if (!request.validateInput(payload, body)) {
    throw new GraphQLError('The payload is not a GraphQL request')
  }
  await countTenant(request, deps)
  await updates.listen()
  const asked = payload as SubscriptionRequest
  const begun = await subscribeTo(schema, asked, { tenant: request.tenant, updates })
  if ('errors' in begun) return begun.errors
  const { document, results } = begun
  return { schema, document, operationName: asked.operationName, contextValue: results }
}

/** The server of the library, with authentication, limits and errors of the service. */
export function socketServer(options: SocketServerOptions): Server<SocketExtra> {
  const present = (errors: readonly GraphQLError[], { extra }: SocketContext) =>
    errors.map((error) => presentGraphqlError(error, extra.request))
  return makeServer<Record<string, unknown>, SocketExtra>({
    connectionInitWaitTimeout: INITIALISATION_MS,
    onConnect: (context) => identify(context, options.deps),
    onSubscribe: ({ extra }, _id, payload) =>
      begin(extra, payload, options).catch((error: unknown) => [asGraphqlError(error)]),
    // It runs already, because only `onSubscribe` can refuse it with the message `error`.
    subscribe: ({ contextValue }) => contextValue as never,
    onNext: (context, _id, _payload, _args, { data, errors }) =>
      ({ data, ...(errors ? { errors: present(errors, context) } : {}) }) as never,
    onError: (context, _id, _payload, errors) => present(errors, context) as never,
  })
}
