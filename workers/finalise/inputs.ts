/** Reads what is signed: the document, the drawings and the findings of intake. */
import type { ObjectReader } from '../../application/store/folder-snapshot.ts'
import { createHash } from 'node:crypto'
import { HashedFile, readDrawingBytes, type Drawing } from '../../pades/index.ts'
import { decodeCanary } from '../../domain/canary.ts'
import { CANARY_KEY, documentKey, drawingKey, intakeKey } from '../../domain/cases/keys.ts'
import type { IntakeResult } from '../../domain/cases/results.ts'
import type { ParticipantDefinition } from '../../domain/cases/definition.ts'
import type { SignatureFact } from '../../domain/cases/spec.ts'
import type { AnnotationAppearance } from '../../domain/ports/pdf-sandbox.ts'
import { placeProblems } from '../../domain/cases/signing.ts'
import { CANARY_MAXIMUM_AGE_MS, CANARY_REUSE_MS } from '../../domain/limits.ts'
import type { StoredObject } from '../../domain/ports/object-store.ts'
import { readRecent } from '../../application/store/recent-objects.ts'
import { readWorkerResult, type ReadResultDeps } from '../../application/store/stored-results.ts'
import { tryCanary } from '../canary.ts'
import { BackendFault, changed, OBJECT_MISSING } from './fault.ts'
import type { FinaliseDeps, SignedByAll } from './signed-by-all.ts'
import { checkTrail } from './sound-trail.ts'

/** A participant's accepted signature with everything that its appearance needs. */
export interface SigningParticipant {
  readonly fact: SignatureFact
  readonly participant: ParticipantDefinition
  readonly drawing: Drawing
}

/** Inputs of signing; they are checked against the facts that participants signed with. */
export interface SigningInputs {
  /** The frozen bytes. */
  readonly original: HashedFile
  /** Appearances that intake drew for annotations without one. */
  readonly drawn: readonly AnnotationAppearance[]
  /** In order of signing. */
  readonly signing: readonly SigningParticipant[]
}

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A retry can succeed: a store that is being restored gets the object back. */
const missing = (what: string) =>
  new BackendFault({ reason: `${what} is missing in the store`, code: OBJECT_MISSING })

/**
 * Reads the accepted document and checks that it consists of the bytes that participants saw
 * (promise 4).
 */
async function readOriginal(
  { key, document, accepted }: SignedByAll,
  { objects }: FinaliseDeps,
): Promise<HashedFile> {
  const stored = await objects.get(documentKey(key))
  if (!stored) throw missing('the accepted document')
  const { sha256 } = document
  const original = new HashedFile(stored.bytes)
  if (original.sha256 !== sha256) {
    throw changed('The stored document is not the one that was accepted')
  }
  const other = accepted.find(({ documentSha256 }) => documentSha256 !== sha256)
  if (other) {
    throw changed(`Participant ${other.participantId} signed another document`)
  }
  return original
}

async function readOneDrawing(
  { drawing: { sha256, mediaType } }: SignatureFact,
  { key }: SignedByAll,
  { objects }: FinaliseDeps,
): Promise<Drawing> {
  const stored = await objects.get(drawingKey(key, sha256))
  if (!stored) throw missing('the drawing of a signature')
  if (sha256Of(stored.bytes) !== sha256) {
    throw changed('The drawing of a signature was changed')
  }
  return readDrawingBytes(mediaType, stored.bytes)
}

/**
 * Reads the drawings that were signed with, to show them in the evidence; one that is missing or
 * was changed is left out, because the signed PDF exists without it.
 *
 * @returns drawings by the SHA-256 of their bytes
 */
export async function readShownDrawings(
  { key, accepted }: SignedByAll,
  { objects }: FinaliseDeps,
): Promise<ReadonlyMap<string, Drawing>> {
  const facts = new Map(accepted.map(({ drawing }) => [drawing.sha256, drawing]))
  const drawings = new Map<string, Drawing>()
  for (const { sha256, mediaType } of facts.values()) {
    const stored = await objects.get(drawingKey(key, sha256))
    if (!stored || sha256Of(stored.bytes) !== sha256) continue
    drawings.set(sha256, readDrawingBytes(mediaType, stored.bytes))
  }
  return drawings
}

/** Reads each drawing once, also when several participants used the same one. */
async function readSigning(all: SignedByAll, deps: FinaliseDeps): Promise<SigningParticipant[]> {
  const drawings = new Map<string, Promise<Drawing>>()
  for (const fact of all.accepted) {
    const { sha256 } = fact.drawing
    if (!drawings.has(sha256)) drawings.set(sha256, readOneDrawing(fact, all, deps))
  }
  const read = all.accepted.map(async (fact) => {
    const drawing = await (drawings.get(fact.drawing.sha256) as Promise<Drawing>)
    return { fact, participant: participantOf(all, fact), drawing }
  })
  return Promise.all(read)
}

/** Returns a reader that takes an object which this process wrote from memory. */
function verdictReader(
  folder: ObjectReader,
  { objects, verdicts }: FinaliseDeps,
): ReadResultDeps['objects'] {
  return {
    async get(objectKey) {
      const stat = verdicts && (await folder.stat(objectKey))
      return stat ? verdicts.get(stat, objects) : objects.get(objectKey)
    },
  }
}

/**
 * Reads the findings of intake, which carry a MAC that only workers can make. The API judged the
 * places of signatures by a copy without a MAC, so this step judges them again.
 */
async function readDrawnByIntake(
  all: SignedByAll,
  folder: ObjectReader,
  deps: FinaliseDeps,
): Promise<readonly AnnotationAppearance[]> {
  const { key, document } = all
  const violation = { key, object: 'intake' } as const
  const from = { ...deps, objects: verdictReader(folder, deps) }
  const stored = await readWorkerResult<IntakeResult>(intakeKey(key), violation, from)
  if (!stored?.value) throw missing('the verdict on the document')
  const { value } = stored
  if (value.outcome !== 'accepted' || value.sha256 !== document.sha256) {
    throw changed('The stored document is not the one that was accepted')
  }
  const { ownPlaces } = all.signatureCase.spec.definition
  const misplaced = all.accepted.find((fact) => {
    const { fieldIds, rectangles: signatures, pageSize } = fact
    const places = {
      ...(fieldIds && { fieldIds }),
      ...(signatures && { signatures }),
      ...(pageSize && { pageSize }),
    }
    return placeProblems(places, participantOf(all, fact), value, ownPlaces).length > 0
  })
  if (misplaced) {
    throw changed(`Participant ${misplaced.participantId} chose a place that is not allowed`)
  }
  return value.drawn ?? []
}

function participantOf(
  { signatureCase }: SignedByAll,
  { participantId }: SignatureFact,
): ParticipantDefinition {
  const { participants } = signatureCase.spec.definition
  return participants.find(({ id }) => id === participantId) as ParticipantDefinition
}

/** Whether a recent canary failed. */
async function hasFailedCanary({ objects, now }: FinaliseDeps): Promise<boolean> {
  const nowMs = now().getTime()
  const mayKeep = (object: StoredObject) => decodeCanary(object)?.outcome === 'passed'
  const freshness = { nowMs, maximumAgeMs: CANARY_REUSE_MS, mayKeep }
  const stored = await readRecent(objects, CANARY_KEY, freshness)
  const canary = stored && decodeCanary(stored)
  return canary?.outcome === 'failed' && nowMs - Date.parse(canary.at) < CANARY_MAXIMUM_AGE_MS
}

/**
 * Reads all inputs. Nothing is signed for a case whose trail is not sound.
 *
 * @param folder a listing of the folder of the case
 * @throws DocumentFault when an input is not what the participants signed
 * @throws BackendFault when an object is missing, or when this worker cannot sign at the moment
 * @throws AuditTrailError when the trail is not sound
 */
export async function readInputs(
  all: SignedByAll,
  folder: ObjectReader,
  deps: FinaliseDeps,
): Promise<SigningInputs> {
  const [isSuspect, , drawn, signing, original] = await Promise.all([
    hasFailedCanary(deps),
    checkTrail(all, folder, deps),
    readDrawnByIntake(all, folder, deps),
    readSigning(all, deps),
    readOriginal(all, deps),
  ])
  if (!isSuspect) return { original, drawn, signing }
  // The failed canary may be that of another worker, with a problem of its own.
  const own = await tryCanary(deps)
  // Do not issue certificates that cannot be used; all of them would have to be revoked.
  if (own.outcome === 'failed') throw new BackendFault(own)
  return { original, drawn, signing }
}
