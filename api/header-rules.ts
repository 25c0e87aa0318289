/**
 * Headers that a proxy and this service could read in two ways: with two values, with none where
 * one is needed, or with a coding that only one of them decodes (RFC 9110, 5.3 and 7.2; RFC 9112,
 * 3.2 and 6.1).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** What says for whom, by whom and how a request is: Node takes the first of several in silence. */
const SINGLE: readonly string[] = ['host', 'authorization', 'content-type']

const CHUNKED = 'chunked'

/** A request that a gateway in front of the service could read in another way. */
class AmbiguousHeaderError extends Error {
  override readonly name = 'AmbiguousHeaderError'
  readonly statusCode = 400
}

/** @param rawHeaders names and values in turn, as they came */
function faultOf({ raw: { rawHeaders, httpVersion, headers } }: FastifyRequest) {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  const twice = SINGLE.find((name) => names.indexOf(name) !== names.lastIndexOf(name))
  if (twice !== undefined) return `The header ${twice} must not come twice`
  if (httpVersion === '1.1' && headers.host === undefined) return 'The header host is missing'
  // A server that decodes another coding finds another body (RFC 9112, 6.1).
  if ((headers['transfer-encoding'] ?? CHUNKED).toLowerCase() !== CHUNKED) {
    return 'The only transfer coding that is supported is chunked'
  }
  return undefined
}

/**
 * Refuses such requests before anything of them is believed; goes before every other rule.
 *
 * Only `GET /graphql` speaks another protocol. Elsewhere, a request that asks for one is answered
 * as any other. Node drops the octets that arrive with it: a proxy that sent the next request among
 * them would take a later answer for the missing one. The connection therefore ends.
 */
export function refuseAmbiguousHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.upgrade !== undefined) reply.raw.shouldKeepAlive = false
    const fault = faultOf(request)
    if (fault === undefined) done()
    else done(new AmbiguousHeaderError(fault))
  })
  // An expectation that is not known is left alone, which RFC 9110, 10.1.1 permits: Node's own 417
  // would have neither the contract's shape nor its headers.
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  )
}
