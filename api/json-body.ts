/** Bodies are JSON and nothing else; an empty one is no body. */
import { errorCodes, type FastifyInstance } from 'fastify'
import { ValidationError } from '../domain/errors.ts'
import { inexactNumber } from './inexact-numbers.ts'

/** Refuses what is no JSON in the shape of every other problem with a body. */
const NOT_JSON = new ValidationError([
  {
    instancePath: '',
    keyword: 'format',
    params: { format: 'json' },
    message: 'must be JSON (RFC 8259)',
  },
])

/**
 * More than any body that can be valid has: fifty participants with fifty fields each, twice.
 * A body of 2 MB could hold a million, and each could be a problem to tell.
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
/** What is sent back unchanged must not be changed by reading it (specification 4.1, `data`). */
const notExact = (number: string) =>
  new ValidationError([
    {
      instancePath: '',
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

/**
 * Makes the routes of `app` take JSON; other media types are refused with 415. Some clients name
 * one with every POST: where nothing comes, it does not matter of which type.
 */
export function takeJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    return parse(request, body as string, (error, value: unknown) => {
      if (error) return done(NOT_JSON)
      // Every value takes a character at least.
      const canBeMany = body.length > MAXIMUM_VALUES
      if (canBeMany && holdsTooMany(value)) return done(TOO_MANY_VALUES)
      const number = inexactNumber(body as string)
      return number === undefined ? done(null, value) : done(notExact(number))
    })
  })
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
    body === '' ? done(null, undefined) : done(new UnsupportedMediaType()),
  )
}
