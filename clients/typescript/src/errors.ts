/** The error class of the client, and how a response becomes an error. */

/** Codes of this client, for what has no code of the service. */
export type ClientErrorCode =
  | 'VALIDATION_FAILED'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'THROTTLED'
  | 'NETWORK'
  | 'CASE_ENDED'
  | 'WAIT_TIMEOUT'
  | 'NO_DOCUMENT'
  | 'DIGEST_MISMATCH'
  | 'WEBHOOK_INVALID'
  | 'DEVICE_REPLACED'
  | 'CHANNEL_LOST'

const CODES: Readonly<Record<number, ClientErrorCode>> = {
  400: 'VALIDATION_FAILED',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  429: 'THROTTLED',
}

/** More of a response that is not JSON does not help. */
const MESSAGE_CHARACTERS = 300

export interface ErrorDetails {
  /** HTTP status; 0 when there was no response. */
  status?: number
  data?: Readonly<Record<string, unknown>>
  cause?: unknown
}

/** Every failure of this client. Act on `code`; `message` is for people and may change. */
export class SigcaseError extends Error {
  override readonly name = 'SigcaseError'
  /** Code of the service, a {@link ClientErrorCode}, or `HTTP_<status>`. */
  readonly code: string
  /** HTTP status; 0 when there was no response. */
  readonly status: number
  /** The other members of the response, such as `validationErrors` or `retryAfterSeconds`. */
  readonly data: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, { status = 0, data = {}, cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
    this.data = data
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function codeOf(status: number, { validationErrors }: Record<string, unknown>): string {
  if (status === 400 && !Array.isArray(validationErrors)) return 'HTTP_400'
  return CODES[status] ?? `HTTP_${status}`
}

/** Lists the problems of a validation error for its message. */
function problemsOf({ validationErrors }: Record<string, unknown>): string {
  if (!Array.isArray(validationErrors)) return ''
  const problems = validationErrors as { instancePath?: string; message?: string }[]
  return problems.map(({ instancePath, message }) => `; ${instancePath || '/'} ${message}`).join('')
}

const UNSENDABLE = 'must not have control characters or characters above U+00FF'

function isSendable(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name)
  } catch {
    return false
  }
}

/**
 * Refuses headers that HTTP cannot send: `fetch` fails with them as when a connection is lost.
 *
 * @param what the request, for the message
 * @throws SigcaseError VALIDATION_FAILED with the name of the header; its value can be a secret
 */
export function assertSendable(headers: Readonly<Record<string, string>>, what: string): void {
  for (const [name, value] of Object.entries(headers)) {
    if (isSendable(name, value)) continue
    const instancePath = `/${name}`
    const params = { format: 'header' }
    const problem = { instancePath, keyword: 'format', params, message: UNSENDABLE }
    const message = `${what}: ${instancePath} ${UNSENDABLE}`
    throw new SigcaseError('VALIDATION_FAILED', message, { data: { validationErrors: [problem] } })
  }
}

/**
 * Reads the error of a response that is not successful.
 *
 * @param what the request, for the message
 */
export async function readError(response: Response, what: string): Promise<SigcaseError> {
  const { status } = response
  const text = await response.text().catch(() => '')
  const { code, message, ...data } = parseObject(text)
  const said = typeof message === 'string' ? message : text.slice(0, MESSAGE_CHARACTERS)
  const problems = problemsOf(data)
  const named = typeof code === 'string' ? code : codeOf(status, data)
  return new SigcaseError(named, `${what}: ${status} ${named} ${said}${problems}`.trim(), {
    status,
    data,
  })
}
