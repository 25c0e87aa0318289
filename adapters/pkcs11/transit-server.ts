/**
 * Serves the keys of a PKCS #11 token by the three paths of Vault's transit API that
 * `adapters/vault` uses, so that a worker signs with them as with keys in Vault (decision 246).
 */
import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSameSecret } from '../../domain/same-secret.ts'
import { encodeEcdsaValue } from './ecdsa-value.ts'
import { PinRefusedError, type Padding, type Pkcs11Token } from './token.ts'

const MAXIMUM_BODY_OCTETS = 4_096
const IDLE_MS = 30_000
const HOST = '127.0.0.1'
const DIGEST_OCTETS: Readonly<Record<string, number>> = { 'sha2-256': 32, 'sha2-384': 48 }
const DIGEST_OF: Readonly<Record<string, string>> = { 'ecdsa-p384': 'sha2-384' }

export interface TransitServerOptions {
  token: Pick<Pkcs11Token, 'versions' | 'sign'>
  /** Names of the keys that may be used. */
  keys: readonly string[]
  /** Returns what a caller must send as its token. */
  readCallerToken: () => Promise<Uint8Array>
  port: number
  /** Called for each request that failed because of the token or the module. */
  onFault?: (fault: unknown) => void
}

interface Answer {
  status: number
  body: object
}

const success = (data: object): Answer => ({ status: 200, body: { data } })
const failure = (status: number, message: string): Answer => ({
  status,
  body: { errors: [message] },
})

interface Signing {
  padding: Padding
  digest: Uint8Array
  version: number
}

/** Reads the parameters of a signature; everything else that Vault offers is refused. */
function readSigning(body: Record<string, unknown>, type: string): Signing | undefined {
  const { input, prehashed, key_version: version, hash_algorithm: hash, ...rest } = body
  const { signature_algorithm: scheme, marshaling_algorithm: marshaling, salt_length: salt } = rest
  const digest = Buffer.from(typeof input === 'string' ? input : '', 'base64')
  const isRsa = type.startsWith('rsa-')
  const isDigest = prehashed === true && digest.length === DIGEST_OCTETS[String(hash)]
  if (!isDigest || hash !== (DIGEST_OF[type] ?? 'sha2-256')) return undefined
  if (!Number.isSafeInteger(version) || Number(version) < 1) return undefined
  const asked = { digest, version: Number(version) }
  if (!isRsa) return marshaling === 'asn1' ? { ...asked, padding: 'ecdsa' } : undefined
  if (scheme === 'pss') return salt === 'hash' ? { ...asked, padding: 'pss' } : undefined
  return scheme === 'pkcs1v15' ? { ...asked, padding: 'pkcs1v15' } : undefined
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = []
  let octets = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    octets += part.length
    if (octets > MAXIMUM_BODY_OCTETS) throw new RangeError('the body is too large')
    parts.push(part)
  }
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>
}

async function describe({ token }: TransitServerOptions, name: string): Promise<Answer> {
  const versions = await token.versions(name)
  const [first] = versions
  if (!first) return failure(404, 'the token has no key of this name')
  if (versions.some(({ type }) => type !== first.type)) {
    return failure(400, 'the versions of the key are of different types')
  }
  const keys = Object.fromEntries(
    versions.map(({ version, publicKey }) => [version, { public_key: publicKey }]),
  )
  return success({ name, type: first.type, keys })
}

async function sign(
  { token }: TransitServerOptions,
  name: string,
  request: IncomingMessage,
): Promise<Answer> {
  const body = await readBody(request).catch(() => undefined)
  const versions = await token.versions(name)
  const version = versions.find((one) => one.version === body?.key_version)
  if (!version) return failure(400, 'signing key not found')
  const signing = body && readSigning(body, version.type)
  if (!signing) return failure(400, 'these parameters are not supported')
  const value = await token.sign(name, signing.version, signing.padding, signing.digest)
  if (!value) return failure(400, 'signing key not found')
  const encoded = signing.padding === 'ecdsa' ? encodeEcdsaValue(value) : value
  const signature = Buffer.from(encoded).toString('base64')
  return success({ signature: `vault:v${signing.version}:${signature}` })
}

async function answer(request: IncomingMessage, options: TransitServerOptions): Promise<Answer> {
  const given = request.headers['x-vault-token']
  const expected = await options.readCallerToken()
  const isKnown =
    typeof given === 'string' && expected.length > 0 && isSameSecret(Buffer.from(given), expected)
  // A page in a browser cannot send this header to another origin.
  if (request.headers['x-vault-request'] !== 'true' || !isKnown) {
    return failure(403, 'permission denied')
  }
  const asked = `${request.method} ${request.url}`
  if (asked === 'GET /v1/auth/token/lookup-self') return success({ ttl: 0, renewable: false })
  const [, reading] = /^GET \/v1\/transit\/keys\/([\w.-]+)$/.exec(asked) ?? []
  const [, signing] = /^POST \/v1\/transit\/sign\/([\w.-]+)$/.exec(asked) ?? []
  const name = reading ?? signing
  if (name === undefined || !options.keys.includes(name)) return failure(403, 'permission denied')
  return reading === undefined ? sign(options, name, request) : describe(options, name)
}

/** With a refused PIN the worker must not try again; other faults may pass. */
function refusalOf(fault: unknown): Answer {
  return fault instanceof PinRefusedError
    ? failure(403, fault.message)
    : failure(503, 'the token cannot be used now')
}

function reply(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

/**
 * Listens on the loopback address, for the worker in the same pod.
 *
 * @returns its origin, and a function that closes it after running requests
 */
export async function serveTransit(
  options: TransitServerOptions,
): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    answer(request, options)
      .catch((fault: unknown) => {
        options.onFault?.(fault)
        return refusalOf(fault)
      })
      .then((done) => reply(response, done))
      .catch(() => response.destroy())
  })
  server.setTimeout(IDLE_MS)
  server.listen(options.port, HOST)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://${HOST}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}
