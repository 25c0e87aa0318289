/** Checks V4 signatures of URLs as Cloud Storage does. */
import { Buffer } from 'node:buffer'
import { createHash, verify } from 'node:crypto'
import type { EmulatedIdentity } from '../google-identity.ts'
import type { EmulatedRequest } from '../http.ts'

const ALGORITHM = 'GOOG4-RSA-SHA256'
const LONGEST_LIFE_SECONDS = 7 * 24 * 60 * 60
const CLOCK_SKEW_MS = 15 * 60 * 1000

export interface Refusal {
  status: number
  code: string
  why: string
}

const refusal = (status: number, code: string, why: string): Refusal => ({ status, code, why })

const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

function instantOf(text: string): number {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text)
  if (!parts) return Number.NaN
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

function canonicalRequest({ method, url, headers }: EmulatedRequest, signedHeaders: string[]) {
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Goog-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  // The client signs the host name without a port, because URLs of Google have none.
  const valueOf = (name: string) =>
    name === 'host'
      ? url.hostname
      : String(headers[name])
          .trim()
          .replace(/\s{2,}/g, ' ')
  const lines = signedHeaders.map((name) => `${name}:${valueOf(name)}\n`).join('')
  const path = url.pathname
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/')
  return [method, path, query, lines, signedHeaders.join(';'), 'UNSIGNED-PAYLOAD'].join('\n')
}

function headersFault({ headers }: EmulatedRequest, signed: readonly string[]) {
  const sorted = [...signed].map((name) => name.toLowerCase()).sort()
  if (!signed.includes('host') || sorted.join() !== signed.join()) {
    return refusal(400, 'InvalidArgument', 'host is not signed, or the names are not in order')
  }
  const missing = signed.find((name) => name !== 'host' && headers[name] === undefined)
  if (missing !== undefined) {
    return refusal(403, 'SignatureDoesNotMatch', `${missing} is signed and was not sent`)
  }
  const unsigned = Object.keys(headers).find(
    (name) => name.startsWith('x-goog-') && !signed.includes(name),
  )
  return unsigned === undefined
    ? undefined
    : refusal(403, 'SignatureDoesNotMatch', `${unsigned} was sent and is not signed`)
}

/** Checks the URL. @returns reason of the refusal, or undefined when the signature is valid */
export function signatureFault(
  request: EmulatedRequest,
  identity: EmulatedIdentity,
  nowMs = Date.now(),
): Refusal | undefined {
  const query = request.url.searchParams
  if (!query.has('X-Goog-Signature')) {
    return refusal(403, 'AccessDenied', 'Anonymous caller does not have access')
  }
  const get = (name: string) => query.get(`X-Goog-${name}`) ?? ''
  if (new Set(query.keys()).size !== [...query.keys()].length) {
    return refusal(400, 'InvalidArgument', 'a parameter occurs twice')
  }
  const date = get('Date')
  const scope = `${date.slice(0, 8)}/auto/storage/goog4_request`
  const expires = Number(get('Expires'))
  const signedAtMs = instantOf(date)
  if (
    get('Algorithm') !== ALGORITHM ||
    Number.isNaN(signedAtMs) ||
    !/^[1-9]\d*$/.test(get('Expires')) ||
    expires > LONGEST_LIFE_SECONDS
  ) {
    return refusal(400, 'AuthenticationQueryParametersError', 'not a V4 signature')
  }
  if (get('Credential') !== `${identity.email}/${scope}`) {
    return refusal(403, 'InvalidSecurity', 'unknown credential')
  }
  if (nowMs < signedAtMs - CLOCK_SKEW_MS) return refusal(403, 'AccessDenied', 'not valid yet')
  if (nowMs >= signedAtMs + expires * 1000) {
    return refusal(400, 'ExpiredToken', 'The provided token has expired.')
  }
  const signedHeaders = get('SignedHeaders').split(';')
  const fault = headersFault(request, signedHeaders)
  if (fault) return fault
  const hash = createHash('sha256').update(canonicalRequest(request, signedHeaders)).digest('hex')
  const toSign = Buffer.from([ALGORITHM, date, scope, hash].join('\n'))
  const signature = get('Signature')
  const isGood =
    /^([0-9a-f]{2})+$/.test(signature) &&
    verify('sha256', toSign, identity.publicKey, Buffer.from(signature, 'hex'))
  return isGood ? undefined : refusal(403, 'SignatureDoesNotMatch', 'the signature does not match')
}
