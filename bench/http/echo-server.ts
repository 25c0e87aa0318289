/**
 * Floor of the row `http`: parses and serialises the same JSON as the API, with only node:http. It
 * answers every POST with the first given response, and every GET with the second. Prints its port.
 */
import { Buffer } from 'node:buffer'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'

const [created, read] = process.argv.slice(2).map((answer) => JSON.parse(answer) as unknown)

function answerWith(value: unknown, response: ServerResponse): void {
  const answer = JSON.stringify(value)
  const length = Buffer.byteLength(answer)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
  response.end(answer)
}

const server = createServer(async (request, response) => {
  if (request.method === 'GET') return answerWith(read, response)
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string
  if (typeof JSON.parse(text) === 'object') answerWith(created, response)
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
