/** `/objects/…`: uploads and downloads by presigned URL, where the API keeps the objects. */
import type { FastifyPluginAsync } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { ObjectHandler } from '../deps.ts'
import { countPublic, type ThrottleDeps } from '../throttle.ts'

/** Longer than a request may take to come whole: it is that which ends a slow upload. */
const TRANSFER_BUDGET_MS = 10 * 60 * 1000

const FORBIDDEN = 403

/** Bodies are passed on as they come, of any type and length. */
export const objectRoutes =
  (objects: ObjectHandler, deps: ThrottleDeps): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

    app.route({
      method: ['GET', 'PUT'],
      exposeHeadRoute: true,
      url: '/objects/*',
      schema: { hide: true },
      // Large documents on slow lines take longer than any other request.
      config: { budgetMs: TRANSFER_BUDGET_MS },
      async handler(request, reply) {
        const { method, url, params, headers, body, raw } = request
        const answer = await objects.answer({
          method,
          key: (params as { '*': string })['*'],
          query: new URLSearchParams(url.split('?')[1] ?? ''),
          contentType: headers['content-type'],
          contentEncoding: headers['content-encoding'],
          contentRange: headers['content-range'],
          range: headers.range,
          ifRange: headers['if-range']?.toString(),
          ifMatch: headers['if-match'],
          ifNoneMatch: headers['if-none-match'],
          body: (body as IncomingMessage | undefined) ?? raw,
        })
        // A valid link can be used any number of times, as PDF readers do; guesses are counted.
        if (answer.status === FORBIDDEN) await countPublic(request, deps)
        // An empty text would be given a type.
        const sent = answer.body === '' ? undefined : answer.body
        return reply.code(answer.status).headers(answer.headers).send(sent)
      },
    })
  }
