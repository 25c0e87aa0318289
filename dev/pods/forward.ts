/**
 * Relays connections to a port of loopback to a Unix socket: `node forward.ts <port> <path of the
 * socket>`.
 */
import { connect, createServer } from 'node:net'
import process from 'node:process'

const [port, path = ''] = process.argv.slice(2)

createServer((client) => {
  const upstream = connect(path)
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
  client.pipe(upstream).pipe(client)
}).listen(Number(port), '127.0.0.1')
