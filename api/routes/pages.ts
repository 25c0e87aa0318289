/** The pages that people see, as the build made them (issue 6; CSP: Content Security Policy 3). */
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Nothing from elsewhere and nothing inline. `wasm-unsafe-eval` lets the PDF reader run its image
 * decoders and nothing else.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'x-frame-options': 'DENY',
}
/** Names of assets change with their content. */
const ASSET_LIFE_MS = 365 * 24 * 60 * 60 * 1000

const PAGES: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/sign/:participantId': 'sign/index.html',
  '/kiosk': 'kiosk/index.html',
  '/verify': 'verify/index.html',
}
const MAILBOX = { '/dev/mailbox': 'mailbox/index.html' }

/**
 * @param folder what the build made
 * @param withMailbox whether there is a mailbox to be shown
 */
export const pageRoutes =
  (folder: string, withMailbox: boolean): FastifyPluginAsync =>
  async (app) => {
    await app.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      index: false,
      preCompressed: true,
      maxAge: ASSET_LIFE_MS,
      immutable: true,
      schemaHide: true,
      // A worker has the policy of its own file.
      setHeaders: (reply) => void reply.headers(PAGE_HEADERS),
    })
    const pages = Object.entries({ ...PAGES, ...(withMailbox ? MAILBOX : {}) })
    for (const [url, file] of pages) {
      const html = await readFile(join(folder, file), 'utf8')
      app.get(url, { schema: { hide: true } }, (_request, reply) =>
        reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(html),
      )
    }
  }
