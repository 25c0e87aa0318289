/** Mails that were kept instead of sent, as their readers would see them. */
import type { FastifyPluginAsync } from 'fastify'
import { createHash } from 'node:crypto'
import type { Mailbox } from '../../domain/ports/mailbox.ts'
import { answerUnknownPath } from '../errors.ts'
import { onOwnHostOnly } from '../own-host.ts'

const STYLES = /<style>([^<]*)<\/style>|style="([^"]*)"/g

/** Mails bring their styles along: each is allowed by its digest (CSP 3, 8.2), nothing else is. */
function policyOf(html: string): string {
  const styles = [...html.matchAll(STYLES)].map(([, sheet, attribute]) => sheet ?? attribute ?? '')
  const digests = styles.map((style) => createHash('sha256').update(style).digest('base64'))
  const hashes = [...new Set(digests)].map((digest) => `'sha256-${digest}'`)
  return [
    "default-src 'none'",
    ["style-src 'unsafe-hashes'", ...hashes].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Answers under a name of this machine alone: who reads the mails can sign. */
export const mailboxRoutes =
  (mailbox: Mailbox): FastifyPluginAsync =>
  async (app) => {
    const schema = { hide: true }
    onOwnHostOnly(app)
    app.get('/dev/mails', { schema }, async () => ({ mails: await mailbox.list() }))
    app.get('/dev/mails/:id', { schema }, async (request, reply) => {
      const html = await mailbox.read((request.params as { id: string }).id)
      if (html === undefined) return answerUnknownPath(reply)
      return reply
        .header('content-security-policy', policyOf(html))
        .type('text/html; charset=utf-8')
        .send(html)
    })
  }
