/** Checks of `sigcase doctor` about a bucket of Cloud Storage. */
import { missingLifecycleRules } from '../../adapters/gcs/lifecycle.ts'
import { publishesUploads } from '../../adapters/gcs/notifications.ts'
import { openBucket } from '../../adapters/gcs/object-store.ts'
import { googleAuth } from '../../adapters/shared/google-auth.ts'
import { isCloudStorage } from '../../runtime/config/google-cloud.ts'
import type { ApiConfig, ClusterConfig } from '../../runtime/config/processes.ts'
import { ok, warning, type Check } from './finding.ts'
import { clockCheck } from './network.ts'

/** The finding about settings of a bucket that only its administrators may read. */
const NOT_READABLE = {
  outcome: 'skipped',
  detail: 'this account may not read them (storage.buckets.get)',
} as const

/** Checks the lifecycle rules of the bucket, and the clock of Cloud Storage. */
export function bucketChecks({ objects, google }: ClusterConfig): Check[] {
  if (!isCloudStorage(objects)) return []
  const remedy = 'run `sigcase gcs-lifecycle` with an account that may update the bucket'
  return [
    {
      name: 'rules of the bucket',
      remedy,
      async ask() {
        const bucket = openBucket({ ...objects, auth: googleAuth(google) })
        const missing = await missingLifecycleRules(bucket)
        if (missing === undefined) return NOT_READABLE
        if (missing > 0) return warning(`${missing} lifecycle rules are missing`, remedy)
        return ok('all lifecycle rules are set')
      },
    },
    clockCheck(objects.endpoint, () => Date.now()),
  ]
}

/** Checks that uploads reach Pub/Sub, when the API is configured to get them from there. */
export function notificationChecks({ objects, google, pubSubPush }: ApiConfig): Check[] {
  if (!pubSubPush || !isCloudStorage(objects)) return []
  const remedy = 'create it as docs/how-to/set-up-google-cloud.md says (upload notifications)'
  const check: Check = {
    name: 'notifications of the bucket',
    remedy,
    async ask() {
      const bucket = openBucket({ ...objects, auth: googleAuth(google) })
      const isPublished = await publishesUploads(bucket)
      if (isPublished === undefined) return NOT_READABLE
      if (isPublished) return ok('the bucket publishes uploads')
      return warning('the bucket publishes no uploads, so cases start late', remedy)
    },
  }
  return [check]
}
