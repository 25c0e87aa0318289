/**
 * The job `finalise`: produces the signed PDF and the evidence of a case that all participants
 * signed.
 */
import { AuditTrailError } from '../../domain/audit/fault.ts'
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import type { Failure } from '../../domain/cases/failure-codes.ts'
import { caseFolder, outcomeKey } from '../../domain/cases/keys.ts'
import { caseView } from '../../domain/cases/lifecycle.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import {
  ReadObjects,
  snapshotFolder,
  type ObjectReader,
} from '../../application/store/folder-snapshot.ts'
import { MAXIMUM_LOST_RACES } from '../../application/store/stored-results.ts'
import { revokeWhereUnsigned } from '../pki/certificates.ts'
import { publishCaseChange } from '../publish-case-change.ts'
import { completeCase } from './complete-case.ts'
import { DocumentFault, documentFaultOf, failureOfGivingUp } from './fault.ts'
import { makeSignedPdf } from './make-signed-pdf.ts'
import { judgeOutcome, storeOutcome, type Outcome } from './outcome.ts'
import type { OwnOutput } from './own-output.ts'
import { readSignedByAll, type FinaliseDeps, type SignedByAll } from './signed-by-all.ts'

/** The case fails when a backend still fails this long after the last signature. */
export const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1000

/** Returns what people see when the case must not be retried, otherwise undefined. */
function finalFailure(error: unknown, { accepted }: SignedByAll, deps: FinaliseDeps) {
  const fault = documentFaultOf(error)
  if (fault !== undefined) return fault
  const lastSignatureMs = Date.parse(accepted.at(-1)?.signedAt ?? '')
  const waitedMs = deps.now().getTime() - lastSignatureMs
  return waitedMs > GIVE_UP_AFTER_MS ? failureOfGivingUp(error) : undefined
}

/** Produces the signed PDF, or a failure instead of it. */
async function makeOutcome(
  all: SignedByAll,
  folder: ObjectReader,
  deps: FinaliseDeps,
): Promise<Outcome> {
  try {
    return { kind: 'signed', signed: await makeSignedPdf(all, folder, deps) }
  } catch (error) {
    const failure = finalFailure(error, all, deps)
    if (!failure) throw error
    deps.log.warn({ err: error, ...all.key }, 'finalising failed; the case becomes FAILED')
    return failedFor(failure, deps)
  }
}

const failedFor = (failure: Failure, { now }: FinaliseDeps): Outcome => ({
  kind: 'failed',
  failure: { ...failure, failedAt: now().toISOString() },
})

/**
 * Returns the stored outcome: that of another run, or the one made now. One key holds either the
 * signed PDF or the failure, so only one outcome of one run can exist. An object that this service
 * did not make for this case is replaced.
 *
 * @param folder a listing of the folder of the case
 * @returns undefined for a case that was cancelled in the meantime; it gets no outcome
 */
async function settleOutcome(
  all: SignedByAll,
  folder: ObjectReader,
  deps: FinaliseDeps,
): Promise<Outcome | undefined> {
  let made: Outcome | undefined
  for (let lost = 0; lost <= MAXIMUM_LOST_RACES; lost++) {
    const stored = await (lost === 0 ? folder : deps.objects).get(outcomeKey(all.key))
    const judged = stored && (await judgeOutcome(stored, all, deps))
    if (judged) return judged
    made ??= await makeOutcome(all, folder, deps)
    if (!(await readSignedByAll(all.key, deps))) return undefined
    if (await storeOutcome(all.key, made, stored?.generation, deps)) return made
  }
  throw new Error(`the outcome of case ${all.key.caseId} kept changing`)
}

/** Replaces a signed PDF with a failure, because its case must not complete. */
async function replaceByFailure(
  key: CaseKey,
  failure: Failure,
  deps: FinaliseDeps,
): Promise<Outcome> {
  const stat = await deps.objects.stat(outcomeKey(key))
  const outcome = failedFor(failure, deps)
  if (await storeOutcome(key, outcome, stat?.generation, deps)) return outcome
  throw new Error(`the outcome of case ${key.caseId} was written by another process`)
}

/**
 * Completes a case whose signed PDF is stored.
 *
 * @returns the outcome that stays: a failure replaces the signed PDF when the trail is not sound;
 *   undefined for a case that ended in the meantime
 */
async function completeOrFail(
  key: CaseKey,
  signed: OwnOutput,
  deps: FinaliseDeps,
): Promise<Outcome | undefined> {
  const current = await readSignedByAll(key, deps)
  if (!current) return undefined
  try {
    await completeCase(current, signed, deps)
    return { kind: 'signed', signed }
  } catch (error) {
    const isFinal = error instanceof AuditTrailError || error instanceof DocumentFault
    const failure = isFinal ? documentFaultOf(error) : undefined
    if (!failure) throw error
    deps.log.warn({ err: error, ...key }, 'finalising failed; the case becomes FAILED')
    return replaceByFailure(key, failure, deps)
  }
}

/** Revokes the certificates of a case that ended while its document was being made. */
async function revokeOfEnded(key: CaseKey, deps: FinaliseDeps): Promise<void> {
  const ended = await deps.cases.get(key)
  if (!ended) return
  const accepted = acceptedSignatures(deps.keyring, ended)
  await revokeWhereUnsigned(key, caseView(ended, accepted, deps.now().getTime()).phase, deps)
}

/**
 * Finalises a case, or continues where an earlier run stopped.
 *
 * @throws Error when a key, the time-stamp authority or a store fails; the job is retried
 */
export async function finalise(key: CaseKey, deps: FinaliseDeps): Promise<void> {
  // One listing shows the trail, and whether another run has stored the outcome.
  const [all, folder] = await Promise.all([
    readSignedByAll(key, deps),
    snapshotFolder(deps.objects, caseFolder(key), new ReadObjects()),
  ])
  const settled = all && (await settleOutcome(all, folder, deps))
  if (!settled) return revokeOfEnded(key, deps)
  const outcome =
    settled.kind === 'signed' ? await completeOrFail(key, settled.signed, deps) : settled
  if (!outcome) return
  if (outcome.kind === 'failed') await revokeWhereUnsigned(key, 'FAILED', deps)
  await publishCaseChange(key, deps)
}
