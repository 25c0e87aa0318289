/** Routes that answer only under a name of this machine. */
import type { FastifyInstance } from 'fastify'
import { answerUnknownPath } from './errors.ts'

/** Another name is that of a page elsewhere that had its name lead here (DNS rebinding). */
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Answers requests of the plugin under other names as if its routes did not exist. */
export function onOwnHostOnly(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }, reply) =>
    OWN_HOST.test(headers.host ?? '') ? undefined : answerUnknownPath(reply),
  )
}
