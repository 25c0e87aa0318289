/**
 * Takes a participant's signature: judges it, keeps the drawing, states the fact (design 6, sign).
 */
import { sealFact } from '../domain/cases/facts.ts'
import { drawingKey, intakeKey } from '../domain/cases/keys.ts'
import { assertCanSign, assertOpenToParticipants } from '../domain/cases/refusals.ts'
import type { IntakeResult } from '../domain/cases/results.ts'
import { placeProblems, statementOf } from '../domain/cases/signing.ts'
import { knownMembers } from '../domain/contract/known-members.ts'
import { SigningInput } from '../domain/contract/signing-input.ts'
import { ServiceError, ValidationError, type ValidationProblem } from '../domain/errors.ts'
import { readJson } from '../domain/json-object.ts'
import { MAXIMUM_SIGNATURE_FACTS } from '../domain/limits.ts'
import type { PageSize } from '../domain/ports/pdf-sandbox.ts'
import type { CaseKey } from '../domain/ports/stores.ts'
import { isSigningAvailable, signingUnavailable } from './canary.ts'
import type { ApiDeps, ReadDrawing } from './deps.ts'
import type { Visit } from './participant-route.ts'
import { changeSpec, type SeenCase } from './read-case.ts'

const BAD_DRAWING = 'BAD_DRAWING'
const PLACE_MEMBERS = ['fieldIds', 'signatures', 'pageSize']
const DRAWING_MEMBERS = ['encodedSignature']

/** A body with what its schema found wrong with it: such members are not what their type says. */
export interface SigningRequest {
  body: SigningInput
  problems: readonly ValidationProblem[]
  origin: { ip: string; userAgent?: string }
}

/** @throws ServiceError ALREADY_SIGNED, CASE_NOT_ACTIVE */
export function refuseSecondSignature({ seen, participant }: Visit, { now }: ApiDeps): void {
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

/** The drawing, or what a person can do about it. */
async function readDrawing(
  encoded: string,
  deps: ApiDeps,
): Promise<ReadDrawing | ValidationProblem> {
  try {
    return await deps.readDrawing(encoded)
  } catch (error) {
    if ((error as { code?: string }).code !== BAD_DRAWING) throw error
    const { message } = error as Error
    return { instancePath: '/encodedSignature', keyword: 'drawing', params: {}, message }
  }
}

async function readPages(key: CaseKey, { objects }: ApiDeps): Promise<readonly PageSize[]> {
  const intake = await readJson<IntakeResult>(objects, intakeKey(key))
  if (intake?.outcome !== 'accepted') throw new Error('the case has no accepted upload')
  return intake.pages
}

/** @throws ValidationError with every problem that can be told beside the schema's */
async function judge(
  { body, problems }: SigningRequest,
  { seen, participant }: Visit,
  deps: ApiDeps,
): Promise<ReadDrawing> {
  const found = [...problems]
  if (areSound(PLACE_MEMBERS, problems)) {
    const pages = await readPages(seen.key, deps)
    const { ownPlaces } = seen.signatureCase.spec.definition
    found.push(...placeProblems(body, participant.definition, pages, ownPlaces))
  }
  if (areSound(DRAWING_MEMBERS, problems)) {
    const drawing = await readDrawing(body.encodedSignature, deps)
    if (!('keyword' in drawing) && found.length === 0) return drawing
    if ('keyword' in drawing) found.push(drawing)
  }
  throw new ValidationError(found)
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
 * @throws ServiceError ALREADY_SIGNED, CASE_NOT_ACTIVE, LINK_EXPIRED, SIGNING_UNAVAILABLE, TIMEOUT
 * @throws ValidationError
 */
export async function acceptSignature(
  visit: Visit,
  request: SigningRequest,
  deps: ApiDeps,
): Promise<void> {
  const { objects, keyring, now, randomUuid } = deps
  const { key } = visit.seen
  const participantId = visit.participant.definition.id
  const { mediaType, sha256, bytes } = await judge(request, visit, deps)
  if (!(await isSigningAvailable(deps))) throw signingUnavailable()
  await objects.putIfAbsent(drawingKey(key, sha256), bytes, mediaType)
  const factId = randomUuid()
  const statement = statementOf(knownMembers(SigningInput, request.body))
  await changeSpec(key, deps, (seen) => {
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
    })
    return { ...spec, signatures: [...spec.signatures, fact] }
  })
}
