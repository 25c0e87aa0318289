/**
 * Requests to others. Those to addresses that tenants chose go through the egress guard (design 2).
 */

export interface OutboundRequest {
  /** Absolute, http or https, without user and password. */
  url: string
  method: 'GET' | 'POST'
  /**
   * By name; `Host`, lengths and what concerns the connection follow from the URL and the body, and
   * are refused here, as is `User-Agent`, which says what this service is.
   */
  headers: Readonly<Record<string, string>>
  /** A text goes as UTF-8. */
  body?: string | Uint8Array
  /** For the whole exchange: name, connection, TLS, request, headers and body of the answer. */
  timeoutMs: number
  /** Of the answer's body; what is longer is cut off there. */
  maximumResponseOctets: number
}

/** Why a request was not sent and never will be. */
export type Refusal =
  /** Not http or https, a user or a password in it, or no URL at all. */
  | 'url-not-allowed'
  /** The host is, or its name leads to, an address that the guard forbids. */
  | 'address-forbidden'
  /** A header or the body that HTTP cannot carry, or that is not the caller's to set. */
  | 'request-malformed'

/** Why there is no whole answer; another time there may be one. */
export type NoAnswer =
  | 'timeout'
  | 'name-not-resolved'
  | 'connection-failed'
  | 'tls-failed'
  /** Closed or reset before the answer was whole. */
  | 'connection-lost'
  /** What came is no HTTP/1.1 answer. */
  | 'answer-malformed'

export interface OutboundAnswer {
  outcome: 'answered'
  /** From 200; a redirect is an answer like any other and is never followed. */
  status: number
  /** By name in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** At most `maximumResponseOctets`. */
  body: Uint8Array
  /** Whether the body went on. */
  truncated: boolean
  durationMs: number
}

/** What became of a request; nothing in it but the answer itself can hold a secret. */
export type OutboundResult =
  | OutboundAnswer
  | { outcome: 'refused'; reason: Refusal; durationMs: number }
  | { outcome: 'no-answer'; reason: NoAnswer; durationMs: number }

export interface OutboundHttp {
  /** Sends the request once, and never by itself a second time. It does not throw. */
  send(request: OutboundRequest): Promise<OutboundResult>
  /** Waits for what runs and closes all connections. */
  close(): Promise<void>
}
