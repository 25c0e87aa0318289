/** The job `verify`: validates an upload and stores the report for the API that waits for it. */
import { Buffer } from 'node:buffer'
import { JSON_TYPE } from '../../domain/media-types.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { CLOCK_TOLERANCE_MS, MAXIMUM_PDF_BYTES } from '../../domain/limits.ts'
import {
  VERIFICATION_FAILED,
  verificationChannel,
  verificationResultKey,
  verificationUploadKey,
  type VerificationKey,
  type VerificationResult,
  type VerificationTask,
} from '../../domain/verification.ts'
import type { WorkerDeps } from '../deps.ts'
import { writeReportFile } from '../verification-report/report-file.ts'
import { countVerification } from './count-verification.ts'
import { reportOn, type ReportDeps } from './report.ts'

export type VerifyDeps = ReportDeps & Pick<WorkerDeps, 'ephemeral' | 'metrics'>

async function reportOnUpload(
  { verificationId }: Pick<VerificationTask, 'verificationId'>,
  deps: VerifyDeps,
) {
  const objectKey = verificationUploadKey(verificationId)
  const stat = await deps.objects.stat(objectKey)
  if (stat && stat.size > MAXIMUM_PDF_BYTES) return { refusal: 'DOCUMENT_TOO_LARGE' } as const
  const upload = stat && (await deps.objects.get(objectKey))
  if (!upload) return { refusal: 'DOCUMENT_NOT_FOUND' } as const
  return reportOn(upload.bytes, deps)
}

async function buildResult(
  task: Pick<VerificationTask, 'verificationId' | 'format'>,
  deps: VerifyDeps,
): Promise<VerificationResult> {
  const result = await reportOnUpload(task, deps)
  countVerification(result, deps.metrics)
  if ('refusal' in result) return result
  const { report, certificates } = result
  if (task.format === undefined) return { report }
  const file = await writeReportFile(task.format, { report, certificates })
  return { file: Buffer.from(file).toString('base64') }
}

async function leaveResult(
  key: VerificationKey,
  format: VerificationTask['format'],
  deps: VerifyDeps,
): Promise<void> {
  const objectKey = verificationResultKey(key)
  if (await deps.objects.stat(objectKey)) return
  const result = await buildResult({ ...key, format }, deps)
  await deps.objects.putIfAbsent(objectKey, encodeJson(result), JSON_TYPE)
}

/**
 * Validates an upload, stores the result and notifies the waiting API, also of a failure. A task is
 * skipped once its caller no longer waits, so that a flood of requests does not block current ones.
 *
 * @throws Error when the sandbox, a key or a store fails
 */
export async function verify(task: VerificationTask, deps: VerifyDeps): Promise<void> {
  const { untilMs, format, ...key } = task
  // The clock of the API that created the task may differ from this one.
  if (deps.now().getTime() > untilMs + CLOCK_TOLERANCE_MS) return
  const channel = verificationChannel(key.requestId)
  try {
    await leaveResult(key, format, deps)
  } catch (error) {
    // Notify the waiting API of the failure, unless publishing fails, too.
    await deps.ephemeral.publish(channel, VERIFICATION_FAILED).catch(() => undefined)
    throw error
  }
  await deps.ephemeral.publish(channel, '')
}
