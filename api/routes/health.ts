/** Whether the process lives and what it can do now. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from '@sinclair/typebox'
import { stringEnum, timestamp } from '../../domain/schema-parts.ts'
import { ServiceError } from '../../domain/errors.ts'
import { CANARY_OUTCOMES, canaryState } from '../../application/cases/signing-availability.ts'
import type { ApiDeps } from '../deps.ts'
import { refusals, shownBy } from '../route-schemas.ts'

const tags = ['operation']

const up = () => stringEnum(['ok'], { description: 'Always `ok`; other states have no 200' })
const LIFE = Type.Object({ status: up() }, { description: 'The process is alive' })
const CANARY = Type.Object(
  {
    outcome: stringEnum(CANARY_OUTCOMES, {
      description: 'Signing is available while it is `passed`',
    }),
    at: Type.Optional(timestamp('When the canary was sealed')),
    ageSeconds: Type.Optional(Type.Integer({ description: 'Age of the canary in seconds' })),
  },
  { description: 'The newest test document that the service sealed' },
)
const CHECKS = Type.Object({ canary: CANARY }, { description: 'Results of the checks' })
const READINESS = Type.Object(
  { status: up(), checks: CHECKS },
  { description: 'The process takes requests' },
)

/** The schemas of this file by the names that the OpenAPI document gives them. */
export const HEALTH_SCHEMAS = {
  Canary: CANARY,
  Health: LIFE,
  Readiness: READINESS,
  ReadinessChecks: CHECKS,
} as const
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
