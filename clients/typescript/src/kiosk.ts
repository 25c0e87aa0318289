/** Listens to the channel of a kiosk, and connects again when the connection is lost. */
import { readBaseUrl } from './base-url.ts'
import { assertSendable, readError, SigcaseError } from './errors.ts'
import { EventStreamParser, type ServerSentEvent } from './event-stream.ts'
import type { PairKioskResult } from './types.ts'
import { backOffMs, readRetryAfterMs, sleep } from './waiting.ts'

const PAIRING_TIMEOUT_MS = 30_000
/** The service sends a comment every 15 seconds. */
const SILENCE_LIMIT_MS = 30_000
const DEFAULT_RETRY_MS = 1_000
const MAXIMUM_DELAY_MS = 30_000
const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1000

interface HandOver {
  caseId: string
  participantId: string
}

export interface PairedKiosk {
  device: PairKioskResult
  /** `name=value` of the cookie; undefined in browsers, which keep the cookie themselves. */
  cookie: string | undefined
}

/**
 * Exchanges the token of a kiosk for the cookie with which a browser opens the channel.
 *
 * @throws SigcaseError UNAUTHORIZED for a token that is not valid
 */
export async function pairKiosk({
  baseUrl,
  token,
  signal,
  fetch: send = fetch,
}: Pick<KioskOptions, 'baseUrl' | 'token' | 'signal' | 'fetch'>): Promise<PairedKiosk> {
  const timeout = AbortSignal.timeout(PAIRING_TIMEOUT_MS)
  const answer = await send(`${readBaseUrl(baseUrl)}/kiosk/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  })
  if (!answer.ok) throw await readError(answer, 'pairing of the kiosk')
  const [setCookie] = answer.headers.getSetCookie()
  return {
    device: (await answer.json()) as PairKioskResult,
    cookie: setCookie?.split(';')[0],
  }
}

/** An event that the service sends to a kiosk. */
export type KioskEvent =
  | { type: 'device.open_case'; id: string; data: HandOver & { url: string; title: string } }
  | { type: 'device.close_case'; id: string; data: HandOver & { reason?: string } }

export interface KioskOptions {
  /** URL of the service. */
  baseUrl: string
  deviceId: string
  /** Token of the registration. */
  token: string
  /** Id of the last event that the kiosk processed before it was restarted. */
  lastEventId?: string
  signal?: AbortSignal
  /** Called after each change: whether the kiosk is connected. */
  onConnection?: (isConnected: boolean) => void
  /** Milliseconds without a connection after which the client gives up; a day by default. */
  giveUpAfterMs?: number
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch
}

/** One connection at a time, with what the next one needs to know. */
class Channel {
  readonly #options: KioskOptions
  #lastEventId: string
  #failures = 0
  #lostAtMs: number | undefined
  /** Delay before the next connection, as the service asked. */
  #retryMs = DEFAULT_RETRY_MS

  constructor(options: KioskOptions) {
    this.#options = { ...options, baseUrl: readBaseUrl(options.baseUrl) }
    this.#lastEventId = options.lastEventId ?? ''
  }

  async #open(signal: AbortSignal): Promise<Response> {
    const { baseUrl, deviceId, token, fetch: send = fetch } = this.#options
    const url = `${baseUrl}/devices/${encodeURIComponent(deviceId)}/events`
    const headers = {
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      ...(this.#lastEventId === '' ? {} : { 'last-event-id': this.#lastEventId }),
    }
    assertSendable(headers, 'channel of the kiosk')
    const answer = await send(url, { headers, redirect: 'manual', signal })
    if (answer.ok) return answer
    const afterMs = readRetryAfterMs(answer.headers.get('retry-after'), Date.now())
    if (afterMs !== undefined) this.#retryMs = afterMs
    throw await readError(answer, 'channel of the kiosk')
  }

  #read(event: ServerSentEvent): KioskEvent[] {
    if (event.id !== '') this.#lastEventId = event.id
    if (event.type === 'device.replaced') {
      throw new SigcaseError('DEVICE_REPLACED', 'Another client opened the channel of this kiosk')
    }
    if (event.type !== 'device.open_case' && event.type !== 'device.close_case') return []
    const { type, id } = event
    return [{ type, id, data: JSON.parse(event.data) } as KioskEvent]
  }

  /** Yields the events of one connection. */
  async *connect(): AsyncGenerator<KioskEvent, void, undefined> {
    const { signal, onConnection } = this.#options
    const silence = new AbortController()
    const watch = () => setTimeout(() => silence.abort(), SILENCE_LIMIT_MS)
    let timer = watch()
    const signals = signal ? [signal, silence.signal] : [silence.signal]
    const parser = new EventStreamParser()
    const decoder = new TextDecoder()
    try {
      const answer = await this.#open(AbortSignal.any(signals))
      this.#failures = 0
      this.#lostAtMs = undefined
      onConnection?.(true)
      const reader = answer.body?.getReader()
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true }
        if (done) break
        clearTimeout(timer)
        timer = watch()
        for (const event of parser.push(decoder.decode(value, { stream: true }))) {
          yield* this.#read(event)
        }
      }
    } finally {
      clearTimeout(timer)
      // Ends a connection whose events are no longer read.
      silence.abort()
      if (parser.retryMs !== undefined) this.#retryMs = parser.retryMs
      onConnection?.(false)
    }
  }

  /** Waits before the next connection. @throws the error when another one cannot help */
  async recover(error: unknown): Promise<void> {
    const { signal, giveUpAfterMs = GIVE_UP_AFTER_MS } = this.#options
    signal?.throwIfAborted()
    if (error instanceof SigcaseError && !isTemporary(error)) throw error
    this.#lostAtMs ??= Date.now()
    if (Date.now() - this.#lostAtMs >= giveUpAfterMs) {
      throw new SigcaseError('CHANNEL_LOST', 'The kiosk has no connection', { cause: error })
    }
    if (error !== undefined) this.#failures += 1
    const backOff = this.#failures === 0 ? 0 : backOffMs(this.#failures, MAXIMUM_DELAY_MS)
    await sleep(Math.min(Math.max(this.#retryMs, backOff), MAXIMUM_DELAY_MS), signal)
  }
}

function isTemporary({ status }: SigcaseError): boolean {
  return status === 429 || status >= 500
}

/**
 * Yields the events of a kiosk until the signal ends it. Leave the loop to close the connection.
 *
 * @throws SigcaseError UNAUTHORIZED when the device was removed, DEVICE_REPLACED when another
 *   client opened its channel (do not connect again), CHANNEL_LOST
 */
export async function* listenKiosk(
  options: KioskOptions,
): AsyncGenerator<KioskEvent, void, undefined> {
  const channel = new Channel(options)
  // Ends by `recover`, which gives up after a time without a connection.
  for (;;) {
    let failure: unknown
    try {
      yield* channel.connect()
    } catch (error) {
      failure = error
    }
    await channel.recover(failure)
  }
}
