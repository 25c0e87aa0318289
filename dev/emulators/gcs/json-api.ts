/** Emulates the part of the Cloud Storage JSON API that the service uses; refuses the rest. */
import type { Buffer } from 'node:buffer'
import { json, type EmulatedAnswer, type EmulatedRequest } from '../http.ts'
import { resourceOf, type EmulatedBucket, type EmulatedObject } from './bucket.ts'

const fail = (code: number, message: string) =>
  json(code, { error: { code, message, errors: [{ reason: 'emulated', message }] } })

/** Allowed query parameters of each call. */
function unknownParameter({ url }: EmulatedRequest, known: readonly string[]) {
  const all = [...known, 'prettyPrint', 'alt']
  return [...url.searchParams.keys()].find((name) => !all.includes(name))
}

/** Parses a multipart/related body: metadata, then bytes (RFC 2387). */
function readMultipart({ headers, body }: EmulatedRequest) {
  const type = /^multipart\/related; boundary="?([^";]+)"?$/.exec(headers['content-type'] ?? '')
  if (!type) return undefined
  const mark = `--${type[1]}`
  const parts: { head: string; bytes: Buffer }[] = []
  let at = body.indexOf(mark)
  while (at >= 0 && body.subarray(at + mark.length, at + mark.length + 2).toString() !== '--') {
    const next = body.indexOf(`\r\n${mark}`, at + mark.length)
    const headEnd = body.indexOf('\r\n\r\n', at)
    if (next < 0 || headEnd < 0) return undefined
    const head = body
      .subarray(at + mark.length, headEnd)
      .toString()
      .toLowerCase()
    parts.push({ head, bytes: body.subarray(headEnd + 4, next) })
    at = next + 2
  }
  const [first, second] = parts
  if (!first || !second || parts.length !== 2) return undefined
  if (!first.head.includes('application/json')) return undefined
  return { metadata: JSON.parse(first.bytes.toString()) as Resource, bytes: second.bytes }
}

interface Resource {
  name?: string
  contentType?: string
  crc32c?: string
  md5Hash?: string
  metadata?: Record<string, string>
}

function insert(bucket: EmulatedBucket, request: EmulatedRequest): EmulatedAnswer {
  const query = request.url.searchParams
  const unknown = unknownParameter(request, ['uploadType', 'name', 'ifGenerationMatch'])
  if (unknown !== undefined) return fail(400, `unknown parameter ${unknown}`)
  if (query.get('uploadType') !== 'multipart') return fail(400, 'not a multipart upload')
  const ifGenerationMatch = query.get('ifGenerationMatch')
  if (ifGenerationMatch === null || !/^\d+$/.test(ifGenerationMatch)) {
    return fail(400, 'a write of the service without a precondition')
  }
  const upload = readMultipart(request)
  const name = query.get('name') ?? upload?.metadata.name
  if (!upload || !name) return fail(400, 'not a whole upload')
  const { contentType = '', crc32c, md5Hash, metadata = {} } = upload.metadata
  if (crc32c === undefined) return fail(400, 'a write of the service without a checksum')
  const { bytes } = upload
  const written = bucket.write({
    name,
    bytes,
    contentType,
    metadata,
    crc32c,
    md5Hash,
    ifGenerationMatch,
  })
  if (written === 412) return fail(412, 'At least one of the pre-conditions did not hold')
  if (written === 400) return fail(400, 'the checksum does not match')
  return json(200, resourceOf(bucket.name, written))
}

function media(object: EmulatedObject): EmulatedAnswer {
  return {
    status: 200,
    headers: {
      'content-type': object.contentType,
      'last-modified': object.updated.toUTCString(),
      'x-goog-generation': object.generation,
      'x-goog-hash': `crc32c=${object.crc32c},md5=AAAAAAAAAAAAAAAAAAAAAA==`,
      'x-goog-stored-content-encoding': 'identity',
    },
    body: object.bytes,
  }
}

function ofObject(bucket: EmulatedBucket, name: string, request: EmulatedRequest): EmulatedAnswer {
  const { method, url } = request
  const unknown = unknownParameter(request, ['generation', 'projection', 'ifGenerationMatch'])
  if (unknown !== undefined) return fail(400, `unknown parameter ${unknown}`)
  const object = bucket.get(name, url.searchParams.get('generation'))
  if (!object) return fail(404, `No such object: ${bucket.name}/${name}`)
  if (method === 'DELETE') {
    bucket.delete(name)
    return { status: 204 }
  }
  if (method !== 'GET') return fail(405, 'not allowed')
  if (url.searchParams.get('alt') === 'media') return media(object)
  return json(200, resourceOf(bucket.name, object))
}

const LISTED = /^items\(([\w,]+)\),nextPageToken$/

function list(bucket: EmulatedBucket, request: EmulatedRequest, pageSize: number): EmulatedAnswer {
  const query = request.url.searchParams
  const known = ['prefix', 'startOffset', 'maxResults', 'pageToken', 'fields', 'autoPaginate']
  const unknown = unknownParameter(request, known)
  if (unknown !== undefined) return fail(400, `unknown parameter ${unknown}`)
  const asked = Number(query.get('maxResults') ?? pageSize)
  if (!(asked >= 1 && asked <= 1_000)) return fail(400, 'Invalid maxResults')
  const start = query.get('pageToken') ?? query.get('startOffset') ?? ''
  const objects = bucket.list(query.get('prefix') ?? '', start)
  const size = Math.min(asked, pageSize)
  const requested = LISTED.exec(query.get('fields') ?? '')?.[1]?.split(',')
  const items = objects.slice(0, size).map((object) => {
    const members = Object.entries(resourceOf(bucket.name, object))
    return Object.fromEntries(members.filter(([name]) => !requested || requested.includes(name)))
  })
  const next = objects[size]
  return json(200, {
    ...(items.length > 0 ? { items } : {}),
    ...(next ? { nextPageToken: next.name } : {}),
  })
}

function ofBucket(bucket: EmulatedBucket, request: EmulatedRequest): EmulatedAnswer {
  const unknown = unknownParameter(request, ['projection', 'fields', 'ifMetagenerationMatch'])
  if (unknown !== undefined) return fail(400, `unknown parameter ${unknown}`)
  if (request.method === 'PATCH') {
    const patch = JSON.parse(request.body.toString()) as Record<string, unknown>
    const other = Object.keys(patch).find((name) => name !== 'lifecycle')
    if (other !== undefined) return fail(400, `the service does not change ${other}`)
    bucket.lifecycle = patch.lifecycle
  }
  const { name, lifecycle } = bucket
  return json(200, { kind: 'storage#bucket', name, ...(lifecycle ? { lifecycle } : {}) })
}

/** @param pageSize maximum objects per page; Google may return fewer than requested */
export function answerJsonApi(
  bucket: EmulatedBucket,
  request: EmulatedRequest,
  pageSize: number,
): EmulatedAnswer {
  const { method } = request
  const { pathname } = request.url
  const parts = /^(\/upload)?\/storage\/v1\/b\/([^/]+)(\/o)?(?:\/([^/]+))?$/.exec(pathname)
  if (method === 'GET' && pathname === `/storage/v1/b/${bucket.name}/notificationConfigs`) {
    const { notifications: items } = bucket
    return json(200, { kind: 'storage#notifications', ...(items.length > 0 && { items }) })
  }
  if (!parts || parts[2] !== bucket.name) return fail(404, `no such bucket: ${pathname}`)
  const [, upload, , objects, encoded] = parts
  if (upload) {
    const isInsert = method === 'POST' && objects && encoded === undefined
    return isInsert ? insert(bucket, request) : fail(404, pathname)
  }
  if (encoded !== undefined) return ofObject(bucket, decodeURIComponent(encoded), request)
  if (!objects && ['GET', 'PATCH'].includes(method)) return ofBucket(bucket, request)
  if (objects && method === 'GET') return list(bucket, request, pageSize)
  return fail(405, `${method} ${pathname}`)
}
