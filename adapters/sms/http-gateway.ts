/**
 * Short messages by an HTTP gateway that the operator chose: a POST of JSON for each message, 2xx
 * when it was accepted (decision 43).
 */
import type { Sms, SmsSender } from '../../domain/ports/sms-sender.ts'

/** Within the time that a request has. */
const TIMEOUT_MS = 10_000

export interface HttpSmsGatewayOptions {
  url: string
  /** Bearer credential. */
  token?: string
  timeoutMs?: number
}

/** The gateway's own answer is not read: it may repeat the message. */
export class SmsGatewayError extends Error {
  override readonly name = 'SmsGatewayError'
}

export class HttpSmsGateway implements SmsSender {
  readonly #url: string
  readonly #headers: Record<string, string>
  readonly #timeoutMs: number

  constructor({ url, token, timeoutMs = TIMEOUT_MS }: HttpSmsGatewayOptions) {
    this.#url = url
    this.#headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }
    this.#timeoutMs = timeoutMs
  }

  /** Sends once: whether to try again is for who asked. @throws SmsGatewayError */
  async send({ id, to, text }: Sms): Promise<void> {
    const status = await this.#post(id, JSON.stringify({ id, to, text }))
    if (status >= 200 && status < 300) return
    throw new SmsGatewayError(`the SMS gateway answered ${status}`)
  }

  /** A redirect is an answer like another: the credential goes to the configured address alone. */
  async #post(id: string, body: string): Promise<number> {
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { ...this.#headers, 'idempotency-key': id },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#timeoutMs),
      })
      await response.body?.cancel()
      return response.status
    } catch (cause) {
      throw new SmsGatewayError('the SMS gateway cannot be reached', { cause })
    }
  }
}
