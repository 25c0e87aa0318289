/** Sends requests to the API as the tenant; the token is only ever in a header. */
import type { ErrorCode, ErrorDetails } from '../../domain/errors.ts'
import { readEvents, type ServerEvent } from './event-blocks.ts'

/** After this time without an answer, the API counts as unreachable. */
const ANSWER_LIMIT_MS = 30_000
const UNAUTHORIZED = new Set([401, 403])

/** One violated rule (specification 7). */
export interface RuleFault {
  instancePath: string
  keyword: string
  params: Record<string, unknown>
  message: string
}

export interface Refusal extends ErrorDetails {
  kind: 'refused'
  httpStatus: number
  /** Absent where the contract names none. */
  code?: ErrorCode
  message?: string
  validationErrors?: RuleFault[]
}
export type Outcome<T> = { kind: 'answered'; value: T } | Refusal | { kind: 'unreachable' }
/** Why a request has no answer. */
export type Fault = Exclude<Outcome<never>, { kind: 'answered' }>

interface GraphqlAnswer<T> {
  data: T | null
  errors?: { extensions?: { code?: ErrorCode } }[]
}

export interface Asked {
  body?: object
  headers?: Record<string, string>
}

/** Reads and writes as one tenant. Refusals and a missing network are outcomes, not errors. */
export class TenantClient {
  readonly #token: string
  readonly #onUnauthorized: () => void

  /** @param onUnauthorized called when the API does not accept the token */
  constructor(token: string, onUnauthorized: () => void) {
    this.#token = token
    this.#onUnauthorized = onUnauthorized
  }

  /**
   * Sends a request with the token.
   *
   * @param path with a slash at its start
   */
  async ask<T>(method: string, path: string, { body, headers }: Asked = {}): Promise<Outcome<T>> {
    try {
      const response = await fetch(path, {
        method,
        cache: 'no-store',
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${this.#token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      const answer = isJson ? ((await response.json()) as unknown) : {}
      if (response.ok) return { kind: 'answered', value: answer as T }
      if (UNAUTHORIZED.has(response.status)) this.#onUnauthorized()
      return { ...(answer as object), kind: 'refused', httpStatus: response.status }
    } catch {
      return { kind: 'unreachable' }
    }
  }

  /**
   * Subscribes by GraphQL; it ends when the service ends it, when the network fails, or by the
   * signal.
   *
   * @param onEvent also called for a heartbeat, with undefined
   */
  async subscribe(
    query: string,
    signal: AbortSignal,
    onEvent: (event: ServerEvent | undefined) => void,
  ): Promise<void> {
    try {
      const response = await fetch('/graphql/stream', {
        method: 'POST',
        cache: 'no-store',
        signal,
        headers: {
          accept: 'text/event-stream',
          authorization: `Bearer ${this.#token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ query }),
      })
      if (UNAUTHORIZED.has(response.status)) this.#onUnauthorized()
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
      if (response.ok && isStream && response.body) await readEvents(response.body, onEvent)
    } catch {
      // The caller subscribes again.
    }
  }

  /** Reads by GraphQL. @returns the first refusal when a part could not be read */
  async query<T>(query: string, variables: Record<string, unknown>): Promise<Outcome<T>> {
    const body = { query, variables }
    const outcome = await this.ask<GraphqlAnswer<T>>('POST', '/graphql', { body })
    if (outcome.kind !== 'answered') return outcome
    const { data, errors } = outcome.value
    if (data && !errors) return { kind: 'answered', value: data }
    const code = errors?.[0]?.extensions?.code
    return { kind: 'refused', httpStatus: 200, ...(code === undefined ? {} : { code }) }
  }
}
