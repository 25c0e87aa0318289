/** Results of a GraphQL subscription as server-sent events (GraphQL over SSE). */
import type { ServerResponse } from 'node:http'
import type { Timers } from '../../domain/ports/timers.ts'
import { EVENT_STREAM, HEARTBEAT } from '../devices/events.ts'

export const HEARTBEAT_MS = 15_000
/** Then the client subscribes again, with a token that is checked again. */
export const LONGEST_STREAM_MS = 5 * 60_000
const COMPLETE = 'event: complete\ndata: \n\n'
/** A client that leaves more unread is disconnected. */
export const MAXIMUM_UNREAD_BYTES = 256 * 1024

export interface StreamOptions {
  response: ServerResponse
  /** Sent with the headers of an event stream. */
  headers: Record<string, string | string[] | number | undefined>
  results: AsyncIterator<object>
  timers: Timers
  /** @returns the JSON of a result */
  present(result: object): object
}

/** Sends heartbeats until the returned function is called. */
function sendHeartbeats({ response, timers }: StreamOptions): () => void {
  let cancel = () => undefined as void
  const arm = () => {
    cancel = timers.after(HEARTBEAT_MS, () => {
      // Everything before this heartbeat should have left the process by now.
      if (response.writableLength > 0) response.destroy()
      if (response.destroyed) return
      response.write(HEARTBEAT)
      arm()
    })
  }
  arm()
  return () => cancel()
}

/**
 * Sends each result until the source ends, the client leaves, or the stream has lasted long enough.
 * A source that ends completes the stream; the client may subscribe again.
 */
export async function streamResults(options: StreamOptions): Promise<void> {
  const { response, headers, results, timers, present } = options
  response.writeHead(200, {
    ...headers,
    'content-type': `${EVENT_STREAM}; charset=utf-8`,
    // For proxies that would collect the answer before they pass it on.
    'x-accel-buffering': 'no',
  })
  response.write(HEARTBEAT)
  const stop = () => void results.return?.()
  const endings = [sendHeartbeats(options), timers.after(LONGEST_STREAM_MS, stop)]
  response.once('close', stop)
  try {
    for (let next = await results.next(); !next.done; next = await results.next()) {
      if (response.destroyed) return
      response.write(`event: next\ndata: ${JSON.stringify(present(next.value))}\n\n`)
      if (response.writableLength > MAXIMUM_UNREAD_BYTES) response.destroy()
    }
    if (!response.destroyed) response.end(COMPLETE)
  } finally {
    for (const end of endings) end()
    stop()
  }
}
