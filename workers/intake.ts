/** The job `intake`: checks an upload, freezes the accepted bytes and stores the verdict. */
import { createHash } from 'node:crypto'
import { documentKey, intakeKey, uploadKey } from '../domain/cases/keys.ts'
import { hasEnded } from '../domain/cases/lifecycle.ts'
import type { Rejection } from '../domain/cases/reject-codes.ts'
import type { IntakeResult } from '../domain/cases/results.ts'
import type { CaseDefinition } from '../domain/cases/definition.ts'
import { KIBIBYTE, MAXIMUM_PDF_BYTES, MINIMUM_PDF_BYTES } from '../domain/limits.ts'
import { PDF_TYPE } from '../domain/media-types.ts'
import type { CaseKey } from '../domain/ports/stores.ts'
import type { WorkerDeps } from './deps.ts'
import { checkExistingSignatures } from './existing-signatures.ts'
import { foreseenSigning } from './finalise/foreseen.ts'
import { coveringField, misplacedField } from './misplaced-field.ts'
import { publishCaseChange } from './publish-case-change.ts'
import {
  readWorkerResult,
  writeWorkerResult,
  type ResultDeps,
} from '../application/store/stored-results.ts'

type IntakeDeps = Pick<
  WorkerDeps,
  'cases' | 'objects' | 'ephemeral' | 'keyring' | 'alarm' | 'verdicts' | 'now'
> & {
  sandbox: Pick<WorkerDeps['sandbox'], 'inspect' | 'validate'>
}

/** Returns why a file of this size is rejected, or undefined. */
function sizeFault(size: number): Rejection | undefined {
  if (size < MINIMUM_PDF_BYTES) {
    const held = size === 1 ? '1 byte' : `${size} bytes`
    const reason = `The file has ${held}; a PDF has at least ${MINIMUM_PDF_BYTES} bytes (1 KB)`
    return { code: 'TOO_SMALL', reason }
  }
  if (size > MAXIMUM_PDF_BYTES) {
    const megabytes = MAXIMUM_PDF_BYTES / KIBIBYTE / KIBIBYTE
    const limit = `${MAXIMUM_PDF_BYTES} bytes (${megabytes} MB)`
    // The object server of one machine stops receiving at this size, so the whole size is unknown.
    const reason = `The file is too large; upload a PDF of at most ${limit}`
    return { code: 'TOO_LARGE', reason }
  }
  return undefined
}

async function judge(
  bytes: Uint8Array,
  tenant: string,
  definition: CaseDefinition,
  deps: IntakeDeps,
): Promise<IntakeResult> {
  const { sandbox, now } = deps
  const size = bytes.length
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const rejected = ({ code, reason }: Rejection): IntakeResult => {
    return { outcome: 'rejected', code, reason, sha256, size, decidedAt: now().toISOString() }
  }
  const misplacing = (reason: string) => rejected({ code: 'FIELD_MISPLACED', reason })
  const tooSmallOrLarge = sizeFault(size)
  if (tooSmallOrLarge !== undefined) return rejected(tooSmallOrLarge)
  const verdict = await sandbox.inspect(bytes, foreseenSigning(definition), tenant)
  const misplaced = verdict.pages && misplacedField(definition, verdict.pages)
  if (misplaced !== undefined) return misplacing(misplaced)
  if (verdict.outcome === 'rejected') return rejected(verdict)
  const covering = coveringField(definition, verdict)
  if (covering !== undefined) return misplacing(covering)
  const warnings = verdict.carriesSignatures ? await checkExistingSignatures(bytes, deps) : []
  return {
    ...verdict,
    ...(warnings.length > 0 && { warnings }),
    sha256,
    size,
    decidedAt: now().toISOString(),
  }
}

/**
 * Reads the upload in one request. One that is too large is not read into memory.
 *
 * @returns the upload, or its size when it is too large; undefined when there is none
 */
async function readUpload(
  key: CaseKey,
  { objects }: Pick<IntakeDeps, 'objects'>,
): Promise<{ bytes: Uint8Array } | { tooLarge: number } | undefined> {
  const objectKey = uploadKey(key)
  try {
    return await objects.get(objectKey, MAXIMUM_PDF_BYTES)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const stat = await objects.stat(objectKey)
    // Otherwise it was replaced in the meantime; the job is retried.
    if (!stat || stat.size <= MAXIMUM_PDF_BYTES) throw error
    return { tooLarge: stat.size }
  }
}

/** @returns undefined when there is no upload */
async function judgeUpload(
  key: CaseKey,
  definition: CaseDefinition,
  deps: IntakeDeps,
): Promise<{ result: IntakeResult; bytes: Uint8Array } | undefined> {
  const upload = await readUpload(key, deps)
  if (!upload) return undefined
  if ('tooLarge' in upload) {
    const size = upload.tooLarge
    const rejection = sizeFault(size) as Rejection
    const decidedAt = deps.now().toISOString()
    const result = { outcome: 'rejected', ...rejection, size, decidedAt } as const
    return { result, bytes: new Uint8Array() }
  }
  const { bytes } = upload
  return { result: await judge(bytes, key.tenant, definition, deps), bytes }
}

/**
 * Decides on the upload. An accepting verdict always refers to the bytes at the frozen key: when
 * another run froze a different generation first, that one is judged.
 */
async function verdictOn(
  key: CaseKey,
  definition: CaseDefinition,
  deps: IntakeDeps,
): Promise<IntakeResult | undefined> {
  const { objects } = deps
  const judged = await judgeUpload(key, definition, deps)
  if (judged?.result.outcome === 'accepted') {
    const { bytes, result } = judged
    // The verdict follows before anybody learns of the document.
    if (await objects.putIfAbsent(documentKey(key), bytes, PDF_TYPE, 'later')) return result
  }
  // An earlier run may have frozen other bytes, and may have deleted the upload.
  const frozen = await objects.get(documentKey(key))
  if (!frozen) return judged?.result
  return judge(frozen.bytes, key.tenant, definition, deps)
}

/** The store, which keeps in memory what is put at a free key (decision 312). */
function keepingVerdicts({ objects, verdicts, now }: IntakeDeps): ResultDeps['objects'] {
  return {
    get: (...args) => objects.get(...args),
    compareAndSwap: (...args) => objects.compareAndSwap(...args),
    async putIfAbsent(key, bytes, contentType, durability) {
      const generation = await objects.putIfAbsent(key, bytes, contentType, durability)
      if (generation === undefined) return undefined
      const stat = { key, size: bytes.length, contentType, generation, updatedAt: now() }
      verdicts?.keep({ ...stat, bytes })
      return generation
    },
  }
}

/** @throws Error when the sandbox or the store fails */
export async function intake(key: CaseKey, deps: IntakeDeps): Promise<void> {
  const signatureCase = await deps.cases.get(key)
  if (!signatureCase || signatureCase.status?.document) return
  if (signatureCase.status && hasEnded(signatureCase.status.phase)) return
  const objectKey = intakeKey(key)
  const stored = await readWorkerResult<IntakeResult>(objectKey, { key, object: 'intake' }, deps)
  if (!stored?.value) {
    const result = await verdictOn(key, signatureCase.spec.definition, deps)
    if (!result) return
    await writeWorkerResult(objectKey, result, stored, { ...deps, objects: keepingVerdicts(deps) })
  }
  // Accepted bytes are kept at the frozen key; of rejected bytes only the digest is kept.
  await deps.objects.delete(uploadKey(key))
  await publishCaseChange(key, deps)
}
