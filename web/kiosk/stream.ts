/** The channel of a kiosk: server-sent events that go on after every loss (specification 6.3). */
import { EventSource, type FetchLike } from 'eventsource'
import type { BrandingAnswer } from '../../domain/contract/participant-answers.ts'

export interface Opened {
  eventId: string
  caseId: string
  participantId: string
  url: string
  title: string
}

export type Connection = 'connecting' | 'open' | 'lost' | 'replaced' | 'unpaired'

interface Listener {
  onConnection(connection: Connection): void
  onOpen(opened: Opened): void
  /** The look of the tenant; once for each connection. */
  onBranding(branding: BrandingAnswer): void
  /** @param reason `SIGNED`, or with which status the case ended */
  onClose(closed: { eventId: string; participantId?: string; reason?: string }): void
}

/** Two heartbeats of the server, which sends one every 15 seconds, and a second for the way. */
const SILENCE_LIMIT_MS = 31_000
/** An attempt to connect that takes longer is given up for the next. */
const CONNECT_LIMIT_MS = 10_000
const RECONNECT_DELAY_MS = 2_000
const UNAUTHORIZED = 401

/** Called for every chunk that arrives, comments included. */
function overheard(body: ReadableStream<Uint8Array>, onPiece: () => void) {
  const pieces = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      onPiece()
      controller.enqueue(piece)
    },
  })
  return body.pipeThrough(pieces)
}

/**
 * Fetches the channel with the cookie of the device.
 *
 * @param known the last event that was handled
 * @param onPiece called for every piece that comes
 */
function fetchFrom(known: () => string | undefined, onPiece: () => void): FetchLike {
  return async (url, init) => {
    const eventId = known()
    const headers = { ...init.headers, ...(eventId ? { 'Last-Event-ID': eventId } : {}) }
    const response = await fetch(url, { ...init, headers, credentials: 'same-origin' })
    const { body, status, redirected } = response
    return {
      body: body && overheard(body, onPiece),
      url: response.url,
      status,
      redirected,
      headers: response.headers,
    }
  }
}

/** Passes events about cases to the listener. @param onEvent called first, with the id */
function listenToCases(
  source: EventSource,
  listener: Omit<Listener, 'onConnection'>,
  onEvent: (eventId: string) => void,
): void {
  source.addEventListener('device.branding', ({ data }) => {
    listener.onBranding(JSON.parse(data) as BrandingAnswer)
  })
  source.addEventListener('device.open_case', ({ data, lastEventId: eventId }) => {
    onEvent(eventId)
    listener.onOpen({ ...(JSON.parse(data) as Omit<Opened, 'eventId'>), eventId })
  })
  source.addEventListener('device.close_case', ({ data, lastEventId: eventId }) => {
    onEvent(eventId)
    listener.onClose({ ...(JSON.parse(data) as object), eventId })
  })
}

/**
 * Listens until it is stopped, another screen takes the channel, or the kiosk is removed.
 *
 * @param lastEventId the last event of an earlier visit, which is over
 * @returns stops listening
 */
export function listen(
  channel: string,
  lastEventId: string | undefined,
  listener: Listener,
): () => void {
  let source: EventSource | undefined
  let known = lastEventId
  let timer: number | undefined
  let isOver = false

  const later = (delayMs: number) => {
    window.clearTimeout(timer)
    timer = window.setTimeout(connect, delayMs)
  }
  /** Without a sign of life within the limit, the line is lost, and another is tried. */
  const expectWithin = (limitMs: number) => {
    window.clearTimeout(timer)
    timer = window.setTimeout(() => {
      listener.onConnection('lost')
      // The server must see the end of this attempt before the next one, or it ends the next one.
      source?.close()
      later(RECONNECT_DELAY_MS)
    }, limitMs)
  }
  const ask = fetchFrom(
    () => known,
    () => expectWithin(SILENCE_LIMIT_MS),
  )
  const end = (connection: Connection) => {
    isOver = true
    window.clearTimeout(timer)
    source?.close()
    listener.onConnection(connection)
  }
  function connect(): void {
    if (isOver) return
    source?.close()
    expectWithin(CONNECT_LIMIT_MS)
    const made = new EventSource(channel, { fetch: ask })
    source = made
    listenToCases(made, listener, (eventId) => void (known = eventId))
    made.addEventListener('open', () => {
      listener.onConnection('open')
      expectWithin(SILENCE_LIMIT_MS)
    })
    made.addEventListener('error', ({ code }) => {
      if (isOver || made !== source) return
      if (code === UNAUTHORIZED) return end('unpaired')
      listener.onConnection('lost')
      later(RECONNECT_DELAY_MS)
    })
    made.addEventListener('device.replaced', () => end('replaced'))
  }
  connect()
  return () => {
    isOver = true
    window.clearTimeout(timer)
    source?.close()
  }
}
