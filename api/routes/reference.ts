/** `/docs`: the reference of the API, and its document with samples (decision 204). */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withCodeSamples } from '../document/code-samples.ts'

const NONCE_BYTES = 16

/**
 * Nothing from elsewhere. Scalar creates style elements, which need the nonce of the response;
 * scripts come only from files of this origin.
 */
const policyOf = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

function sendPage(reply: FastifyReply, html: string) {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  const meta = `<head><meta property="csp-nonce" content="${nonce}" />`
  return reply
    .headers({
      'content-security-policy': policyOf(nonce),
      'cross-origin-opener-policy': 'same-origin',
      'x-frame-options': 'DENY',
    })
    .type('text/html; charset=utf-8')
    .send(html.replace('<head>', meta))
}

/** Declares `/docs` and its document. @param folder where the built pages are */
export async function referenceRoutes(app: FastifyInstance, folder: string): Promise<void> {
  const html = await readFile(join(folder, 'docs/index.html'), 'utf8')
  const options = { schema: { hide: true } }
  let document: string | undefined
  for (const url of ['/docs', '/docs/']) {
    app.get(url, options, (_request, reply) => sendPage(reply, html))
  }
  app.get('/docs/openapi.json', options, (_request, reply) => {
    document ??= JSON.stringify(withCodeSamples(app.swagger()))
    return reply.type('application/json; charset=utf-8').send(document)
  })
}
