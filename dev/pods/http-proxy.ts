/**
 * An HTTP proxy on a Unix socket, through which programs of the machine reach the node's network.
 */
import { createServer, request } from 'node:http'
import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

/** Fields of one hop (RFC 9110, 7.6.1). */
const HOP_FIELDS = ['connection', 'proxy-connection', 'keep-alive', 'te', 'upgrade']

function forwardableFields(fields: NodeJS.Dict<string | string[]>): NodeJS.Dict<string | string[]> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !HOP_FIELDS.includes(name)))
}

/** Serves until the process ends. @param path of the socket */
export function serveProxy(path: string): void {
  const server = createServer((incoming, outgoing) => {
    const refuse = () => {
      if (!outgoing.headersSent) outgoing.writeHead(502)
      outgoing.end()
    }
    if (URL.parse(incoming.url ?? '') === null) return refuse()
    const { method, headers } = incoming
    const options = { method, headers: forwardableFields(headers), agent: false as const }
    const sent = request(incoming.url ?? '', options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, forwardableFields(answer.headers))
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    sent.on('error', refuse)
    outgoing.on('close', () => sent.destroy())
    incoming.pipe(sent)
  })
  server.on('connect', ({ url = '' }, client: Socket, head) => {
    const { hostname, port } = new URL(`http://${url}`)
    const upstream = connect(Number(port || 80), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(client).pipe(upstream)
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  // Streams of kiosks and watches are silent for long.
  server.requestTimeout = 0
  rmSync(path, { force: true })
  server.listen(path)
}
