/**
 * The job `finalise`: makes the one signed PDF of a case that everybody signed, and what follows
 * from it.
 */
import { AuditTrailError } from '../../domain/audit/fault.ts'
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import { outcomeKey } from '../../domain/cases/keys.ts'
import { caseView, TRANSITIONS } from '../../domain/cases/lifecycle.ts'
import type { FinaliseFailure } from '../../domain/cases/results.ts'
import { JSON_TYPE, PDF_TYPE } from '../../domain/media-types.ts'
import type { StoredObject } from '../../domain/ports/object-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { MAXIMUM_LOST_RACES, putOver } from '../../domain/stored-results.ts'
import { encodeResult } from '../../domain/worker-results.ts'
import { revokeWhereUnsigned } from '../pki/certificates.ts'
import { tell } from '../tell.ts'
import { DocumentFault, documentFaultOf, reasonOfGivingUp } from './fault.ts'
import { MAKING } from './making.ts'
import { judgeOutcome, type Outcome } from './outcome.ts'
import type { OwnOutput } from './own-output.ts'
import { TELLING } from './telling.ts'
import type { FinaliseDeps, Making, SignedByAll, Step } from './work.ts'

/** A backend that stays broken this long after the last signature fails the case. */
export const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1000

/** The case, if there is something to finalise. */
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
      await run(work, deps)
    } catch (error) {
      deps.log.info({ step: name, err: error }, 'a step of finalising failed')
      throw error
    }
  }
}

/** The reason for people, when the case is not to be tried again. */
function reasonToGiveUp(error: unknown, { accepted }: SignedByAll, deps: FinaliseDeps) {
  const fault = documentFaultOf(error)
  if (fault !== undefined) return fault
  const lastSignatureMs = Date.parse(accepted.at(-1)?.signedAt ?? '')
  const waitedMs = deps.now().getTime() - lastSignatureMs
  return waitedMs > GIVE_UP_AFTER_MS ? reasonOfGivingUp(error) : undefined
}

/** Makes the signed PDF, or the failure that takes its place. */
async function makeOutcome(all: SignedByAll, deps: FinaliseDeps): Promise<Outcome> {
  const work: Making = { ...all, drawn: [], drawings: new Map() }
  try {
    await runSteps(MAKING, work, deps)
    const { output } = work
    if (!output) throw new Error('the last step gives the output')
    return { signed: output }
  } catch (error) {
    const reason = reasonToGiveUp(error, all, deps)
    if (reason === undefined) throw error
    deps.log.warn({ err: error, ...all.key }, 'the case fails')
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
 * Gives the stored outcome: that of another run, or the one made now. One key holds the signed PDF
 * or the failure, so that only one of the two, of only one run, can exist. An object that this
 * service did not make for this case is replaced.
 *
 * @param first the object as it was found
 * @returns undefined for a case that was cancelled while its document was made: it gets none
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
  throw new Error(`the outcome of case ${all.key.caseId} is written again and again`)
}

/** Replaces a signed PDF by a failure, because its case must not complete. */
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

/** Runs the steps after the outcome. @returns the failure instead when the trail does not hold */
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
    deps.log.warn({ err: error, ...all.key }, 'the case fails')
    return replaceByFailure(current, reason, deps)
  }
}

/** A case that ended while its document was made. */
async function revokeOfEnded(key: CaseKey, deps: FinaliseDeps): Promise<void> {
  const ended = await deps.cases.get(key)
  if (!ended) return
  const accepted = acceptedSignatures(deps.keyring, ended)
  await revokeWhereUnsigned(key, caseView(ended, accepted, deps.now().getTime()).phase, deps)
}

/**
 * @throws Error when a key, the time-stamp authority or a store fails: to be tried again
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
