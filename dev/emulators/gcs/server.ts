/** Emulates Cloud Storage with one bucket on loopback, as strict as Google or stricter. */
import { Buffer } from 'node:buffer'
import type { EmulatedIdentity } from '../google-identity.ts'
import { emulatedServer, json, type EmulatedAnswer, type EmulatedRequest } from '../http.ts'
import { corsHeaders, preflight, type CorsRule } from './cors.ts'
import { EmulatedBucket, type EmulatedObject } from './bucket.ts'
import { answerJsonApi } from './json-api.ts'
import { signatureFault } from './signed-url.ts'
import { rangeOf } from '../byte-range.ts'

export interface EmulatedGcsOptions {
  bucket: string
  /** Account that may use the bucket and sign URLs. */
  identity: EmulatedIdentity
  port?: number
  /** Maximum objects per page of a listing. */
  pageSize?: number
  /** CORS rules of the bucket. */
  cors?: readonly CorsRule[]
  /** Clock for signed URLs and objects. */
  nowMs?: () => number
  /** Called with the name of every object uploaded with a signed URL. */
  onUploaded?: (name: string) => void
}

const xml = (status: number, code: string, details = ''): EmulatedAnswer => ({
  status,
  headers: { 'content-type': 'application/xml; charset=UTF-8' },
  body: `<?xml version='1.0'?><Error><Code>${code}</Code><Details>${details}</Details></Error>`,
})

function read(object: EmulatedObject, { url, headers }: EmulatedRequest): EmulatedAnswer {
  const { bytes, contentType, generation } = object
  const range = rangeOf(headers.range, bytes.length)
  if (range === 'none') return xml(416, 'InvalidRange')
  const query = url.searchParams
  const disposition = query.get('response-content-disposition')
  const [first, last] = range === 'whole' ? [0, bytes.length - 1] : range
  return {
    status: range === 'whole' ? 200 : 206,
    headers: {
      'content-type': query.get('response-content-type') ?? contentType,
      'accept-ranges': 'bytes',
      etag: `"${generation}"`,
      ...(disposition === null ? {} : { 'content-disposition': disposition }),
      ...(range === 'whole' ? {} : { 'content-range': `bytes ${first}-${last}/${bytes.length}` }),
    },
    body: bytes.subarray(first, last + 1),
  }
}

/** Checks the size of an upload against `x-goog-content-length-range` (minimum,maximum bytes). */
function lengthRangeFault(range: string | string[] | undefined, size: number) {
  if (range === undefined) return undefined
  const [, smallest, largest] = /^(\d{1,15}),(\d{1,15})$/.exec(String(range)) ?? []
  if (smallest === undefined || Number(smallest) > Number(largest)) {
    return xml(400, 'InvalidArgument', 'not a range of sizes')
  }
  if (size < Number(smallest)) return xml(400, 'EntityTooSmall')
  return size > Number(largest) ? xml(400, 'EntityTooLarge') : undefined
}

function answerSigned(
  bucket: EmulatedBucket,
  request: EmulatedRequest,
  options: EmulatedGcsOptions,
) {
  const fault = signatureFault(request, options.identity, options.nowMs?.())
  if (fault) return xml(fault.status, fault.code, fault.why)
  const [, name = '', ...key] = decodeURIComponent(request.url.pathname).split('/')
  if (name !== bucket.name) return xml(404, 'NoSuchBucket')
  const object = bucket.get(key.join('/'))
  if (request.method === 'GET') return object ? read(object, request) : xml(404, 'NoSuchKey')
  if (request.method !== 'PUT') return xml(405, 'MethodNotAllowed')
  const { headers, body } = request
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    return xml(411, 'MissingContentLength')
  }
  const sizeFault = lengthRangeFault(headers['x-goog-content-length-range'], body.length)
  if (sizeFault) return sizeFault
  const written = bucket.write({
    name: key.join('/'),
    bytes: Buffer.from(body),
    contentType: headers['content-type'] ?? 'application/octet-stream',
    md5Hash: headers['content-md5'] as string | undefined,
    ifGenerationMatch: headers['x-goog-if-generation-match'] as string | undefined,
  })
  if (written === 412) return xml(412, 'PreconditionFailed')
  if (written === 400) return xml(400, 'BadDigest')
  options.onUploaded?.(written.name)
  return { status: 200, headers: { 'x-goog-generation': written.generation } }
}

/** Starts the server. The JSON API requires a token, all other paths a signed URL. */
export async function emulatedGcs(options: EmulatedGcsOptions) {
  const bucket = new EmulatedBucket(options.bucket, options.nowMs)
  const { identity, pageSize = 1_000, cors = [] } = options
  const server = await emulatedServer((request) => {
    if (!/^(\/upload)?\/storage\/v1\//.test(request.url.pathname)) {
      if (request.method === 'OPTIONS') return preflight(cors, request)
      const answer = answerSigned(bucket, request, options)
      return { ...answer, headers: { ...answer.headers, ...corsHeaders(cors, request) } }
    }
    if (!identity.isAuthenticated(request)) {
      return json(401, { error: { code: 401, message: 'Invalid Credentials' } })
    }
    return answerJsonApi(bucket, request, pageSize)
  }, options.port)
  return { ...server, bucket }
}
