/**
 * The job `finalise`: produces the signed PDF and the evidence of a case that all participants
 * signed.
 */
import { AuditTrailError } from '../../domain/audit/fault.ts'
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import { outcomeKey } from '../../domain/cases/keys.ts'
import { caseView, TRANSITIONS } from '../../domain/cases/lifecycle.ts'
import type { FinaliseFailure } from '../../domain/cases/results.ts'
import { JSON_TYPE, PDF_TYPE } from '../../domain/media-types.ts'
import type { StoredObject } from '../../domain/ports/object-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { MAXIMUM_LOST_RACES, putOver } from '../../application/store/stored-results.ts'
import { encodeResult } from '../../domain/worker-results.ts'
import { revokeWhereUnsigned } from '../pki/certificates.ts'
import { timed } from '../measure.ts'
import { tell } from '../tell.ts'
import { DocumentFault, documentFaultOf, reasonOfGivingUp } from './fault.ts'
import { MAKING } from './making.ts'
import { judgeOutcome, type Outcome } from './outcome.ts'
import type { OwnOutput } from './own-output.ts'
import { TELLING } from './telling.ts'
import type { FinaliseDeps, Making, SignedByAll, Step } from './work.ts'

/** The case fails when a backend still fails this long after the last signature. */
export const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1000

/** Returns the case when it is ready to be finalised, otherwise undefined. */
async function signedByAll(key: CaseKey, deps: FinaliseDeps): Promise<SignedByAll | undefined> {
  const signatureCase = await deps.cases.get(key)
  const document = signatureCase?.status?.document
  if (!signatureCase || !document) return undefined
  const accepted = acceptedSignatures(deps.keyring, signatureCase)
  const { phase, everyoneSigned } = caseView(signatureCase, accepted, deps.now().getTime())
  if (!everyoneSigned || !TRANSITIONS[phase].on.finalised) return undefined
  return { key, signatureCase, document, accepted }
}

async function runSteps<W>(steps: readonly Step<W>[], work: W, deps: FinaliseDeps): Promise<void> {
  for (const { name, run } of steps) {
    try {
      const step = async () => run(work, deps)
      await timed('sigcase_finalise_step_duration_seconds', { step: name }, step, deps.metrics)
    } catch (error) {
      deps.log.info({ step: name, err: error }, 'finalise step failed')
      throw error
    }
  }
}

/** Returns the reason shown to people when the case must not be retried, otherwise undefined. */
function reasonToGiveUp(error: unknown, { accepted }: SignedByAll, deps: FinaliseDeps) {
  const fault = documentFaultOf(error)
  if (fault !== undefined) return fault
  const lastSignatureMs = Date.parse(accepted.at(-1)?.signedAt ?? '')
  const waitedMs = deps.now().getTime() - lastSignatureMs
  return waitedMs > GIVE_UP_AFTER_MS ? reasonOfGivingUp(error) : undefined
}

/** Produces the signed PDF, or a failure instead of it. */
async function makeOutcome(all: SignedByAll, deps: FinaliseDeps): Promise<Outcome> {
  const work: Making = { ...all, drawn: [], drawings: new Map() }
  try {
    await runSteps(MAKING, work, deps)
    const { output } = work
    if (!output) throw new Error('the last step did not set the output')
    return { signed: output }
  } catch (error) {
    const reason = reasonToGiveUp(error, all, deps)
    if (reason === undefined) throw error
    deps.log.warn({ err: error, ...all.key }, 'finalising failed; the case becomes FAILED')
    return { failure: failureOf(reason, deps) }
  }
}

const failureOf = (reason: string, { now }: FinaliseDeps): FinaliseFailure => ({
  reason,
  failedAt: now().toISOString(),
})

/**
 * Stores the outcome if the key is free, or still has the given generation.
 *
 * @returns false when another writer was first
 */
function putOutcome(
  { key }: SignedByAll,
  outcome: Outcome,
  generation: string | undefined,
  { objects, keyring }: FinaliseDeps,
): Promise<boolean> {
  const place = outcomeKey(key)
  const object =
    'signed' in outcome
      ? { bytes: outcome.signed.bytes, contentType: PDF_TYPE }
      : { bytes: encodeResult(keyring, place, outcome.failure), contentType: JSON_TYPE }
  return putOver(objects, { key: place, ...object }, generation)
}

/**
 * Returns the stored outcome: that of another run, or the one made now. One key holds either the
 * signed PDF or the failure, so only one outcome of one run can exist. An object that this service
 * did not make for this case is replaced.
 *
 * @param first the object as it was found
 * @returns undefined for a case that was cancelled in the meantime; it gets no outcome
 */
async function settleOutcome(
  all: SignedByAll,
  first: StoredObject | undefined,
  deps: FinaliseDeps,
): Promise<Outcome | undefined> {
  let made: Outcome | undefined
  for (let lost = 0; lost <= MAXIMUM_LOST_RACES; lost++) {
    const stored = lost === 0 ? first : await deps.objects.get(outcomeKey(all.key))
    const judged = stored && (await judgeOutcome(stored, all, deps))
    if (judged) return judged
    made ??= await makeOutcome(all, deps)
    if (!(await signedByAll(all.key, deps))) return undefined
    if (await putOutcome(all, made, stored?.generation, deps)) return made
  }
  throw new Error(`the outcome of case ${all.key.caseId} kept changing`)
}

/** Replaces a signed PDF with a failure, because its case must not complete. */
async function replaceByFailure(
  all: SignedByAll,
  reason: string,
  deps: FinaliseDeps,
): Promise<Outcome> {
  const stat = await deps.objects.stat(outcomeKey(all.key))
  const outcome = { failure: failureOf(reason, deps) }
  if (await putOutcome(all, outcome, stat?.generation, deps)) return outcome
  throw new Error(`the outcome of case ${all.key.caseId} was written by another process`)
}

/**
 * Runs the steps after the outcome is stored.
 *
 * @returns the failure that replaces the outcome when the trail is not sound
 */
async function tellOutcome(
  all: SignedByAll,
  signed: OwnOutput,
  deps: FinaliseDeps,
): Promise<Outcome | undefined> {
  const current = await signedByAll(all.key, deps)
  if (!current) return undefined
  try {
    await runSteps(TELLING, { ...current, signed }, deps)
    return { signed }
  } catch (error) {
    const isFinal = error instanceof AuditTrailError || error instanceof DocumentFault
    const reason = isFinal ? documentFaultOf(error) : undefined
    if (reason === undefined) throw error
    deps.log.warn({ err: error, ...all.key }, 'finalising failed; the case becomes FAILED')
    return replaceByFailure(current, reason, deps)
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
  const [all, stored] = await Promise.all([
    signedByAll(key, deps),
    deps.objects.get(outcomeKey(key)),
  ])
  const found = all && (await settleOutcome(all, stored, deps))
  if (!all || !found) return revokeOfEnded(key, deps)
  const outcome = 'signed' in found ? await tellOutcome(all, found.signed, deps) : found
  if (!outcome) return
  if ('failure' in outcome) await revokeWhereUnsigned(key, 'FAILED', deps)
  await tell(key, deps)
}
