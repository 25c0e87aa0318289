/** Notifications by which Cloud Storage publishes uploads to Pub/Sub. */
import type { Bucket } from '@google-cloud/storage'
import { attempt, GcsRefusedError } from './attempts.ts'

const FORBIDDEN = 403
const FINISHED = 'OBJECT_FINALIZE'
/** Uploads of cases are below it. */
const UPLOADS_PREFIX = 'tenants/'

interface NotificationConfig {
  event_types?: string[]
  object_name_prefix?: string
}

const reportsUploads = ({
  event_types: types = [FINISHED],
  object_name_prefix: prefix = '',
}: NotificationConfig) => types.includes(FINISHED) && UPLOADS_PREFIX.startsWith(prefix)

/**
 * Says whether the bucket publishes the upload of a document.
 *
 * @returns undefined when this account may not read the notifications
 * @throws ServiceError TIMEOUT
 */
export async function publishesUploads(bucket: Bucket): Promise<boolean | undefined> {
  try {
    const [found] = await attempt(() => bucket.getNotifications())
    return found.some(({ metadata }) => reportsUploads(metadata as NotificationConfig))
  } catch (error) {
    const isForbidden = (error as { cause?: { code?: unknown } }).cause?.code === FORBIDDEN
    if (error instanceof GcsRefusedError && isForbidden) return undefined
    throw error
  }
}
