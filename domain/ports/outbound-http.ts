/**
 * The port for outgoing requests. Requests to URLs that tenants chose pass the egress guard (design
 * 2).
 */

export interface OutboundRequest {
  /** Absolute, http or https, without user and password. */
  url: string
  method: 'GET' | 'POST'
  /**
   * Headers, keyed by name. `Host`, lengths, connection headers and `User-Agent` are set by the
   * adapter and refused here.
   */
  headers: Readonly<Record<string, string>>
  /** A string is sent as UTF-8. */
  body?: string | Uint8Array
  /** Time limit of the whole exchange: name resolution, connection, TLS, request and response. */
  timeoutMs: number
  /** Limit of the response body; longer bodies are truncated. */
  maximumResponseOctets: number
}

/** Why a request was not sent; a retry cannot help. */
export type Refusal =
  /** Not a URL, not http or https, or it contains a user or password. */
  | 'url-not-allowed'
  /** The host is, or resolves to, an address that the guard forbids. */
  | 'address-forbidden'
  /** A header or the body is invalid in HTTP, or the caller may not set the header. */
  | 'request-malformed'

/** Why there is no complete response; a retry may help. */
export type NoAnswer =
  | 'timeout'
  | 'name-not-resolved'
  | 'connection-failed'
  | 'tls-failed'
  /** Closed or reset before the response was complete. */
  | 'connection-lost'
  /** The response is not valid HTTP/1.1. */
  | 'answer-malformed'

export interface OutboundAnswer {
  outcome: 'answered'
  /** From 200; redirects are returned and never followed. */
  status: number
  /** Keyed by the name in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** At most `maximumResponseOctets`. */
  body: Uint8Array
  /** Whether the body was longer. */
  truncated: boolean
  durationMs: number
}

/** The result of a request; only the response itself can contain a secret. */
export type OutboundResult =
  | OutboundAnswer
  | { outcome: 'refused'; reason: Refusal; durationMs: number }
  | { outcome: 'no-answer'; reason: NoAnswer; durationMs: number }

export interface OutboundHttp {
  /** Sends the request exactly once. It does not throw. */
  send(request: OutboundRequest): Promise<OutboundResult>
  /** Waits for running requests and closes all connections. */
  close(): Promise<void>
}
