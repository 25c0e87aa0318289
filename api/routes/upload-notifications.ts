/**
 * Where Pub/Sub pushes that an upload has ended. It is only a notification: a lost one is made up
 * for by the controller, which looks at the objects of open cases anyway.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { caseOfUpload } from '../../domain/cases/keys.ts'
import { CASE_CHANGED } from '../../domain/ports/pub-sub.ts'
import { bearerToken, unauthorized } from '../authentication.ts'
import type { UploadNotifications } from '../deps.ts'
import { countingGuesses, type ThrottleDeps } from '../throttle.ts'

const MAXIMUM_ATTRIBUTE_LENGTH = 1_024
const WRITTEN = 'OBJECT_FINALIZE'
const NO_CONTENT = 204

const attribute = Type.String({ maxLength: MAXIMUM_ATTRIBUTE_LENGTH })

/** Cloud Storage's notification in a push of Pub/Sub; the members that matter. */
const PUSH = Type.Object({
  message: Type.Object({
    attributes: Type.Object({
      eventType: attribute,
      bucketId: attribute,
      objectId: attribute,
    }),
  }),
})

/** Answered with 204 also for what is not an upload: Pub/Sub repeats everything else for days. */
export const uploadNotificationRoutes =
  (deps: ThrottleDeps, { notifiers, bucket }: UploadNotifications): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { ephemeral } = deps
    app.post(
      '/notifications/uploads',
      {
        schema: { hide: true, body: PUSH },
        // Before the body is looked at: only Pub/Sub learns what is wrong with it.
        onRequest: async (request) => {
          await countingGuesses(request, deps, async () => {
            if (!(await notifiers.isNotifier(bearerToken(request)))) throw unauthorized()
          })
        },
      },
      async ({ body }, reply) => {
        const { eventType, bucketId, objectId } = body.message.attributes
        const isWritten = eventType === WRITTEN && bucketId === bucket
        const uploaded = isWritten ? caseOfUpload(objectId) : undefined
        if (uploaded) await ephemeral.publish(CASE_CHANGED, JSON.stringify(uploaded))
        return reply.code(NO_CONTENT).send()
      },
    )
  }
