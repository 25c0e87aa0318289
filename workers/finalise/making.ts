/** The steps that make the signed PDF in memory; only the caller stores it. */
import { createHash } from 'node:crypto'
import { HashedFile, PADES_ERRORS, readDrawingBytes, signDocument } from '../../pades/index.ts'
import { CANARY_KEY, documentKey, drawingKey, intakeKey } from '../../domain/cases/keys.ts'
import type { CanaryResult, IntakeResult } from '../../domain/cases/results.ts'
import type { ParticipantDefinition } from '../../domain/cases/definition.ts'
import type { SignatureFact } from '../../domain/cases/spec.ts'
import { decodeJson } from '../../domain/json-object.ts'
import { placeProblems } from '../../domain/cases/signing.ts'
import { CANARY_MAXIMUM_AGE_MS } from '../../domain/limits.ts'
import { readWorkerResult } from '../../application/store/stored-results.ts'
import { tryCanary } from '../canary.ts'
import { oneTimeCredential } from './credentials.ts'
import { BackendFault, DocumentFault, OBJECT_MISSING } from './fault.ts'
import { InvalidOutputError, readFreshOutput, type OwnOutput } from './own-output.ts'
import { sealingRequest } from './sealing.ts'
import { signerRequest } from './signers.ts'
import { readSoundTrail } from './sound-trail.ts'
import type { FinaliseDeps, Making, Step } from './work.ts'

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A retry can succeed: a store that is being restored gets the object back. */
const missing = (what: string) =>
  new BackendFault({ reason: `${what} is missing in the store`, code: OBJECT_MISSING })

/**
 * Reads the accepted document and checks that it consists of the bytes that participants saw
 * (promise 4).
 */
async function readOriginal(work: Making, { objects }: FinaliseDeps): Promise<void> {
  const stored = await objects.get(documentKey(work.key))
  if (!stored) throw missing('the accepted document')
  const { sha256 } = work.document
  const original = new HashedFile(stored.bytes)
  if (original.sha256 !== sha256) {
    throw new DocumentFault('The stored document is not the one that was accepted')
  }
  const other = work.accepted.find(({ documentSha256 }) => documentSha256 !== sha256)
  if (other) {
    throw new DocumentFault(`Participant ${other.participantId} signed another document`)
  }
  work.original = original
}

async function readDrawings(work: Making, { objects }: FinaliseDeps): Promise<void> {
  const drawings = new Map(work.accepted.map(({ drawing }) => [drawing.sha256, drawing]))
  const read = [...drawings.values()].map(async ({ sha256, mediaType }) => {
    const stored = await objects.get(drawingKey(work.key, sha256))
    if (!stored) throw missing('the drawing of a signature')
    if (sha256Of(stored.bytes) !== sha256) {
      throw new DocumentFault('The drawing of a signature was changed')
    }
    work.drawings.set(sha256, readDrawingBytes(mediaType, stored.bytes))
  })
  await Promise.all(read)
}

/**
 * Reads the findings of intake, which carry a MAC that only workers can make. The API judged the
 * places of signatures by a copy without a MAC, so this step judges them again.
 */
async function readAcceptance(work: Making, deps: FinaliseDeps): Promise<void> {
  const { key, document } = work
  const violation = { key, object: 'intake' } as const
  const stored = await readWorkerResult<IntakeResult>(intakeKey(key), violation, deps)
  if (!stored?.value) throw missing('the verdict on the document')
  const { value } = stored
  if (value.outcome !== 'accepted' || value.sha256 !== document.sha256) {
    throw new DocumentFault('The stored document is not the one that was accepted')
  }
  work.drawn = value.drawn ?? []
  const { ownPlaces } = work.signatureCase.spec.definition
  const misplaced = work.accepted.find((fact) => {
    const { fieldIds, rectangles: signatures, pageSize } = fact
    const places = {
      ...(fieldIds && { fieldIds }),
      ...(signatures && { signatures }),
      ...(pageSize && { pageSize }),
    }
    return placeProblems(places, participantOf(work, fact), value, ownPlaces).length > 0
  })
  if (misplaced) {
    throw new DocumentFault(
      `Participant ${misplaced.participantId} chose a place that is not allowed`,
    )
  }
}

/** Whether a recent canary failed. */
async function hasFailedCanary({ objects, now }: FinaliseDeps): Promise<boolean> {
  const stored = await objects.get(CANARY_KEY)
  if (!stored) return false
  const { outcome, at } = decodeJson<CanaryResult>(stored)
  return outcome === 'failed' && now().getTime() - Date.parse(at) < CANARY_MAXIMUM_AGE_MS
}

/** Reads all inputs. Nothing is signed for a case whose trail is not sound. */
async function readInputs(work: Making, deps: FinaliseDeps): Promise<void> {
  const [isSuspect] = await Promise.all([
    hasFailedCanary(deps),
    readSoundTrail(work, deps),
    readAcceptance(work, deps),
    readDrawings(work, deps),
    readOriginal(work, deps),
  ])
  if (!isSuspect) return
  // The failed canary may be that of another worker, with a problem of its own.
  const own = await tryCanary(deps)
  // Do not issue certificates that cannot be used; all of them would have to be revoked.
  if (own.outcome === 'failed') throw new BackendFault(own)
}

function participantOf(work: Making, { participantId }: SignatureFact): ParticipantDefinition {
  const { participants } = work.signatureCase.spec.definition
  return participants.find(({ id }) => id === participantId) as ParticipantDefinition
}

async function sign(work: Making, deps: FinaliseDeps): Promise<void> {
  const { original, drawn } = work
  if (!original) throw new Error('the document was not read before signing')
  const sealing = await sealingRequest(deps)
  const signers = work.accepted.map((fact) => {
    const participant = participantOf(work, fact)
    const drawing = work.drawings.get(fact.drawing.sha256)
    if (!drawing) throw new Error('a drawing was not read before signing')
    const credential = () => oneTimeCredential(participant, work.key, deps, sealing.sealedAt)
    return signerRequest(fact, participant, drawing, credential)
  })
  work.signed = await signDocument(original, { signers, drawn, ...sealing })
}

/** @throws InvalidOutputError when a verifier would not accept the signed PDF */
async function readOutput(work: Making, deps: FinaliseDeps): Promise<OwnOutput> {
  const { signed, original, accepted } = work
  if (!signed || !original) throw new Error('the document was not signed before validation')
  const output = await readFreshOutput(signed, original.bytes.length, deps)
  const { signatures } = output
  const people = new Set(signatures.map(({ participantId }) => participantId))
  // A participant may have several signatures when the document was signed before (decision 4). The
  // seal has no participant.
  const isWhole = signatures.length === signed.revisions.length
  if (isWhole && people.size === accepted.length + 1) return output
  throw new InvalidOutputError(
    `the signed PDF has an unexpected number of signatures: ${signatures.length}`,
  )
}

/**
 * Validates the signed PDF; one that does not validate is never handed out. The document is only at
 * fault when it fails again after a canary passed, because the cause of the first failure may have
 * been temporary (keys, authority or clock).
 */
async function validateOwnOutput(work: Making, deps: FinaliseDeps): Promise<void> {
  try {
    work.output = await readOutput(work, deps)
    return
  } catch (error) {
    if (!(error instanceof InvalidOutputError)) throw error
    if ((await tryCanary(deps)).outcome === 'failed') throw error
  }
  await sign(work, deps)
  try {
    work.output = await readOutput(work, deps)
  } catch (cause) {
    if (!(cause instanceof InvalidOutputError)) throw cause
    throw new DocumentFault(PADES_ERRORS.DEFIES_SIGNING, { cause })
  }
}

/** The steps in this order; a failed step leaves nothing behind. */
export const MAKING: readonly Step<Making>[] = [
  { name: 'read-inputs', run: readInputs },
  { name: 'sign', run: sign },
  { name: 'validate-own-output', run: validateOwnOutput },
]
