/** Whether the process lives and what it can do now. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from '@sinclair/typebox'
import { stringEnum } from '../../domain/schema-parts.ts'
import { ServiceError } from '../../domain/errors.ts'
import { CANARY_OUTCOMES, canaryState } from '../../application/cases/signing-availability.ts'
import type { ApiDeps } from '../deps.ts'
import { refusals, shownBy } from '../route-schemas.ts'

const tags = ['operation']

const LIFE = Type.Object({ status: stringEnum(['ok']) })
const READINESS = Type.Object({
  status: stringEnum(['ok']),
  checks: Type.Object({
    canary: Type.Object({
      outcome: stringEnum(CANARY_OUTCOMES, {
        description: 'Signing is available while it is `passed`',
      }),
      at: Type.Optional(Type.String({ format: 'date-time' })),
      ageSeconds: Type.Optional(Type.Integer()),
    }),
  }),
})
const READINESS_EXAMPLE: Static<typeof READINESS> = {
  status: 'ok',
  checks: { canary: { outcome: 'passed', at: '2026-11-02T08:00:00.000Z', ageSeconds: 12 } },
}

/** Under no limit of requests: probes come often. */
export const healthRoutes =
  (deps: Pick<ApiDeps, 'objects' | 'now' | 'isDraining'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/healthz',
      {
        schema: {
          tags,
          operationId: 'health',
          summary: 'Whether the process lives',
          response: { 200: shownBy(LIFE, { status: 'ok' }, 'It lives') },
        },
      },
      async () => ({ status: 'ok' as const }),
    )

    app.get(
      '/readyz',
      {
        schema: {
          tags,
          operationId: 'readiness',
          summary: 'Whether requests are taken, and whether signing is available',
          response: {
            200: shownBy(READINESS, READINESS_EXAMPLE, 'Also while a check fails: see `checks`'),
            ...refusals('unexpected', 'TIMEOUT', 'SHUTTING_DOWN'),
          },
        },
      },
      async () => {
        if (deps.isDraining?.()) throw new ServiceError('SHUTTING_DOWN')
        return { status: 'ok' as const, checks: { canary: await canaryState(deps) } }
      },
    )
  }
