/** Bodies are JSON and nothing else; an empty one is no body. */
import type { FastifyInstance } from 'fastify'
import { ValidationError } from '../domain/errors.ts'

/** Refuses what is no JSON in the shape of every other problem with a body. */
const NOT_JSON = new ValidationError([
  {
    instancePath: '',
    keyword: 'format',
    params: { format: 'json' },
    message: 'must be JSON (RFC 8259)',
  },
])

/** Makes the routes of `app` take JSON; other media types are refused with 415. */
export function takeJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    return parse(request, body as string, (error, value) => done(error ? NOT_JSON : null, value))
  })
}
