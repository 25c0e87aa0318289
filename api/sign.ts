/** Takes a participant's signature: judges it, keeps the drawing, states the fact (design 6, sign). */
import { drawingKey, intakeKey } from '../domain/cases/keys.ts'
import { sealFact } from '../domain/cases/facts.ts'
import { assertCanSign, assertOpenToParticipants } from '../domain/cases/refusals.ts'
import type { IntakeResult } from '../domain/cases/results.ts'
import { MAXIMUM_SIGNATURE_FACTS } from '../domain/limits.ts'
import { placeProblems } from '../domain/cases/signing.ts'
import type { ParticipantDefinition } from '../domain/cases/schema.ts'
import type { SigningInput } from '../domain/contract/signing-input.ts'
import { ServiceError, ValidationError } from '../domain/errors.ts'
import { decodeJson } from '../domain/json-object.ts'
import type { PageSize } from '../domain/ports/pdf-sandbox.ts'
import type { CaseKey } from '../domain/ports/stores.ts'
import { isSigningAvailable } from './canary.ts'
import type { ApiDeps, ReadDrawing } from './deps.ts'
import { changeSpec, readCase, type SeenCase } from './read-case.ts'

const BAD_DRAWING = 'BAD_DRAWING'

/** @throws ValidationError keyword `drawing` with what a person can do about it */
function readDrawing(encoded: string, deps: ApiDeps): ReadDrawing {
  try {
    return deps.readDrawing(encoded)
  } catch (error) {
    if ((error as { code?: string }).code !== BAD_DRAWING) throw error
    const { message } = error as Error
    throw new ValidationError([
      { instancePath: '/encodedSignature', keyword: 'drawing', params: {}, message },
    ])
  }
}

async function readPages(key: CaseKey, { objects }: ApiDeps): Promise<readonly PageSize[]> {
  const object = await objects.get(intakeKey(key))
  const intake = object && decodeJson<IntakeResult>(object)
  if (intake?.outcome !== 'accepted') throw new Error('the case has no accepted upload')
  return intake.pages
}

/** @throws ValidationError when the participant cannot sign there or so */
async function judge(
  key: CaseKey,
  input: SigningInput,
  participant: ParticipantDefinition,
  deps: ApiDeps,
): Promise<ReadDrawing> {
  const problems = placeProblems(input, participant, await readPages(key, deps))
  if (problems.length > 0) throw new ValidationError(problems)
  return readDrawing(input.encodedSignature, deps)
}

/** Where the drawing goes, as the fact says it: `signatures` count when `fieldIds` is absent. */
function placeOf({ fieldIds, signatures, pageSize }: SigningInput) {
  if (fieldIds) return { fieldIds }
  if (!signatures) return {}
  return { rectangles: signatures, ...(pageSize ? { pageSize } : {}) }
}

function refuse({ view, signatureCase }: SeenCase, participantId: string, nowMs: number): void {
  const { definition } = signatureCase.spec
  assertOpenToParticipants(view, definition, nowMs)
  assertCanSign(view, definition, participantId, nowMs)
  // Forged facts may fill the list, which is bounded; honest ones are one per participant.
  if (signatureCase.spec.signatures.length < MAXIMUM_SIGNATURE_FACTS) return
  throw new ServiceError('SIGNING_UNAVAILABLE')
}

/**
 * States that the participant signed. The time is taken anew at each attempt to write.
 *
 * @param request `readInput` gives the body, or throws what is wrong with it
 * @throws ServiceError ALREADY_SIGNED, CASE_NOT_ACTIVE, LINK_EXPIRED, SIGNING_UNAVAILABLE, TIMEOUT
 * @throws ValidationError
 */
export async function acceptSignature(
  key: CaseKey,
  participant: ParticipantDefinition,
  deps: ApiDeps,
  request: { origin: { ip: string; userAgent?: string }; readInput(): SigningInput },
): Promise<void> {
  const { objects, keyring, now, randomUuid } = deps
  refuse(await readCase(key, deps), participant.id, now().getTime())
  const input = request.readInput()
  const drawing = await judge(key, input, participant, deps)
  if (!(await isSigningAvailable(deps))) throw new ServiceError('SIGNING_UNAVAILABLE')
  const { mediaType, sha256, bytes } = drawing
  await objects.putIfAbsent(drawingKey(key, sha256), bytes, mediaType)
  const factId = randomUuid()
  await changeSpec(key, deps, (seen) => {
    const { spec, status } = seen.signatureCase
    refuse(seen, participant.id, now().getTime())
    if (!status?.document) throw new Error('the case has no document')
    const { consent, client } = input
    const fact = sealFact(keyring, key.tenant, key.caseId, {
      factId,
      participantId: participant.id,
      signedAt: now().toISOString(),
      documentSha256: status.document.sha256,
      consent: { textVersion: consent.textVersion, acceptedAt: consent.acceptedAt },
      ...(client ? { client } : {}),
      drawing: { mediaType, sha256 },
      ...placeOf(input),
      ...request.origin,
    })
    return { ...spec, signatures: [...spec.signatures, fact] }
  })
}
