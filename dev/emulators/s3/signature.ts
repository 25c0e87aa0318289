/**
 * Checks Signature Version 4 as Amazon S3 does, from the request as it arrived. It shares no code
 * with the adapter, so that both would have to make the same mistake.
 */
import { Buffer } from 'node:buffer'
import { createHash, createHmac } from 'node:crypto'
import type { EmulatedRequest } from '../http.ts'

const CLOCK_SKEW_MS = 15 * 60 * 1000
const LONGEST_SECONDS = 604_800

export interface Account {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

export interface SignatureFault {
  status: number
  code: string
}

interface Claim {
  credential: string
  signedHeaders: string[]
  signature: string
  time: string
  payload: string
  token: string | undefined
  lifeSeconds?: number
}

const refused = (code: string, status = 403): SignatureFault => ({ status, code })
const hash = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex')
const mac = (key: string | Uint8Array, text: string) =>
  createHmac('sha256', key).update(text).digest()

const timeMs = (time: string) =>
  Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

function claimOf({ url, headers }: EmulatedRequest): Claim | undefined {
  const query = url.searchParams
  if (query.has('X-Amz-Signature')) {
    const get = (name: string) => query.get(`X-Amz-${name}`) ?? ''
    return {
      credential: get('Credential'),
      signedHeaders: get('SignedHeaders').split(';'),
      signature: get('Signature'),
      time: get('Date'),
      payload: 'UNSIGNED-PAYLOAD',
      token: query.get('X-Amz-Security-Token') ?? undefined,
      lifeSeconds: Number(get('Expires')),
    }
  }
  const form =
    /^AWS4-HMAC-SHA256 Credential=(\S+), ?SignedHeaders=(\S+), ?Signature=([0-9a-f]{64})$/
  const [, credential, names, signature] = form.exec(headers.authorization ?? '') ?? []
  if (credential === undefined || names === undefined || signature === undefined) return undefined
  return {
    credential,
    signedHeaders: names.split(';'),
    signature,
    time: String(headers['x-amz-date']),
    payload: String(headers['x-amz-content-sha256']),
    token: headers['x-amz-security-token'] as string | undefined,
  }
}

const encode = (text: string) =>
  [...Buffer.from(text)]
    .map((octet) => {
      const character = String.fromCharCode(octet)
      if (/[A-Za-z0-9_.~-]/.test(character)) return character
      return `%${octet.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')

function canonicalRequest({ method, url, headers }: EmulatedRequest, claim: Claim): string {
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
  const lines = claim.signedHeaders.map((name) => `${name}:${String(headers[name] ?? '').trim()}`)
  return [method, url.pathname, query.join('&'), ...lines, '', claim.signedHeaders.join(';')].join(
    '\n',
  )
}

/** Whether everything is signed that Amazon wants to be: the host, and all `x-amz-` headers. */
function signsEnough({ headers }: EmulatedRequest, { signedHeaders }: Claim): boolean {
  const own = Object.keys(headers).filter((name) => name.startsWith('x-amz-'))
  return ['host', ...own].every((name) => signedHeaders.includes(name))
}

function timeFault({ time, lifeSeconds }: Claim, nowMs: number): SignatureFault | undefined {
  const signedMs = timeMs(time)
  if (Number.isNaN(signedMs)) return refused('AccessDenied')
  if (lifeSeconds === undefined) {
    return Math.abs(nowMs - signedMs) > CLOCK_SKEW_MS ? refused('RequestTimeTooSkewed') : undefined
  }
  if (!(lifeSeconds >= 1 && lifeSeconds <= LONGEST_SECONDS)) {
    return refused('AuthorizationQueryParametersError', 400)
  }
  const isValid = nowMs < signedMs + lifeSeconds * 1000 && signedMs - nowMs <= CLOCK_SKEW_MS
  return isValid ? undefined : refused('AccessDenied')
}

/** Returns why the store refuses the request; undefined when it is signed correctly. */
export function signatureFault(
  request: EmulatedRequest,
  { account, region, nowMs }: { account: Account; region: string; nowMs: number },
): SignatureFault | undefined {
  const claim = claimOf(request)
  if (!claim) return refused('AccessDenied')
  const [accessKeyId, date, ...rest] = claim.credential.split('/')
  if (accessKeyId !== account.accessKeyId) return refused('InvalidAccessKeyId')
  if (rest[0] !== region) return refused('AuthorizationHeaderMalformed', 400)
  if (rest.slice(1).join('/') !== 's3/aws4_request') return refused('AccessDenied')
  if (date !== claim.time.slice(0, 8)) return refused('SignatureDoesNotMatch')
  if (claim.token !== account.sessionToken) return refused('InvalidToken', 400)
  const late = timeFault(claim, nowMs)
  if (late) return late
  if (!signsEnough(request, claim)) return refused('AccessDenied')
  const canonical = `${canonicalRequest(request, claim)}\n${claim.payload}`
  const scope = claim.credential.slice(accessKeyId.length + 1)
  const toSign = ['AWS4-HMAC-SHA256', claim.time, scope, hash(canonical)].join('\n')
  let key: string | Uint8Array = `AWS4${account.secretAccessKey}`
  for (const part of scope.split('/')) key = mac(key, part)
  if (mac(key, toSign).toString('hex') !== claim.signature) return refused('SignatureDoesNotMatch')
  const isWhole = claim.lifeSeconds !== undefined || claim.payload === hash(request.body)
  return isWhole ? undefined : refused('XAmzContentSHA256Mismatch', 400)
}
