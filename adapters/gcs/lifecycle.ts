/** Lifecycle rules by which Cloud Storage deletes objects from the bucket by itself. */
import type { Bucket } from '@google-cloud/storage'
import { ATTEMPT_RETENTION_MS } from '../../domain/limits.ts'
import { VERIFICATIONS_FOLDER } from '../../domain/verification.ts'
import { GcsAnswerError } from './answers.ts'
import { attempt, GcsRefusedError } from './attempts.ts'

const FORBIDDEN = 403
const DAY_MS = 24 * 60 * 60 * 1000
/**
 * Uploads are copied when they are accepted. After this time an upload will not be accepted any
 * more, because no outage lasts longer.
 */
const UPLOAD_DAYS = 30
/** The service deletes attempts of webhooks itself; a day later, this rule deletes the rest. */
const ATTEMPT_DAYS = ATTEMPT_RETENTION_MS / DAY_MS + 1
/** Keys of attempts end in their number; this many per event are covered. */
const ATTEMPT_NUMBERS = 100

/** Uploads for verification and their reports; the service deletes them within hours. */
const VERIFICATION_DAYS = 1

/** One rule of a bucket (Cloud Storage, object lifecycle management). */
interface LifecycleRule {
  action: { type: string }
  condition: { age?: number; matchesSuffix?: string[]; matchesPrefix?: string[] }
}

const attemptSuffixes = Array.from(
  { length: ATTEMPT_NUMBERS },
  (_, index) => `/${String(index + 1).padStart(4, '0')}`,
)

/** Deletes uploads after 30 days, uploads for verification after one, webhook attempts after 91. */
export const LIFECYCLE_RULES: readonly LifecycleRule[] = [
  {
    action: { type: 'Delete' },
    condition: { age: UPLOAD_DAYS, matchesSuffix: ['/upload.pdf'] },
  },
  {
    action: { type: 'Delete' },
    condition: { age: VERIFICATION_DAYS, matchesPrefix: [VERIFICATIONS_FOLDER] },
  },
  {
    action: { type: 'Delete' },
    condition: { age: ATTEMPT_DAYS, matchesSuffix: attemptSuffixes },
  },
]

/** Identifies a rule independently of its age. */
const nameOf = ({ condition }: LifecycleRule) =>
  condition.matchesSuffix?.[0] ?? condition.matchesPrefix?.[0]
const OUR_NAMES = new Set(LIFECYCLE_RULES.map(nameOf))
const isOurs = (rule: LifecycleRule) => nameOf(rule) !== undefined && OUR_NAMES.has(nameOf(rule))

/**
 * Sets the service's rules on the bucket and keeps foreign rules; requires the right
 * `storage.buckets.update`.
 *
 * @returns the number of foreign rules
 * @throws GcsRefusedError; ServiceError TIMEOUT
 */
export async function applyLifecycle(bucket: Bucket): Promise<number> {
  const { lifecycle } = await attempt(async () => {
    const [metadata] = await bucket.getMetadata()
    // Foreign rules would be lost if a proxy's page were taken for metadata.
    if (metadata.name !== bucket.name)
      throw new GcsAnswerError('the answer does not name the bucket')
    return metadata
  })
  const present = (lifecycle?.rule ?? []) as unknown as LifecycleRule[]
  const others = present.filter((rule) => !isOurs(rule))
  const rule = [...others, ...LIFECYCLE_RULES]
  await attempt(() => bucket.setMetadata({ lifecycle: { rule } } as never))
  return others.length
}

/**
 * Counts the service's rules that the bucket does not have.
 *
 * @returns undefined when this account may not read them
 * @throws ServiceError TIMEOUT
 */
export async function missingLifecycleRules(bucket: Bucket): Promise<number | undefined> {
  try {
    const [{ lifecycle }] = await attempt(() => bucket.getMetadata())
    const present = new Set(((lifecycle?.rule ?? []) as unknown as LifecycleRule[]).map(nameOf))
    return LIFECYCLE_RULES.filter((rule) => !present.has(nameOf(rule))).length
  } catch (error) {
    const isForbidden = (error as { cause?: { code?: unknown } }).cause?.code === FORBIDDEN
    if (error instanceof GcsRefusedError && isForbidden) return undefined
    throw error
  }
}
