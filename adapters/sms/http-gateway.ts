/**
 * Sends text messages through an HTTP gateway that the operator chose: one POST with JSON per
 * message, 2xx means accepted (decision 43).
 */
import type { OutboundHttp } from '../../domain/ports/outbound-http.ts'
import type { Sms, SmsSender } from '../../domain/ports/sms-sender.ts'

/** Within the time limit of a request. */
const TIMEOUT_MS = 10_000

/** The response body is not read, because it may contain the message. */
const MAXIMUM_RESPONSE_OCTETS = 0

export interface HttpSmsGatewayOptions {
  /** May connect to any address that the operator configures, public or not. */
  http: OutboundHttp
  url: string
  /** Bearer credential. */
  token?: string
  timeoutMs?: number
}

/** The gateway did not accept the message; the error contains neither number nor text. */
export class SmsGatewayError extends Error {
  override readonly name = 'SmsGatewayError'
}

export class HttpSmsGateway implements SmsSender {
  readonly #http: OutboundHttp
  readonly #url: string
  readonly #headers: Record<string, string>
  readonly #timeoutMs: number

  constructor({ http, url, token, timeoutMs = TIMEOUT_MS }: HttpSmsGatewayOptions) {
    this.#http = http
    this.#url = url
    this.#headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }
    this.#timeoutMs = timeoutMs
  }

  /**
   * Sends once; the caller decides whether to retry. Redirects are not followed, so that the
   * credential is only sent to the configured URL.
   *
   * @throws SmsGatewayError
   */
  async send({ id, to, text }: Sms): Promise<void> {
    const result = await this.#http.send({
      url: this.#url,
      method: 'POST',
      headers: { ...this.#headers, 'idempotency-key': id },
      body: JSON.stringify({ id, to, text }),
      timeoutMs: this.#timeoutMs,
      maximumResponseOctets: MAXIMUM_RESPONSE_OCTETS,
    })
    if (result.outcome !== 'answered') {
      throw new SmsGatewayError(`the SMS gateway cannot be reached: ${result.reason}`)
    }
    const { status } = result
    if (status >= 200 && status < 300) return
    throw new SmsGatewayError(`the SMS gateway answered ${status}`)
  }
}
