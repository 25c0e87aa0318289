/** Routes that answer only under a name of this machine, and not through a proxy. */
import type { FastifyInstance } from 'fastify'
import { answerUnknownPath } from './errors.ts'

/** Another name is that of a page elsewhere that had its name lead here (DNS rebinding). */
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Headers that a proxy adds; a browser on this machine sends none of them. */
const OF_PROXY = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/

/**
 * Answers requests of the plugin under other names, or through a proxy, as if its routes did not
 * exist. A proxy on this machine that adds no header cannot be recognised.
 */
export function onOwnHostOnly(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }, reply) => {
    const isProxied = Object.keys(headers).some((name) => OF_PROXY.test(name))
    return OWN_HOST.test(headers.host ?? '') && !isProxied ? undefined : answerUnknownPath(reply)
  })
}
