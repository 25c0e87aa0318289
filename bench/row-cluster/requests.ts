/** Sends plain requests over keep-alive connections. */
import { Agent, request as plainRequest } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'

export interface Target {
  url: string
  token: string
  /** PEM of the authority, when the server speaks TLS. */
  ca?: string
  /** Expected status. */
  status: number
  /** Builds a JSON body for each POST; absent: the request is a GET. */
  body?(): string
}

/** Sends one request. @throws Error when the response has another status */
export type Send = () => Promise<void>

/** @param inFlight number of keep-alive connections */
export function senderTo({ url, token, ca, status, body }: Target, inFlight: number): Send {
  const options = { keepAlive: true, maxSockets: inFlight }
  const agent = ca === undefined ? new Agent(options) : new TlsAgent({ ...options, ca })
  const request = ca === undefined ? plainRequest : tlsRequest
  return () =>
    new Promise((resolve, reject) => {
      const octets = new TextEncoder().encode(body?.() ?? '')
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json', 'content-length': octets.length }),
      }
      const method = body ? 'POST' : 'GET'
      const sent = request(url, { method, agent, headers }, (response) => {
        const { statusCode } = response
        response.on('end', () =>
          statusCode === status ? resolve() : reject(new Error(`${url} answered ${statusCode}`)),
        )
        response.resume()
      })
      sent.on('error', reject)
      sent.end(octets)
    })
}
