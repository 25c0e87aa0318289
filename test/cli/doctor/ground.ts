/** What the tests of `sigcase doctor` share: an API server and the choice of faults. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Finding } from '../../../cli/doctor/finding.ts'

export type Environment = Record<string, string | undefined>

const KINDS = ['signaturecases', 'tenants', 'kioskdevices'].map((name) => ({ name }))

/** What the server says as an issuer of tokens; its keys are never used. */
function issuerOf({ headers }: IncomingMessage, pathname: string): object {
  const issuer = `http://${headers.host}`
  if (pathname.endsWith('/.well-known/openid-configuration')) {
    return { issuer, jwks_uri: `${issuer}/keys` }
  }
  return pathname === '/keys' ? { keys: [{ kty: 'RSA' }] } : {}
}

/** An API server as far as the doctor asks it; `setRefusal` changes its answers. */
export async function startApiServer() {
  let refusal: { path: string; status: number; reason: string } | undefined
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://local')
    const isRefused = refusal !== undefined && pathname === refusal.path
    const body = isRefused
      ? { kind: 'Status', status: 'Failure', message: `${refusal?.reason} by test`, ...refusal }
      : { resources: KINDS, items: [], metadata: {}, status: 'ok', ...issuerOf(request, pathname) }
    response.writeHead(isRefused ? (refusal?.status ?? 0) : 200, {
      'content-type': 'application/json',
    })
    response.end(JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    setRefusal: (next: typeof refusal) => void (refusal = next),
    close: () => server.close(),
  }
}

/** Builds a kubeconfig for the server. */
export const kubeconfigFor = (server: string) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'c', cluster: { server, 'insecure-skip-tls-verify': true } }],
  users: [{ name: 'u', user: { token: 'token' } }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  'current-context': 'x',
})

/** Selects what is not good. */
export const faultsOf = (found: readonly Finding[]) =>
  found.filter(({ outcome }) => outcome === 'failed' || outcome === 'warning')
