/**
 * The job `finalise`: makes the one signed PDF of a case that everybody signed, and what follows
 * from it.
 */
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import { evidenceKey, outcomeKey } from '../../domain/cases/keys.ts'
import { caseView, TRANSITIONS } from '../../domain/cases/lifecycle.ts'
import type { FinaliseFailure } from '../../domain/cases/results.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { JSON_TYPE, PDF_TYPE } from '../../domain/media-types.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { revokeWhereUnsigned } from '../pki/certificates.ts'
import { tell } from '../tell.ts'
import { documentFaultOf, reasonOfGivingUp } from './fault.ts'
import { MAKING } from './making.ts'
import { TELLING } from './telling.ts'
import { readOwnOutput, type OwnOutput } from './own-output.ts'
import type { FinaliseDeps, Making, SignedByAll, Step, Telling } from './work.ts'

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

/** What stands at the outcome key; `output` when it was made by this run. */
interface Outcome {
  bytes: Uint8Array
  contentType: string
  output?: OwnOutput
}

/** The signed PDF, or the failure that takes its place. */
async function makeOutcome(all: SignedByAll, deps: FinaliseDeps): Promise<Outcome> {
  const work: Making = { ...all, drawings: new Map() }
  try {
    await runSteps(MAKING, work, deps)
    const { output } = work
    if (!output) throw new Error('the last step gives the output')
    return { bytes: output.bytes, contentType: PDF_TYPE, output }
  } catch (error) {
    const reason = reasonToGiveUp(error, all, deps)
    if (reason === undefined) throw error
    deps.log.warn({ err: error, ...all.key }, 'the case fails')
    const failure: FinaliseFailure = { reason, failedAt: deps.now().toISOString() }
    return { bytes: encodeJson(failure), contentType: JSON_TYPE }
  }
}

/**
 * The stored outcome: one that another run left, or the one made now. One key holds the signed PDF
 * or the failure, so that only one of the two, and only one of all runs, can ever be.
 */
async function theOutcome(
  all: SignedByAll,
  isThere: boolean,
  deps: FinaliseDeps,
): Promise<Outcome | undefined> {
  const place = outcomeKey(all.key)
  if (isThere) return deps.objects.get(place)
  const made = await makeOutcome(all, deps)
  // A case that was cancelled while its document was made gets none.
  if (!(await signedByAll(all.key, deps))) return undefined
  if (await deps.objects.putIfAbsent(place, made.bytes, made.contentType)) return made
  return deps.objects.get(place)
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
  const [all, before] = await Promise.all([
    signedByAll(key, deps),
    deps.objects.stat(outcomeKey(key)),
  ])
  const outcome = all && (await theOutcome(all, before !== undefined, deps))
  if (outcome?.contentType === JSON_TYPE) await revokeWhereUnsigned(key, 'FAILED', deps)
  if (!outcome) await revokeOfEnded(key, deps)
  if (!outcome) return
  if (outcome.contentType !== JSON_TYPE) {
    const [current, evidence] = await Promise.all([
      signedByAll(key, deps),
      deps.objects.stat(evidenceKey(key)),
    ])
    if (!current) return
    const signed = outcome.output ?? (await readOwnOutput(outcome, current.document.size, deps))
    const hasEvidence = evidence !== undefined
    const work: Telling = { ...current, signed, entries: [], hasEvidence }
    await runSteps(TELLING, work, deps)
  }
  await tell(key, deps)
}
