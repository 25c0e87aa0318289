/** The pages that people see, as the build made them (CSP: Content Security Policy 3). */
import fastifyStatic from '@fastify/static'
import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConsoleSignIn } from '../../domain/ports/console-sign-in.ts'
import type { EmbeddingOrigins } from '../../domain/ports/embedding.ts'
import { isEmbeddingOrigin } from '../../domain/tenants/embedding-origin.ts'
import { orTimeout } from '../../application/cases/read-case.ts'
import { answerUnknownPath } from '../errors.ts'

/**
 * Nothing from elsewhere and nothing inline, but documents from where they lie. `wasm-unsafe-eval`
 * lets the PDF reader run its image decoders and nothing else.
 */
const policyOf = (connectOrigins = '', frameAncestor = "'none'") => [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  `connect-src 'self' ${connectOrigins}`.trim(),
  "base-uri 'none'",
  "form-action 'none'",
  `frame-ancestors ${frameAncestor}`,
]

const baseHeaders = (policy: readonly string[]) => ({
  'content-security-policy': policy.join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
})
/** @param connectOrigins separated by spaces */
const headersOf = (connectOrigins?: string) => ({
  ...baseHeaders(policyOf(connectOrigins)),
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
})

/**
 * Headers of a page that one origin may show in a frame. `X-Frame-Options` is absent, because it
 * cannot name an origin that all browsers understand.
 *
 * @param frameAncestor a registered origin, which contains no character of the policy's grammar
 */
const frameHeadersOf = (objectsOrigin: string | undefined, frameAncestor: string) => ({
  ...baseHeaders(policyOf(objectsOrigin, frameAncestor)),
  'cross-origin-resource-policy': 'cross-origin',
})

/** Names of assets change with their content. */
const ASSET_LIFE_MS = 365 * 24 * 60 * 60 * 1000

const PAGES: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/sign/:participantId': 'sign/index.html',
  '/kiosk': 'kiosk/index.html',
  '/verify': 'verify/index.html',
}
const CONSOLE = { url: '/console', file: 'console/index.html' } as const
/** Where only this machine reaches the service. */
const LOCAL_PAGES = {
  '/dev/mailbox': 'mailbox/index.html',
  '/dev/graphql': 'graphql/index.html',
}

export interface PageOptions {
  /** What the build made. */
  folder: string
  /** Whether there is a mailbox to be shown, and the page that tries GraphQL. */
  withMailbox: boolean
  /** Where browsers load documents from and put them, unless it is the API itself. */
  objectsOrigin?: string | undefined
  /** Sites that may show the signing page in a frame; absent: none. */
  embedding?: EmbeddingOrigins | undefined
  /** How tenants sign in to the console. */
  consoleSignIn?: ConsoleSignIn | undefined
}

/** The signing page inside a frame; the query names the origin of the site around it. */
const EMBEDDED_PAGE = { url: '/embed/sign/:participantId', file: 'embed/index.html' } as const
/** The field editor inside a frame; it shows nothing of the service (decision 192). */
const EMBEDDED_EDITOR = { url: '/embed/fields', file: 'fields/index.html' } as const
/** The web components, under names that do not change; other sites load them. */
const COMPONENTS = ['embed/sigcase-sign.js', 'embed/sigcase-fields.js'] as const
const COMPONENT_HEADERS = {
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=300',
  'cross-origin-resource-policy': 'cross-origin',
} as const

const sendHtml = (reply: FastifyReply, headers: Record<string, string>, html: string) =>
  reply.headers(headers).type('text/html; charset=utf-8').send(html)

/** @returns the origin of the query when at least one tenant registered it (decision 192) */
async function registeredOrigin(query: unknown, embedding: EmbeddingOrigins | undefined) {
  const { origin } = query as { origin?: unknown }
  if (!embedding || typeof origin !== 'string' || !isEmbeddingOrigin(origin)) return undefined
  return (await orTimeout(() => embedding.isRegistered(origin))) ? origin : undefined
}

/** A page that only the registered origin of its query may show in a frame. */
async function framedPage(
  app: FastifyInstance,
  { url, file }: { url: string; file: string },
  { folder, embedding }: PageOptions,
  objectsOrigin?: string,
): Promise<void> {
  const html = await readFile(join(folder, file), 'utf8')
  app.get(url, { schema: { hide: true } }, async ({ query }, reply) => {
    const origin = await registeredOrigin(query, embedding)
    const headers =
      origin === undefined ? headersOf(objectsOrigin) : frameHeadersOf(objectsOrigin, origin)
    return sendHtml(reply, headers, html)
  })
}

/**
 * The pages for frames, and the web components that open them. The server does not see the case,
 * because the token is in the fragment. So the signing page allows only the origin of its query,
 * and only if a tenant registered it; the routes of participants then check the tenant. The editor
 * loads no document from the service.
 */
async function embeddingRoutes(app: FastifyInstance, options: PageOptions): Promise<void> {
  await framedPage(app, EMBEDDED_PAGE, options, options.objectsOrigin)
  await framedPage(app, EMBEDDED_EDITOR, options)
  for (const file of COMPONENTS) {
    const script = await readFile(join(options.folder, file), 'utf8')
    app.get(`/${file}`, { schema: { hide: true } }, (_request, reply) =>
      reply.headers(COMPONENT_HEADERS).type('text/javascript; charset=utf-8').send(script),
    )
  }
}

/** The console also connects to the provider that tenants sign in with (decision 216). */
function consoleOrigins({ objectsOrigin, consoleSignIn }: PageOptions): string {
  const origins = new Set(objectsOrigin === undefined ? [] : [objectsOrigin])
  if (consoleSignIn?.kind === 'provider') {
    const { issuer, tokenOrigin } = consoleSignIn
    origins.add(new URL(issuer).origin)
    if (tokenOrigin !== undefined) origins.add(tokenOrigin)
  }
  return [...origins].join(' ')
}

const FORBIDDEN = 403

/** Files of pages; the library refuses folders and odd paths with a 403 of its own shape. */
const assetRoutes =
  (folder: string, headers: Record<string, string>): FastifyPluginAsync =>
  async (app) => {
    app.setErrorHandler<FastifyError>((error, _request, reply) => {
      if (error.statusCode !== FORBIDDEN) throw error
      return answerUnknownPath(reply)
    })
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
  }

/** The pages are read once, when the server starts; it fails when they are not built. */
export const pageRoutes =
  (options: PageOptions): FastifyPluginAsync =>
  async (app) => {
    const { folder, withMailbox, objectsOrigin } = options
    const headers = headersOf(objectsOrigin)
    await app.register(assetRoutes(folder, headers))
    const pages = Object.entries({ ...PAGES, ...(withMailbox ? LOCAL_PAGES : {}) })
    for (const [url, file] of pages) {
      const html = await readFile(join(folder, file), 'utf8')
      app.get(url, { schema: { hide: true } }, (_request, reply) => sendHtml(reply, headers, html))
    }
    const consoleHtml = await readFile(join(folder, CONSOLE.file), 'utf8')
    const consoleHeaders = headersOf(consoleOrigins(options))
    app.get(CONSOLE.url, { schema: { hide: true } }, (_request, reply) =>
      sendHtml(reply, consoleHeaders, consoleHtml),
    )
    await embeddingRoutes(app, options)
  }
