/**
 * Sends single requests to the JSON API of Cloud Storage, with the credentials of Google's client
 * and without its transport, which takes several times as much CPU time (decision 311).
 */
import { Buffer } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { GoogleAuth } from 'google-auth-library'
import { EnvHttpProxyAgent, request, type Dispatcher } from 'undici'
import { VERSION } from '../../domain/version.ts'
import { withDeadline } from '../shared/in-time.ts'
import { readRefusal } from './attempts.ts'

/** The objects of one bucket. */
export interface BucketPlace {
  auth: GoogleAuth
  /** Without a trailing slash. */
  endpoint: string
  bucket: string
  connections: Dispatcher
}

export interface BucketRequest {
  method: 'GET' | 'POST' | 'DELETE'
  /** After the name of the bucket, with encoded segments. */
  path: string
  /** For requests that upload. */
  isUpload?: boolean
  query?: Readonly<Record<string, string | number | undefined>>
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array
  /** Longest response; a longer one is refused with a RangeError. Absent: there is no limit. */
  maximumBytes?: number
  /** Limit of the request with its response, in milliseconds. */
  limitMs: number
}

export interface BucketAnswer {
  bytes: Buffer
  /** Values of headers by their names in lower case; several values are joined by commas. */
  headers: ReadonlyMap<string, string>
}

/** As long as the client of Google keeps its connections; Google closes them after minutes. */
const KEEP_ALIVE_MS = 30_000
/** More wait for one that is free. */
const MAXIMUM_CONNECTIONS = 64
const USER_AGENT = `sigcase/${VERSION}`
const SUCCESS_FROM = 200
const SUCCESS_BELOW = 300

/** Opens a pool of connections, which use the proxy of `HTTPS_PROXY`; one for each store. */
export const openConnections = (): Dispatcher =>
  new EnvHttpProxyAgent({
    allowH2: false,
    connections: MAXIMUM_CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  })

/** Path of one object. */
export const objectPath = (key: string) => `/o/${encodeURIComponent(key)}`

function urlOf({ endpoint, bucket }: BucketPlace, { path, isUpload, query = {} }: BucketRequest) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  const prefix = isUpload ? '/upload/storage/v1' : '/storage/v1'
  return `${endpoint}${prefix}/b/${bucket}${path}${text === '' ? '' : `?${text}`}`
}

function readHeaders({ headers }: Dispatcher.ResponseData): ReadonlyMap<string, string> {
  const named = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, [value].flat().join(',')]],
  )
  return new Map(named)
}

async function collect(stream: Readable, maximumBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maximumBytes) throw new RangeError('the object is too long to read')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

async function sendUntil(
  signal: AbortSignal,
  place: BucketPlace,
  asked: BucketRequest,
): Promise<BucketAnswer> {
  const { method, headers, body, maximumBytes = Number.POSITIVE_INFINITY } = asked
  const url = urlOf(place, asked)
  const credentials = await place.auth.getRequestHeaders(url)
  const response = await request(url, {
    method,
    headers: { ...Object.fromEntries(credentials), 'user-agent': USER_AGENT, ...headers },
    ...(body ? { body } : {}),
    signal,
    dispatcher: place.connections,
  })
  const bytes = await collect(response.body, maximumBytes)
  const { statusCode: status } = response
  const found = readHeaders(response)
  if (status >= SUCCESS_FROM && status < SUCCESS_BELOW) return { bytes, headers: found }
  throw readRefusal(status, found, bytes.toString())
}

/**
 * Sends a request once.
 *
 * @throws RangeError when the response is longer than `maximumBytes`
 * @throws Error with the status of the response when it is not a success, or without a status when
 *   there was none in time
 */
export async function sendToBucket(
  place: BucketPlace,
  asked: BucketRequest,
): Promise<BucketAnswer> {
  return withDeadline(asked.limitMs, async (signal) => {
    try {
      return await sendUntil(signal, place, asked)
    } catch (error) {
      if (signal.aborted) throw new Error(`not done in ${asked.limitMs} ms`, { cause: error })
      throw error
    }
  })
}

/** Parses a response. @throws SyntaxError when it is not JSON; a retry may help */
export const parseAnswer = ({ bytes }: BucketAnswer): unknown => JSON.parse(bytes.toString())
