/** A tenant's endpoint for webhooks that remembers what came, and answers as configured. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { Json, World } from './world.ts'

export interface Delivery {
  path: string
  headers: IncomingHttpHeaders
  /** As it was sent, octet for octet. */
  raw: Buffer
  body: Json
}

type Behaviour = (response: ServerResponse, attempt: number) => void

export const answering =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end()

export class Receiver {
  readonly deliveries: Delivery[] = []
  readonly #behaviours = new Map<string, Behaviour>()
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  /** An address of its own, at which every delivery is answered like this. */
  address(name: string, behaviour: Behaviour = answering(204)): string {
    this.#behaviours.set(`/${name}`, behaviour)
    return `${this.#origin}/${name}`
  }

  at(name: string): Delivery[] {
    return this.deliveries.filter(({ path }) => path === `/${name}`)
  }

  take(delivery: Delivery, response: ServerResponse): void {
    this.deliveries.push(delivery)
    const behaviour = this.#behaviours.get(delivery.path) ?? answering(404)
    behaviour(response, this.deliveries.filter(({ path }) => path === delivery.path).length)
  }
}

function parsed(raw: Buffer): Json {
  try {
    return JSON.parse(raw.toString())
  } catch {
    return undefined
  }
}

/** Listens on loopback until the test ends. */
export async function openReceiver(t: Test): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const raw = await buffer(request)
    const { url = '', headers } = request
    receiver.take({ path: url, headers, raw, body: parsed(raw) }, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver = new Receiver(`http://127.0.0.1:${port}`)
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return receiver
}

/** @returns waits for the n-th delivery (from 1) at an address */
export const deliveriesAt =
  (world: World, receiver: Receiver) =>
  (name: string, count = 1): Promise<Delivery> =>
    world.until(`delivery ${count} at ${name}`, async () => receiver.at(name)[count - 1])
