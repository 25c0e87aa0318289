/** Sends one request to a service, and reads its answer within limits of time and size. */
import { Buffer } from 'node:buffer'
import { Agent, type Dispatcher } from 'undici'
import { withDeadline } from './in-time.ts'

/** Limit of one request, with at most 25 MB. */
const REQUEST_LIMIT_MS = 10_000
/** Octets of an error response that are read. */
const ERROR_OCTETS = 64 * 1024
const FIRST_ERROR = 300

/** A response, whatever its status is. */
export interface HttpAnswer {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  body: Buffer
}

export interface Outgoing {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  url: URL
  headers: Readonly<Record<string, string>>
  body?: Uint8Array | string
  /** A longer success is a RangeError. */
  maximumBytes: number
}

/**
 * Opens a pool of connections.
 *
 * @param authorities PEM certificates instead of the public authorities
 */
export function openAgent(authorities?: string): Agent {
  return new Agent(authorities === undefined ? {} : { connect: { ca: authorities } })
}

async function collect(body: AsyncIterable<Uint8Array>, maximumBytes: number, isError: boolean) {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maximumBytes) {
      if (isError) break
      throw new RangeError('the answer is too long to read')
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function flatten(headers: Dispatcher.ResponseData['headers']): HttpAnswer['headers'] {
  const pairs = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ])
  return Object.fromEntries(pairs) as HttpAnswer['headers']
}

/**
 * Sends the request once, whatever the status of the answer is.
 *
 * @throws RangeError for a success that is longer than `maximumBytes`
 * @throws Error when the service cannot be reached, or does not answer in time
 */
export async function exchange(
  agent: Dispatcher,
  { method, url, headers, body, maximumBytes }: Outgoing,
  limitMs = REQUEST_LIMIT_MS,
): Promise<HttpAnswer> {
  return withDeadline(limitMs, async (signal) => {
    try {
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers,
        body: body === undefined ? null : Buffer.from(body as Uint8Array),
        signal,
      })
      const isError = answer.statusCode >= FIRST_ERROR
      const read = await collect(answer.body, isError ? ERROR_OCTETS : maximumBytes, isError)
      return { status: answer.statusCode, headers: flatten(answer.headers), body: read }
    } catch (error) {
      if (signal.aborted) throw new Error(`not answered in ${limitMs} ms`, { cause: error })
      throw error
    }
  })
}
