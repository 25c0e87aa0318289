/** The tenant's endpoint for webhooks: accepts every event, and counts how often each one came. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** The members of an event that are used here (specification 6.2). */
interface Event {
  id: string
  caseId: string
  occurredAt: string
}

export interface TenantEndpoint {
  url: string
  /** Events that came at least once, for each case. */
  received: ReadonlyMap<string, number>
  /** Deliveries of events that had already been accepted. */
  repeated(): number
  close(): Promise<void>
}

/**
 * Listens on loopback.
 *
 * @param onEvent called for the first delivery of each event, with the milliseconds since the
 *   event; sender and receiver must have the same clock
 */
export async function openTenantEndpoint(
  onEvent: (latencyMs: number) => void,
): Promise<TenantEndpoint> {
  const seen = new Set<string>()
  const received = new Map<string, number>()
  let repeated = 0
  const accept = (event: Event) => {
    if (seen.has(event.id)) {
      repeated += 1
      return
    }
    seen.add(event.id)
    received.set(event.caseId, (received.get(event.caseId) ?? 0) + 1)
    onEvent(Date.now() - Date.parse(event.occurredAt))
  }
  const server = createServer((request, response) => {
    json(request).then(
      (event) => {
        // A sender that has given up did not get an answer, and may send the event again.
        if (response.destroyed) return
        accept(event as Event)
        response.writeHead(204).end()
      },
      () => response.writeHead(400).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/events`,
    received,
    repeated: () => repeated,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
