/** The base URL of the service on one machine, for every link that it creates. */
import { freePorts } from '../../adapters/free-ports.ts'
import type { Config } from './config.ts'

/** Listen addresses that a client cannot connect to. */
const ANY_ADDRESS = new Set(['0.0.0.0', '::'])

/**
 * Returns the port to listen on. Links are created before the server listens, so port 0 is resolved
 * first. An ephemeral port could be taken by an outgoing connection before the server listens.
 */
export async function settledPort({ port, host }: Config): Promise<number> {
  if (port !== 0) return port
  const [free] = (await freePorts(1, host)) as [number]
  return free
}

/** @param port a port from {@link settledPort} */
export function baseUrlOf({ host, baseUrl }: Config, port: number): string {
  if (baseUrl !== undefined) return baseUrl
  const name = ANY_ADDRESS.has(host) ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
