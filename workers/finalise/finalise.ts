/**
 * The job `finalise`: makes the one signed PDF of a case that everybody signed, and what follows
 * from it.
 */
import type { Drawing } from '../../pades/index.ts'
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import { outcomeKey } from '../../domain/cases/keys.ts'
import { caseView, TRANSITIONS } from '../../domain/cases/lifecycle.ts'
import type { FinaliseFailure } from '../../domain/cases/results.ts'
import { encodeJson } from '../../domain/json-object.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { revokeCertificates, unusedCertificates } from '../pki/certificates.ts'
import { tell } from '../tell.ts'
import { documentFaultOf } from './fault.ts'
import { MAKING } from './making.ts'
import { TELLING } from './telling.ts'
import type { OwnSignature } from './own-output.ts'
import type { FinaliseDeps, Making, SignedByAll, Step, Telling } from './work.ts'

/** A backend that stays broken this long after the last signature fails the case. */
export const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1000
const GAVE_UP =
  'The signing keys or the time-stamp authority could not be used for 24 hours after the last ' +
  'signature; create the case again'

const JSON_TYPE = 'application/json'
const PDF_TYPE = 'application/pdf'
const NOTHING = { sha256: '', size: 0, level: '' }

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
  return waitedMs > (deps.giveUpAfterMs ?? GIVE_UP_AFTER_MS) ? GAVE_UP : undefined
}

/** What stands at the outcome key; `signatures` when it was made by this run. */
interface Outcome {
  bytes: Uint8Array
  contentType: string
  signatures?: readonly OwnSignature[]
}

/** The signed PDF, or the failure that takes its place. */
async function makeOutcome(all: SignedByAll, deps: FinaliseDeps): Promise<Outcome> {
  const nothing = new Uint8Array()
  const drawings = new Map<string, Drawing>()
  const work: Making = { ...all, original: nothing, drawings, signed: nothing, signatures: [] }
  try {
    await runSteps(MAKING, work, deps)
    return { bytes: work.signed, contentType: PDF_TYPE, signatures: work.signatures }
  } catch (error) {
    const reason = reasonToGiveUp(error, all, deps)
    if (reason === undefined) throw error
    const failure: FinaliseFailure = { reason, failedAt: deps.now().toISOString() }
    return { bytes: encodeJson(failure), contentType: JSON_TYPE }
  }
}

/**
 * The stored outcome: one that another run left, or the one made now. One key holds the signed PDF
 * or the failure, so that only one of the two, and only one of all runs, can ever be.
 */
async function theOutcome(all: SignedByAll, deps: FinaliseDeps): Promise<Outcome | undefined> {
  const place = outcomeKey(all.key)
  const before = await deps.objects.get(place)
  if (before) return before
  const made = await makeOutcome(all, deps)
  // A case that was cancelled while its document was made gets none.
  if (!(await signedByAll(all.key, deps))) return undefined
  if (await deps.objects.putIfAbsent(place, made.bytes, made.contentType)) return made
  return deps.objects.get(place)
}

/** A case that failed, or ended while its document was made, uses no certificate. */
async function revokeAll(key: CaseKey, deps: FinaliseDeps): Promise<void> {
  await revokeCertificates(key, await unusedCertificates(key, new Set(), deps), deps)
}

/**
 * @throws Error when a key, the time-stamp authority or a store fails: to be tried again
 */
export async function finalise(key: CaseKey, deps: FinaliseDeps): Promise<void> {
  const all = await signedByAll(key, deps)
  const outcome = all && (await theOutcome(all, deps))
  if (!outcome || outcome.contentType === JSON_TYPE) await revokeAll(key, deps)
  if (!outcome) return
  if (outcome.contentType !== JSON_TYPE) {
    const current = await signedByAll(key, deps)
    if (!current) return
    const { bytes, signatures } = outcome
    const work: Telling = {
      ...current,
      outcome: bytes,
      ...(signatures ? { signatures } : {}),
      signedDocument: NOTHING,
      evidenceDocument: NOTHING,
    }
    await runSteps(TELLING, work, deps)
  }
  await tell(key, deps)
}
