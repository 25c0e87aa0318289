/** `/pki`: publishes the service's own authorities, so that anybody can verify its signatures. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Buffer } from 'node:buffer'
import { Type, type Static } from '@sinclair/typebox'
import { decodeObject } from '../../domain/json-object.ts'
import { AUTHORITIES_KEY, AUTHORITY_NAMES, PUBLISHED_FILE, publishedKey } from '../../domain/pki.ts'
import { conformsTo } from '../../domain/schema-faults.ts'
import { stringEnum, timestamp } from '../../domain/schema-parts.ts'
import type { ApiDeps } from '../deps.ts'
import { answerUnknownPath } from '../errors.ts'
import { PUBLIC_REFUSALS, refusals, shownBy } from '../route-schemas.ts'
import { throttlePublic, type ThrottleDeps } from '../throttle.ts'

const tags = ['verification']
/** Lists are made anew every few minutes, and hold for days. */
const CACHE = { 'cache-control': 'public, max-age=60' }
const FILE = new RegExp(PUBLISHED_FILE)

const AUTHORITY = Type.Object(
  {
    name: stringEnum(AUTHORITY_NAMES, { description: 'Role of the authority' }),
    subject: Type.String({ description: 'Distinguished name' }),
    sha256: Type.String({ description: 'SHA-256 fingerprint of the certificate, hexadecimal' }),
    notBefore: timestamp('Start of the validity of the certificate'),
    notAfter: timestamp('End of the validity of the certificate'),
    certificate: Type.String({ description: 'URL of the certificate (DER)' }),
    revocationList: Type.Optional(
      Type.String({ description: 'URL of its certificate revocation list (DER)' }),
    ),
  },
  { description: 'A certification authority of the service' },
)

const AUTHORITIES = Type.Object(
  {
    authorities: Type.Array(AUTHORITY, { description: 'The root, then the authorities below it' }),
  },
  { description: 'The certification authorities of the service' },
)

/** The schemas of this file by the names that the OpenAPI document gives them. */
export const PKI_SCHEMAS = { Authority: AUTHORITY, AuthorityList: AUTHORITIES } as const

const EXAMPLE: Static<typeof AUTHORITIES> = {
  authorities: [
    {
      name: 'issuing',
      subject: 'CN=sigcase local issuing CA,O=sigcase local service',
      sha256: '8f1de2a90c3b7745d6be1c0f9a52e3487b60d1f2c394a5e687d1c2b3a4f5e607',
      notBefore: '2026-01-01T00:00:00.000Z',
      notAfter: '2036-01-01T00:00:00.000Z',
      certificate: 'https://sign.example.com/pki/issuing-6b2f4c1d9e8a7035.cer',
      revocationList: 'https://sign.example.com/pki/issuing-6b2f4c1d9e8a7035.crl',
    },
  ],
}

/** Public: certificates contain these addresses (RFC 5280, 4.2.1.13 and 4.2.2.1). */
export const pkiRoutes =
  (deps: ThrottleDeps & Pick<ApiDeps, 'objects'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { objects } = deps
    throttlePublic(app, deps)

    app.get(
      '/pki',
      {
        schema: {
          tags,
          operationId: 'authorities',
          summary: 'The authorities of this service, with fingerprints',
          response: {
            200: shownBy(AUTHORITIES, EXAMPLE, 'The root, then those below it'),
            ...refusals(...PUBLIC_REFUSALS),
          },
        },
      },
      async (_request, reply) => {
        const stored = await objects.get(AUTHORITIES_KEY)
        const published = stored && decodeObject(stored)
        const shown = conformsTo(AUTHORITIES, published) ? published : { authorities: [] }
        return reply.headers(CACHE).send(shown)
      },
    )

    // Other programs fetch these files from the addresses in certificates.
    app.get<{ Params: { file: string } }>(
      '/pki/:file',
      { schema: { hide: true } },
      async ({ params: { file } }, reply) => {
        const stored = FILE.test(file) ? await objects.get(publishedKey(file)) : undefined
        // Without octets, it is longer than any file of the service.
        if (!stored?.bytes.length) return answerUnknownPath(reply)
        return reply.headers(CACHE).type(stored.contentType).send(Buffer.from(stored.bytes))
      },
    )
  }
