/**
 * The emulators of Google Cloud and of a mail server as a pod: `node emulators.ts <base URL of the
 * service>`. They listen on loopback; the pod's own network reaches them through relays, at ports
 * 10,000 higher.
 */
import { connect, createServer } from 'node:net'
import process from 'node:process'
import { startOutside } from '../emulators/outside.ts'

const PORTS = { storage: 4001, keys: 4002, mail: 4003, pubSub: 4004 }
const RELAY_OFFSET = 10_000
const FOLDER = '/data'

await startOutside({ folder: FOLDER, baseUrl: process.argv[2] ?? '', ports: PORTS })

for (const port of Object.values(PORTS)) {
  createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
    client.pipe(upstream).pipe(client)
  }).listen(port + RELAY_OFFSET)
}
