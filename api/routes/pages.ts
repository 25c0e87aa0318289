/** The pages that people see, as the build made them (issue 6; CSP: Content Security Policy 3). */
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Nothing from elsewhere and nothing inline, but documents from where they lie. `wasm-unsafe-eval`
 * lets the PDF reader run its image decoders and nothing else.
 */
const policyOf = (objectsOrigin = '') => [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  `connect-src 'self' ${objectsOrigin}`.trim(),
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]

const headersOf = (objectsOrigin?: string) => ({
  'content-security-policy': policyOf(objectsOrigin).join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'x-frame-options': 'DENY',
})
/** Names of assets change with their content. */
const ASSET_LIFE_MS = 365 * 24 * 60 * 60 * 1000

const PAGES: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/sign/:participantId': 'sign/index.html',
  '/kiosk': 'kiosk/index.html',
  '/verify': 'verify/index.html',
}
const MAILBOX = { '/dev/mailbox': 'mailbox/index.html' }

export interface PageOptions {
  /** What the build made. */
  folder: string
  /** Whether there is a mailbox to be shown. */
  withMailbox: boolean
  /** Where browsers load documents from and put them, unless it is the API itself. */
  objectsOrigin?: string | undefined
}

/** The pages are read once, when the server starts; it fails when they are not built. */
export const pageRoutes =
  ({ folder, withMailbox, objectsOrigin }: PageOptions): FastifyPluginAsync =>
  async (app) => {
    const headers = headersOf(objectsOrigin)
    await app.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      index: false,
      preCompressed: true,
      maxAge: ASSET_LIFE_MS,
      immutable: true,
      schemaHide: true,
      // A worker has the policy of its own file.
      setHeaders: (reply) => void reply.headers(headers),
    })
    const pages = Object.entries({ ...PAGES, ...(withMailbox ? MAILBOX : {}) })
    for (const [url, file] of pages) {
      const html = await readFile(join(folder, file), 'utf8')
      app.get(url, { schema: { hide: true } }, (_request, reply) =>
        reply.headers(headers).type('text/html; charset=utf-8').send(html),
      )
    }
  }
