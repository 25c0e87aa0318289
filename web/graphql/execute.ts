/** Sends what the page runs: queries by POST, subscriptions by WebSocket. */
import { buildClientSchema, getIntrospectionQuery, type GraphQLSchema } from 'graphql'
import { createClient } from 'graphql-ws'

const PATH = '/graphql'

export interface Operation {
  query: string
  variables?: Record<string, unknown>
}

const postJson = (url: string, body: object, token?: string) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })

/** Runs a query. @returns the JSON of the response, also that of a refusal */
export async function runQuery(operation: Operation, token: string): Promise<unknown> {
  return (await postJson(PATH, operation, token)).json()
}

/** @returns undefined when the service refuses the token */
export async function readSchema(token: string): Promise<GraphQLSchema | undefined> {
  const query = getIntrospectionQuery({ descriptions: false })
  const response = await postJson(PATH, { query }, token)
  const { data } = (await response.json()) as { data?: Parameters<typeof buildClientSchema>[0] }
  return data ? buildClientSchema(data) : undefined
}

/** Issues a token of the local issuer. @returns undefined when the tenant has no valid name */
export async function issueToken(tenant: string): Promise<string | undefined> {
  const created = await postJson('/dev/console/codes', { tenant })
  if (!created.ok) return undefined
  const { code } = (await created.json()) as { code: string }
  const exchanged = await postJson('/dev/console/token', { code })
  return exchanged.ok ? ((await exchanged.json()) as { token: string }).token : undefined
}

export interface SubscriptionEvents {
  onResult(result: unknown): void
  /** @param fault what the service refused; undefined when the subscription is over */
  onEnd(fault?: unknown): void
}

/** What an error of the library says: errors of GraphQL, or the end of the socket. */
const faultOf = (error: unknown) =>
  error instanceof CloseEvent
    ? { closed: { code: error.code, reason: error.reason } }
    : { errors: error instanceof Error ? [{ message: error.message }] : error }

/** Runs a subscription. @returns stops it */
export function runSubscription(
  operation: Operation,
  token: string,
  { onResult, onEnd }: SubscriptionEvents,
): () => void {
  const url = new URL(PATH, window.location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  const client = createClient({
    url: url.href,
    connectionParams: { authorization: `Bearer ${token}` },
  })
  client.subscribe(operation, {
    next: onResult,
    error: (error) => onEnd(faultOf(error)),
    complete: () => onEnd(),
  })
  return () => void client.dispose()
}
