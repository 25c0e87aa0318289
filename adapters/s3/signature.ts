/**
 * Signs requests and URLs with AWS Signature Version 4, as Amazon S3 uses it: each segment of the
 * path is encoded once ("Authenticating Requests: Using the Authorization Header" and "Using Query
 * Parameters").
 */
import { createHash, createHmac } from 'node:crypto'

const ALGORITHM = 'AWS4-HMAC-SHA256'
const TERMINATOR = 'aws4_request'
const SERVICE = 's3'
/** The body of an upload is not known when its URL is signed. */
const UNSIGNED = 'UNSIGNED-PAYLOAD'

/** A pair of keys; with a session token when they are temporary. */
export interface S3Credentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

export interface SignedBy {
  credentials: S3Credentials
  region: string
  at: Date
}

export interface RequestToSign {
  method: string
  url: URL
  /** All of them are signed; the names are in lower case. `host` is added. */
  headers: Readonly<Record<string, string>>
}

/** Returns the hexadecimal SHA-256 digest. */
export const sha256Hex = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex')

const hmac = (key: string | Uint8Array, text: string) =>
  createHmac('sha256', key).update(text).digest()

/** RFC 3986: all characters except the unreserved ones, which `encodeURIComponent` exceeds. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Form of ISO 8601 without separators and milliseconds: `20130524T000000Z`. */
const basicTime = (at: Date) => at.toISOString().replace(/[-:]|\.\d{3}/g, '')

/** Encodes a query with its names in order, as it has to be signed. */
export function canonicalQuery(query: URLSearchParams): string {
  const pairs = [...query].map(([name, value]) => `${encode(name)}=${encode(value)}`)
  return pairs.sort((one, other) => (one < other ? -1 : 1)).join('&')
}

const scopeOf = (time: string, region: string) =>
  [time.slice(0, 'YYYYMMDD'.length), region, SERVICE, TERMINATOR].join('/')

function signatureOf(
  { method, url, headers }: RequestToSign,
  { credentials, region, at }: SignedBy,
  payload: string,
): string {
  const names = Object.keys(headers).sort()
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url.searchParams),
    ...names.map((name) => `${name}:${headers[name]?.trim()}`),
    '',
    names.join(';'),
    payload,
  ].join('\n')
  const time = basicTime(at)
  const scope = scopeOf(time, region)
  const toSign = [ALGORITHM, time, scope, sha256Hex(canonical)].join('\n')
  const key = scope
    .split('/')
    .reduce<string | Uint8Array>(hmac, `AWS4${credentials.secretAccessKey}`)
  return hmac(key, toSign).toString('hex')
}

/**
 * Returns the headers of a signed request.
 *
 * @param bodySha256 hexadecimal digest of the body
 */
export function signedHeaders(
  request: RequestToSign,
  bodySha256: string,
  by: SignedBy,
): Record<string, string> {
  const { accessKeyId, sessionToken } = by.credentials
  const time = basicTime(by.at)
  const headers = {
    ...request.headers,
    'x-amz-content-sha256': bodySha256,
    'x-amz-date': time,
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
  }
  const all = { ...headers, host: request.url.host }
  const signature = signatureOf({ ...request, headers: all }, by, bodySha256)
  const authorization =
    `${ALGORITHM} Credential=${accessKeyId}/${scopeOf(time, by.region)},` +
    `SignedHeaders=${Object.keys(all).sort().join(';')},Signature=${signature}`
  return { ...headers, authorization }
}

/**
 * Returns a URL that allows the request until it expires. The client has to send the signed
 * headers.
 *
 * @param lifeSeconds 1 to 604,800
 */
export function presignedUrl(request: RequestToSign, lifeSeconds: number, by: SignedBy): string {
  const { accessKeyId, sessionToken } = by.credentials
  const time = basicTime(by.at)
  const headers = { ...request.headers, host: request.url.host }
  const url = new URL(request.url)
  const parameters = {
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${accessKeyId}/${scopeOf(time, by.region)}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(lifeSeconds),
    ...(sessionToken === undefined ? {} : { 'X-Amz-Security-Token': sessionToken }),
    'X-Amz-SignedHeaders': Object.keys(headers).sort().join(';'),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const signature = signatureOf({ ...request, url, headers }, by, UNSIGNED)
  const query = `${canonicalQuery(url.searchParams)}&X-Amz-Signature=${signature}`
  return `${url.origin}${url.pathname}?${query}`
}
