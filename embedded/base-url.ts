/** Where the service on one machine is reached: the base of every link that it gives out. */
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { Config } from './config.ts'

/** Addresses to listen on that nobody can call. */
const ANY_ADDRESS = new Set(['0.0.0.0', '::'])

/** The port to listen on: links are made before anything listens, so that 0 is settled first. */
export async function settledPort({ port, host }: Config): Promise<number> {
  if (port !== 0) return port
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const free = (server.address() as AddressInfo).port
  server.close()
  await once(server, 'close')
  return free
}

/** @param port settled */
export function baseUrlOf({ host, baseUrl }: Config, port: number): string {
  if (baseUrl !== undefined) return baseUrl
  const name = ANY_ADDRESS.has(host) ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
