/** Emulates an S3-compatible store with one bucket on loopback, as strict as Amazon documents. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { emulatedServer, type EmulatedAnswer, type EmulatedRequest } from '../http.ts'
import { signatureFault, type Account } from './signature.ts'
import { rangeOf } from '../byte-range.ts'

export interface EmulatedS3Options {
  bucket: string
  region: string
  account: Account
  port?: number
  /** Maximum objects per page of a listing. */
  pageSize?: number
  /** Whether `If-Match` has to have quotes (RFC 9110); absent: both forms. */
  needsQuotes?: boolean
  /** Whether conditions of writes are ignored, as old stores do. */
  ignoresConditions?: boolean
  nowMs?: () => number
}

interface StoredObject {
  bytes: Buffer
  etag: string
  updated: Date
  headers: Record<string, string>
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Builds an error as Amazon S3 returns it. */
export const s3Error = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
): EmulatedAnswer => ({
  status,
  headers: { 'content-type': 'application/xml', ...headers },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`,
})

function read(object: StoredObject, { url, headers, method }: EmulatedRequest): EmulatedAnswer {
  const { bytes, etag, updated } = object
  const range = rangeOf(headers.range, bytes.length)
  if (range === 'none') return s3Error(416, 'InvalidRange')
  const disposition = url.searchParams.get('response-content-disposition')
  const [first, last] = range === 'whole' ? [0, bytes.length - 1] : range
  const body = bytes.subarray(first, last + 1)
  return {
    status: range === 'whole' ? 200 : 206,
    headers: {
      ...object.headers,
      etag: `"${etag}"`,
      'last-modified': updated.toUTCString(),
      'accept-ranges': 'bytes',
      'content-length': String(body.length),
      ...(disposition === null ? {} : { 'content-disposition': disposition }),
      ...(range === 'whole' ? {} : { 'content-range': `bytes ${first}-${last}/${bytes.length}` }),
    },
    body: method === 'HEAD' ? '' : body,
  }
}

/** Stores the objects of one bucket in memory. */
class EmulatedS3Bucket {
  readonly #objects = new Map<string, StoredObject>()
  readonly #options: EmulatedS3Options

  constructor(options: EmulatedS3Options) {
    this.#options = options
  }

  /** Returns a stored object. */
  get(key: string): StoredObject | undefined {
    return this.#objects.get(key)
  }

  /** Changes the stored bytes without changing their metadata. */
  damage(key: string): void {
    const object = this.#objects.get(key)
    if (object) object.bytes = Buffer.concat([object.bytes.subarray(1), Buffer.from([0])])
  }

  /** Answers a request about one object. */
  answer(request: EmulatedRequest, key: string): EmulatedAnswer {
    const { method } = request
    const object = this.#objects.get(key)
    if (method === 'PUT') return this.#put(key, request, object)
    if (method === 'DELETE') {
      this.#objects.delete(key)
      return { status: 204 }
    }
    if (method !== 'GET' && method !== 'HEAD') return s3Error(405, 'MethodNotAllowed')
    if (object) return read(object, request)
    const missing = s3Error(404, 'NoSuchKey')
    return method === 'HEAD' ? { ...missing, body: '' } : missing
  }

  /** Answers ListObjectsV2. */
  list({ url }: EmulatedRequest): EmulatedAnswer {
    const query = url.searchParams
    const known = ['list-type', 'prefix', 'max-keys', 'start-after', 'continuation-token']
    if (query.get('list-type') !== '2' || [...query.keys()].some((name) => !known.includes(name))) {
      return s3Error(400, 'InvalidArgument')
    }
    const after = query.get('continuation-token') ?? query.get('start-after') ?? ''
    const asked = Number(query.get('max-keys') ?? 1_000)
    const size = Math.min(asked, this.#options.pageSize ?? 1_000)
    const prefix = query.get('prefix') ?? ''
    const keys = [...this.#objects.keys()]
      .filter((key) => key.startsWith(prefix) && key > after)
      .sort((one, other) => (one < other ? -1 : 1))
    const page = keys.slice(0, size)
    const entries = page.map((key) => {
      const { etag, updated, bytes } = this.#objects.get(key) as StoredObject
      return (
        `<Contents><Key>${escape(key)}</Key><LastModified>${updated.toISOString()}</LastModified>` +
        `<ETag>&quot;${etag}&quot;</ETag><Size>${bytes.length}</Size></Contents>`
      )
    })
    const isTruncated = keys.length > page.length
    const next = isTruncated
      ? `<NextContinuationToken>${escape(page.at(-1) ?? '')}</NextContinuationToken>`
      : ''
    const body =
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
      `<IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`
    return { status: 200, headers: { 'content-type': 'application/xml' }, body }
  }

  #put(key: string, { headers, body }: EmulatedRequest, present?: StoredObject): EmulatedAnswer {
    const fault = this.#options.ignoresConditions
      ? undefined
      : this.#conditionFault(headers, present)
    if (fault) return fault
    if (headers['content-length'] === undefined) return s3Error(411, 'MissingContentLength')
    const kept = Object.entries(headers).filter(
      ([name]) => name === 'content-type' || name.startsWith('x-amz-meta-'),
    )
    const etag = createHash('md5').update(body).digest('hex')
    const updated = new Date((this.#options.nowMs ?? Date.now)())
    const stored = { bytes: Buffer.from(body), etag, updated, headers: Object.fromEntries(kept) }
    this.#objects.set(key, stored as StoredObject)
    return { status: 200, headers: { etag: `"${etag}"` } }
  }

  #conditionFault(headers: EmulatedRequest['headers'], present: StoredObject | undefined) {
    const match = headers['if-match']
    const none = headers['if-none-match']
    if (none !== undefined && none !== '*') return s3Error(501, 'NotImplemented')
    if (none === '*' && present) return s3Error(412, 'PreconditionFailed')
    if (match === undefined) return undefined
    if (!present) return s3Error(404, 'NoSuchKey')
    const quoted = `"${present.etag}"`
    const accepted = this.#options.needsQuotes ? [quoted] : [quoted, present.etag]
    return accepted.includes(match) ? undefined : s3Error(412, 'PreconditionFailed')
  }
}

/** Starts the server; the bucket is named in the path. */
export async function emulatedS3(options: EmulatedS3Options) {
  const bucket = new EmulatedS3Bucket(options)
  const { account, region, nowMs = Date.now } = options
  const server = await emulatedServer((request) => {
    const fault = signatureFault(request, { account, region, nowMs: nowMs() })
    if (fault) return s3Error(fault.status, fault.code)
    const [, name, ...key] = decodeURIComponent(request.url.pathname).split('/')
    if (name !== options.bucket) return s3Error(404, 'NoSuchBucket')
    if (key.length > 0) return bucket.answer(request, key.join('/'))
    return request.method === 'GET' ? bucket.list(request) : s3Error(405, 'MethodNotAllowed')
  }, options.port)
  return { ...server, bucket }
}
