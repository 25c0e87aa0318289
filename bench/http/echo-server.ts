/**
 * The floor of `http`: parses and serialises JSON as the API does, with nothing but node:http.
 * Every POST is answered with the first of the answers it is given, every GET with the second.
 * Prints its port.
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
