/** Whether the process lives and what it can do now. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { stringEnum } from '../../domain/cases/schema.ts'
import { canaryState } from '../canary.ts'
import type { ApiDeps } from '../deps.ts'

const tags = ['operation']

export const healthRoutes =
  (deps: Pick<ApiDeps, 'objects' | 'now'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/healthz',
      {
        schema: {
          tags,
          operationId: 'health',
          summary: 'Whether the process lives',
          response: { 200: Type.Object({ status: stringEnum(['ok']) }) },
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
            200: Type.Object({
              status: stringEnum(['ok']),
              checks: Type.Object({
                canary: Type.Object({
                  outcome: stringEnum(['passed', 'failed', 'absent', 'stale']),
                  at: Type.Optional(Type.String({ format: 'date-time' })),
                }),
              }),
            }),
          },
        },
      },
      async () => ({ status: 'ok' as const, checks: { canary: await canaryState(deps) } }),
    )
  }
