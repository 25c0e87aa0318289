/** Public verification: takes an upload, has a worker validate it, and forgets it. */
import { Buffer } from 'node:buffer'
import { PDF_TYPE } from '../../domain/media-types.ts'
import type { VerificationUploadAnswer } from '../../domain/contract/answers.ts'
import type { ValidationReport } from '../../domain/contract/validation-report.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { FairQueue } from '../limits/fair-queue.ts'
import { isUuid } from '../../domain/ids.ts'
import { decodeObject } from '../../domain/json-object.ts'
import { KIBIBYTE, MAXIMUM_PDF_BYTES, UPLOAD_URL_LIFE_MS } from '../../domain/limits.ts'
import { runInTurn } from '../limits/run-in-turn.ts'
import {
  isForgotten,
  VERIFICATION_FAILED,
  verificationChannel,
  verificationResultKey,
  verificationUploadKey,
  type ReportFormat,
  type VerificationKey,
  type VerificationResult,
} from '../../domain/verification.ts'
import type { UseCaseDeps } from '../deps.ts'
import { ThrottledError } from '../errors.ts'

type VerifyDeps = Pick<
  UseCaseDeps,
  'objects' | 'jobs' | 'ephemeral' | 'timers' | 'now' | 'randomUuid'
>

type UploadDeps = Pick<UseCaseDeps, 'objects' | 'bounds' | 'now' | 'randomUuid'>

/** A notification may be lost, so the result is read as well. */
const POLL_MS = 500
/** Together longer than any request may take. */
const MAXIMUM_POLLS = 60
const POLLS_PER_ADD = 4
/** A validation takes up to this long. */
const VALIDATION_SECONDS = 10

/** Verifications of one process of the API: one at a time for each address, in turns. */
export const VERIFICATION_TURNS = {
  /** As many as two processes of workers validate at once. */
  maximumRunning: 4,
  maximumWaiting: 128,
  /** A validation takes about a second: the last one is answered within the time of a request. */
  maximumWaitingOfMember: 16,
} as const

/**
 * Octets that an upload of undeclared size may have. It is more than 25 MB so that `POST /verify`
 * finds the upload and answers DOCUMENT_TOO_LARGE; a store of its own keeps at most this much.
 */
const MAXIMUM_STORED_BYTES = MAXIMUM_PDF_BYTES + KIBIBYTE * KIBIBYTE

/** Who asks for a verification. */
export interface VerificationCaller {
  /** The address, or the network that counts as one. */
  address: string
  /** Aborted when the answer was sent or the client closed the connection. */
  awaited: AbortSignal
}

/**
 * Presigns the upload of a PDF: its URL and headers, and the key under which it is verified.
 *
 * @param size octets that the client wants to upload; any up to 25 MB when absent
 * @throws BoundReachedError when the address, or all addresses together, reached a bound
 * @throws ServiceError UPLOAD_SIZE_REQUIRED when the store only signs announced sizes
 */
export async function presignVerificationUpload(
  { address, size }: { address: string; size?: number | undefined },
  { objects, bounds, now, randomUuid }: UploadDeps,
): Promise<VerificationUploadAnswer> {
  const amount = Math.ceil((size ?? MAXIMUM_PDF_BYTES) / (KIBIBYTE * KIBIBYTE))
  await bounds?.take(
    { bound: 'verificationUploadsPerHour', of: address },
    { bound: 'verificationMegabytesPerHour', of: address, amount },
    { bound: 'allVerificationUploadsPerHour', of: 'all' },
    { bound: 'allVerificationMegabytesPerHour', of: 'all', amount },
  )
  const key = randomUuid()
  const expiresAt = new Date(now().getTime() + UPLOAD_URL_LIFE_MS)
  const maximumBytes = size ?? MAXIMUM_STORED_BYTES
  const isAnnounced = size !== undefined
  const options = { contentType: PDF_TYPE, maximumBytes, isAnnounced, expiresAt }
  const upload = await objects.presignBoundedPut(verificationUploadKey(key), options)
  return { key, upload: { type: 'PUT', ...upload } }
}

/** @throws ServiceError DOCUMENT_NOT_FOUND, DOCUMENT_TOO_LARGE */
async function assertUploaded(key: string, { objects, now }: VerifyDeps): Promise<void> {
  const stat = isUuid(key) ? await objects.stat(verificationUploadKey(key)) : undefined
  if (!stat || isForgotten(stat, now())) throw new ServiceError('DOCUMENT_NOT_FOUND')
  if (stat.size <= MAXIMUM_PDF_BYTES) return
  await objects.delete(stat.key)
  throw new ServiceError('DOCUMENT_TOO_LARGE')
}

/** @throws ServiceError TIMEOUT when there is none in time, or the worker failed */
async function awaitResult(
  key: VerificationKey,
  format: ReportFormat,
  deps: VerifyDeps,
): Promise<VerificationResult> {
  const { objects, ephemeral, jobs, timers, now } = deps
  const untilMs = now().getTime() + MAXIMUM_POLLS * POLL_MS
  let wake = () => {}
  let hasFailed = false
  const stop = await ephemeral.subscribe(verificationChannel(key.requestId), (message) => {
    hasFailed = message === VERIFICATION_FAILED
    wake()
  })
  try {
    const task = { ...key, untilMs, ...(format !== 'json' && { format }) }
    const add = () => jobs.add('verify', key.requestId, task)
    await add()
    for (let poll = 0; poll < MAXIMUM_POLLS; poll++) {
      const { promise: woken, resolve } = Promise.withResolvers<void>()
      wake = resolve
      const stored = await objects.get(verificationResultKey(key))
      const result = stored && decodeObject<VerificationResult>(stored)
      if (result) return result
      if (hasFailed) break
      // A queue that was wiped has forgotten it; one that has not takes it for the same job.
      if (poll % POLLS_PER_ADD === POLLS_PER_ADD - 1) await add().catch(() => undefined)
      const cancel = timers.after(POLL_MS, resolve)
      await woken
      cancel()
    }
    throw new ServiceError('TIMEOUT')
  } finally {
    stop()
  }
}

/** The report itself, or the octets of the file that was asked for. */
export type VerifiedAs<F extends ReportFormat> = F extends 'json' ? ValidationReport : Uint8Array

/** @throws ServiceError TIMEOUT when a worker of an earlier version made another format */
function assertFormat(result: VerificationResult, format: ReportFormat): void {
  const part = format === 'json' ? 'report' : 'file'
  if (!('refusal' in result) && !(part in result)) throw new ServiceError('TIMEOUT')
}

/**
 * Returns the report on an upload, which is then removed, also when it cannot be validated.
 *
 * @param asked `verificationId` is the `key` of the contract
 * @param queue turns of verifications, shared by all requests of the process
 * @throws ServiceError DOCUMENT_NOT_FOUND, DOCUMENT_TOO_LARGE, NOT_A_PDF, UNREADABLE_DOCUMENT,
 *   TIMEOUT
 * @throws ThrottledError when too many requests of the address wait
 */
export async function verify<F extends ReportFormat>(
  { verificationId, format }: { verificationId: string; format: F },
  { address, awaited }: VerificationCaller,
  deps: VerifyDeps,
  queue: FairQueue,
): Promise<VerifiedAs<F>> {
  await assertUploaded(verificationId, deps)
  const key = { verificationId, requestId: deps.randomUuid() }
  const result = await runInTurn(
    { queue, caller: { group: address, member: address }, awaited },
    { retryAfterSeconds: VALIDATION_SECONDS, ofMember: (seconds) => new ThrottledError(seconds) },
    () => awaitResult(key, format, deps),
  )
  // Before the upload is deleted, so that the client can retry.
  assertFormat(result, format)
  const objectKeys = [verificationUploadKey(verificationId), verificationResultKey(key)]
  await Promise.all(objectKeys.map((objectKey) => deps.objects.delete(objectKey)))
  if ('refusal' in result) throw new ServiceError(result.refusal)
  const answer = 'file' in result ? Buffer.from(result.file, 'base64') : result.report
  return answer as VerifiedAs<F>
}
