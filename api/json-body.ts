/** Bodies are JSON and nothing else; an empty one is not a body. */
import type { Buffer } from 'node:buffer'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { ValidationError } from '../domain/errors.ts'
import { duplicateName } from './duplicate-names.ts'
import { findInexactNumber, type InexactNumber } from './inexact-numbers.ts'

/** Refuses what is not JSON in the shape of every other problem with a body. */
const wrongFormat = (format: string, message: string) =>
  new ValidationError([{ instancePath: '', keyword: 'format', params: { format }, message }])
const NOT_JSON = wrongFormat('json', 'must be JSON (RFC 8259)')
const NOT_UTF8 = wrongFormat('utf-8', 'must be UTF-8 (RFC 8259, 8.1)')
const twice = (instancePath: string) =>
  new ValidationError([
    { instancePath, keyword: 'uniqueNames', params: {}, message: 'must not be given twice' },
  ])

/**
 * More than any body that can be valid has: fifty participants with fifty fields each, twice.
 * A body of 2 MB could hold a million, and each could be a problem to report.
 */
const MAXIMUM_VALUES = 50_000
const TOO_MANY_VALUES = new ValidationError([
  {
    instancePath: '',
    keyword: 'maxValues',
    params: { limit: MAXIMUM_VALUES },
    message: `must not hold more than ${MAXIMUM_VALUES} values`,
  },
])

const MAXIMUM_SHOWN = 40
/** The member of a body that webhooks send back: no number in it may change. */
const RETURNED_PART = ['callback', 'data']
/** What is sent back unchanged must not be changed by reading it (specification 4.1, `data`). */
const notExact = ({ number, instancePath }: InexactNumber) =>
  new ValidationError([
    {
      instancePath,
      keyword: 'format',
      params: { format: 'double', number: number.slice(0, MAXIMUM_SHOWN) },
      message: 'must not hold a number that a double cannot: send it as a text',
    },
  ])

const { FST_ERR_CTP_INVALID_MEDIA_TYPE: UnsupportedMediaType } = errorCodes

/** Whether arrays and objects hold more values than {@link MAXIMUM_VALUES}, however they nest. */
function holdsTooMany(value: unknown): boolean {
  const waiting = [value]
  let count = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const members: unknown[] = Array.isArray(next) ? next : Object.values(next)
    count += members.length
    if (count > MAXIMUM_VALUES) return true
    for (const member of members) if (typeof member === 'object') waiting.push(member)
  }
  return false
}

/** A body that was compressed on its way is not unpacked (RFC 9110, 8.4). */
class ContentEncodingError extends Error {
  override readonly name = 'ContentEncodingError'
  readonly statusCode = 415

  constructor() {
    super('Unsupported Content-Encoding: send the body as it is')
  }
}

/** Throws for what is not UTF-8; a byte order mark stays, and is not JSON. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodedOr<T>(problem: Error, read: () => T): T {
  try {
    return read()
  } catch {
    throw problem
  }
}

/**
 * The value of a body. All its members are own properties, even one named `__proto__`: callers copy
 * the members that they use one by one.
 *
 * @throws ValidationError, ContentEncodingError
 */
function valueOf(octets: Uint8Array, { headers }: FastifyRequest): unknown {
  if (octets.length === 0) return undefined
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new ContentEncodingError()
  }
  const text = decodedOr(NOT_UTF8, () => UTF8.decode(octets))
  const value = decodedOr(NOT_JSON, () => JSON.parse(text) as unknown)
  // Every value takes a character at least.
  if (text.length > MAXIMUM_VALUES && holdsTooMany(value)) throw TOO_MANY_VALUES
  const path = duplicateName(text, value)
  if (path !== undefined) throw twice(path)
  const inexact = findInexactNumber(text, RETURNED_PART)
  if (inexact !== undefined) throw notExact(inexact)
  return value
}

/**
 * Makes the routes of `app` take JSON; other media types are refused with 415. Some clients name
 * one with every POST: where nothing comes, it does not matter of which type.
 */
export function takeJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = async (request: FastifyRequest, body: Buffer) => valueOf(body, request)
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse)
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
    body.length === 0 ? done(null, undefined) : done(new UnsupportedMediaType()),
  )
}
