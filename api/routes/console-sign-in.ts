/** How tenants sign in to the console, and one-time codes of the local issuer (decision 216). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { createSignInCode, exchangeSignInCode } from '../../application/console/sign-in-codes.ts'
import type { ConsoleIssuer, ConsoleSignIn } from '../../domain/ports/console-sign-in.ts'
import { ValidationError } from '../../domain/errors.ts'
import { unauthorized } from '../authentication.ts'
import type { ApiDeps } from '../deps.ts'
import { onOwnHostOnly } from '../own-host.ts'
import { throttlePublic } from '../throttle.ts'

const MAXIMUM_LENGTH = 128

/** What the page needs to start signing in. */
function presentSignIn(signIn: ConsoleSignIn | undefined) {
  if (signIn?.kind !== 'provider') return { kind: signIn?.kind ?? ('token' as const) }
  const { kind, issuer, clientId, scope, token } = signIn
  return { kind, issuer, clientId, scope, token }
}

/** Codes and tokens of the local issuer, under a name of this machine alone. */
const localRoutes =
  (issuer: ConsoleIssuer, deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    onOwnHostOnly(app)
    throttlePublic(app, deps)
    const text = Type.String({ minLength: 1, maxLength: MAXIMUM_LENGTH })

    app.post(
      '/dev/console/codes',
      { schema: { hide: true, body: Type.Object({ tenant: text }) } },
      async ({ body: { tenant } }) => {
        if (!issuer.isTenant(tenant)) {
          const message = 'must be the name of a tenant'
          throw new ValidationError([
            { instancePath: '/tenant', keyword: 'pattern', params: {}, message },
          ])
        }
        const code = deps.randomSecret()
        await createSignInCode(tenant, code, deps)
        return { code }
      },
    )

    app.post(
      '/dev/console/token',
      { schema: { hide: true, body: Type.Object({ code: text }) } },
      async ({ body }) => {
        const exchanged = await exchangeSignInCode(body.code, issuer, deps)
        if (!exchanged) throw unauthorized()
        return exchanged
      },
    )
  }

/** The console has no other routes of its own: it uses those of tenants. */
export const consoleRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { consoleSignIn } = deps
    app.get('/console/sign-in', { schema: { hide: true } }, () => presentSignIn(consoleSignIn))
    if (consoleSignIn?.kind === 'local') await app.register(localRoutes(consoleSignIn, deps))
  }
