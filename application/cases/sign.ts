/**
 * Accepts a participant's signature: checks it, reads and stores the drawing, and adds the fact to
 * the case (design 6, sign; decision 172).
 */
import { headOf } from '../../domain/audit/signature-check.ts'
import { sealFact } from '../../domain/cases/facts.ts'
import { drawingKey, intakeKey } from '../../domain/cases/keys.ts'
import { assertCanSign, assertOpenToParticipants } from '../../domain/cases/refusals.ts'
import type { IntakeResult } from '../../domain/cases/results.ts'
import {
  choosesPlaces,
  type PlacedDocument,
  placeProblems,
  statementOf,
} from '../../domain/cases/signing.ts'
import { knownMembers } from '../../domain/contract/known-members.ts'
import { SigningInput } from '../../domain/contract/signing-input.ts'
import type { FairQueue } from '../limits/fair-queue.ts'
import { ServiceError, ValidationError, type ValidationProblem } from '../../domain/errors.ts'
import { readJson } from '../store/read-json.ts'
import { MAXIMUM_SIGNATURE_FACTS } from '../../domain/limits.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { runInTurn } from '../limits/run-in-turn.ts'
import { isSigningAvailable, signingUnavailable } from './signing-availability.ts'
import type { UseCaseDeps, ReadDrawing } from '../deps.ts'
import type { Origin, Visit } from './participant-request.ts'
import { changeSpec, orTimeout, readCase, recordDue, type ObservedCase } from './read-case.ts'

const BAD_DRAWING = 'BAD_DRAWING'
const PLACE_MEMBERS = ['fieldIds', 'signatures', 'pageSize']

/** A body with what its schema found wrong with it: such members are not what their type says. */
export interface SigningRequest {
  body: SigningInput
  problems: readonly ValidationProblem[]
  origin: Origin
  /** Aborted when the answer was sent or the client closed the connection. */
  awaited: AbortSignal
}

/** The largest drawing takes about this long. */
const DRAWING_SECONDS = 2
/** Drawings are read one after the other, in turns of the participants of the process. */
export const DRAWING_TURNS = {
  maximumRunning: 1,
  /** Each holds a body of up to 1 MB. */
  maximumWaiting: 64,
  /** A second one may replace a drawing that is being read; a person draws no faster. */
  maximumWaitingOfMember: 2,
} as const

/** @throws ServiceError ALREADY_SIGNED, CASE_NOT_ACTIVE */
export function refuseSecondSignature({ seen, participant }: Visit, { now }: UseCaseDeps): void {
  const { view, signatureCase } = seen
  const { definition } = signatureCase.spec
  assertCanSign(view, definition, participant.definition.id, now().getTime())
}

/** Whether the schema found nothing wrong with these members, nor with the body as a whole. */
function areSound(names: readonly string[], problems: readonly ValidationProblem[]): boolean {
  return problems.every(({ instancePath, keyword, params }) => {
    const name = keyword === 'required' ? params.missingProperty : undefined
    const member = instancePath === '' ? name : instancePath.split('/')[1]
    return member !== undefined && !names.includes(String(member))
  })
}

/** @throws ValidationError when the drawing cannot be read, with a sentence for its sender */
async function readDrawing(encoded: string, deps: UseCaseDeps): Promise<ReadDrawing> {
  try {
    return await deps.readDrawing(encoded)
  } catch (error) {
    if ((error as { code?: string }).code !== BAD_DRAWING) throw error
    const { message } = error as Error
    const instancePath = '/encodedSignature'
    throw new ValidationError([{ instancePath, keyword: 'drawing', params: {}, message }])
  }
}

/**
 * Reads the pages from the verdict of intake, which the worker that finalises checks again.
 *
 * @throws ServiceError SIGNING_UNAVAILABLE when the verdict is missing or cannot be read; a store
 *   that is being restored gets it back
 */
async function readPages(key: CaseKey, { objects }: UseCaseDeps): Promise<PlacedDocument> {
  const intake = await readJson<IntakeResult>(objects, intakeKey(key))
  if (intake?.outcome === 'accepted' && Array.isArray(intake.pages)) return intake
  const cause = new Error(`${intakeKey(key)} is missing, or is not the verdict on an upload`)
  throw new ServiceError('SIGNING_UNAVAILABLE', {}, { cause })
}

/**
 * Checks everything in a body except its drawing.
 *
 * @throws ValidationError with every problem that was found
 */
async function checkBody(
  { body, problems }: SigningRequest,
  { seen, participant }: Visit,
  deps: UseCaseDeps,
): Promise<void> {
  const found = [...problems]
  if (areSound(PLACE_MEMBERS, problems)) {
    const { ownPlaces } = seen.signatureCase.spec.definition
    const document = choosesPlaces(body) ? await readPages(seen.key, deps) : { pages: [] }
    found.push(...placeProblems(body, participant.definition, document, ownPlaces))
  }
  if (found.length > 0) throw new ValidationError(found)
}

function refuse({ view, signatureCase }: ObservedCase, participantId: string, nowMs: number): void {
  const { definition } = signatureCase.spec
  assertOpenToParticipants(view, definition, nowMs)
  assertCanSign(view, definition, participantId, nowMs)
  // Forged facts may fill the list, which is bounded; honest ones are one per participant.
  if (signatureCase.spec.signatures.length < MAXIMUM_SIGNATURE_FACTS) return
  throw new ServiceError('SIGNING_UNAVAILABLE')
}

/**
 * Appends what the case shows to the trail and reads it. The fact will name its head, so that
 * nothing before it can be removed or changed afterwards.
 *
 * @throws ServiceError TIMEOUT, also when the trail does not hold
 */
async function readTrail(seen: ObservedCase, deps: UseCaseDeps) {
  await orTimeout(() => deps.trail.newest(seen.key))
  // What was just verified is not read again.
  return recordDue(seen, deps)
}

/**
 * Reads the drawing when it is the participant's turn. After a wait, the state of the case is
 * checked again first, so that no drawing is read in vain.
 *
 * @throws ServiceError ALREADY_SIGNED, CASE_NOT_ACTIVE, LINK_EXPIRED, SIGNING_UNAVAILABLE, TIMEOUT
 * @throws ValidationError
 */
async function readDrawingInTurn(
  { body, awaited }: SigningRequest,
  { seen, participant }: Visit,
  deps: UseCaseDeps,
  turns: FairQueue,
): Promise<ReadDrawing> {
  const { key } = seen
  const participantId = participant.definition.id
  const work = async (hasWaited: boolean) => {
    if (hasWaited) refuse(await readCase(key, deps), participantId, deps.now().getTime())
    return readDrawing(body.encodedSignature, deps)
  }
  const caller = { group: key.tenant, member: participantId }
  return runInTurn({ queue: turns, caller, awaited }, { retryAfterSeconds: DRAWING_SECONDS }, work)
}

/**
 * States that the participant signed. The time is taken anew at each attempt to write. The drawing
 * is read last, and only for a request that is valid in everything else.
 *
 * @param turns of drawings, shared by all requests of the process
 * @throws ServiceError ALREADY_SIGNED, CASE_NOT_ACTIVE, LINK_EXPIRED, SIGNING_UNAVAILABLE, TIMEOUT
 * @throws ValidationError
 */
export async function acceptSignature(
  visit: Visit,
  request: SigningRequest,
  deps: UseCaseDeps,
  turns: FairQueue,
): Promise<void> {
  const { objects, keyring, now, randomUuid } = deps
  const { key } = visit.seen
  const participantId = visit.participant.definition.id
  await checkBody(request, visit, deps)
  if (!(await isSigningAvailable(deps))) throw signingUnavailable()
  const { mediaType, sha256, bytes } = await readDrawingInTurn(request, visit, deps, turns)
  // Participants of one case may send the same drawing.
  const isStored = visit.seen.accepted.some(({ drawing }) => drawing.sha256 === sha256)
  if (!isStored) await objects.putIfAbsent(drawingKey(key, sha256), bytes, mediaType)
  const factId = randomUuid()
  const trail = headOf(await readTrail(visit.seen, deps))
  const statement = statementOf(knownMembers(SigningInput, request.body))
  const addFact = (seen: ObservedCase) => {
    const { spec, status } = seen.signatureCase
    const signedAt = now()
    refuse(seen, participantId, signedAt.getTime())
    if (!status?.document) throw new Error('the case has no document')
    const fact = sealFact(keyring, key.tenant, key.caseId, {
      factId,
      participantId,
      signedAt: signedAt.toISOString(),
      documentSha256: status.document.sha256,
      ...statement,
      drawing: { mediaType, sha256 },
      ...request.origin,
      trail,
    })
    return { ...spec, signatures: [...spec.signatures, fact] }
  }
  await changeSpec(key, deps, addFact, visit.seen)
}
