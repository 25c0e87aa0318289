/**
 * Sends text messages through an HTTP gateway that the operator chose: one POST with JSON per
 * message, 2xx means accepted (decision 40).
 */
import { DeliveryRefusedError } from '../../domain/ports/delivery-refused.ts'
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

/** What passes with time: too early, too many, or a time-out (RFC 9110, RFC 6585, RFC 8470). */
const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429])
/** What is said of the credential, the account, the address or the form of every request. */
const ABOUT_THE_SENDER: ReadonlySet<number> = new Set([401, 402, 403, 404, 405, 406, 407, 411, 415])

/** The gateway did not take the message now; says neither number nor text. */
class SmsGatewayError extends Error {
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
   * Sends once: whether to try again is for who asked. A redirect is an answer like another: the
   * credential goes to the configured address alone.
   * @throws DeliveryRefusedError when the gateway refused it for good
   * @throws SmsGatewayError when it may take it later
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
    const message = `the SMS gateway answered ${status}`
    if (status >= 500 || TEMPORARY.has(status)) throw new SmsGatewayError(message)
    const isAboutSender = status < 400 || ABOUT_THE_SENDER.has(status)
    throw new DeliveryRefusedError(message, isAboutSender ? 'sender' : 'recipient', status)
  }
}
