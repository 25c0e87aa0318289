/** An OAuth token endpoint over TLS, with a certificate that this process trusts. */
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import tls from 'node:tls'
import type { Test } from 'tap'
import { tlsIdentity } from '../fixtures/tls-identity.ts'

export interface TokenRequest {
  form: Record<string, string>
  authorization: string | undefined
}

export interface TokenEndpoint {
  url: string
  /** An address at which every request is answered with this status. */
  answering(status: number): string
  /** An address at which tokens are granted with these members beside, or in place. */
  granting(more: Record<string, unknown>): string
  requests: TokenRequest[]
}

/** Listens on loopback until the test ends. */
export async function openTokenEndpoint(t: Test): Promise<TokenEndpoint> {
  const { key, cert, authority } = await tlsIdentity(['127.0.0.1'])
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), authority])
  const requests: TokenRequest[] = []
  const origin = () => `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const server = createServer({ key, cert }, async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams((await buffer(request)).toString()))
    const status = Number(/^\/status\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 200)
    requests.push({ form, authorization: request.headers.authorization })
    const more = JSON.parse(new URL(request.url ?? '', origin()).searchParams.get('more') ?? '{}')
    const granted = { access_token: `token-${requests.length}`, token_type: 'bearer', ...more }
    const body = status === 200 ? granted : {}
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `${origin()}/token`,
    answering: (status) => `${origin()}/status/${status}`,
    granting: (more) => `${origin()}/token?more=${encodeURIComponent(JSON.stringify(more))}`,
    requests,
  }
}
