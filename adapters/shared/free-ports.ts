/** Finds ports to listen on that nothing else takes before they are used. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import process from 'node:process'

const LOOPBACK = '127.0.0.1'
/** The range is below the ephemeral ports of outgoing connections (Linux: 32768 and up). */
const LOWEST_PORT = 20_000
const HIGHEST_PORT = 32_767
const MAXIMUM_TRIES = 1_000
/** A process tries these first; another one tries the same only if its id differs by hundreds. */
const OWN_PORTS = 16
const firstOwnPort = () => {
  const groups = Math.floor((HIGHEST_PORT + 1 - LOWEST_PORT) / OWN_PORTS)
  return LOWEST_PORT + (process.pid % groups) * OWN_PORTS
}

/** Number of own ports that this process has tried. */
let tried = randomInt(OWN_PORTS)

/**
 * Whether a server can listen on the port.
 *
 * @param host address or name of this machine; default: 127.0.0.1
 * @throws Error with the code of `listen(2)` for a reason other than a used port
 */
export async function isFree(port: number, host = LOOPBACK): Promise<boolean> {
  const server = createServer()
  const found = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    server.listen(port, host, () => resolve(true))
  })
  await new Promise((resolve) => server.close(resolve))
  return found
}

/**
 * Finds different free ports. Processes that start at the same time do not find the same ones: a
 * port stays free for seconds until its server listens.
 *
 * @param host address or name of this machine; default: 127.0.0.1
 * @throws Error when hardly any is free, or for the host like {@link isFree}
 */
export async function freePorts(count: number, host = LOOPBACK): Promise<number[]> {
  const ports = new Set<number>()
  for (let tries = 0; tries < MAXIMUM_TRIES && ports.size < count; tries++) {
    const port =
      tries < OWN_PORTS
        ? firstOwnPort() + (tried++ % OWN_PORTS)
        : randomInt(LOWEST_PORT, HIGHEST_PORT + 1)
    if (!ports.has(port) && (await isFree(port, host))) ports.add(port)
  }
  if (ports.size < count) throw new Error('there are hardly any free ports')
  return [...ports]
}
