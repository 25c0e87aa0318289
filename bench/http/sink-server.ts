/** Receiver of the row `webhook`: reads the body and answers 204. Prints its port. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((request, response) => {
  request.on('end', () => response.writeHead(204).end()).resume()
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
