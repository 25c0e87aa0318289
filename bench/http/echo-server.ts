/** The floor of `http`: a JSON echo with nothing but node:http. Prints its port. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string
  const answer = JSON.stringify(JSON.parse(text))
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': new TextEncoder().encode(answer).length,
  })
  response.end(answer)
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
