/** The steps that make the signed PDF, all in memory: nothing is stored before the last one. */
import { createHash } from 'node:crypto'
import { readDrawingBytes, signDocument } from '../../pades/index.ts'
import { CANARY_KEY, documentKey, drawingKey } from '../../domain/cases/keys.ts'
import type { CanaryResult } from '../../domain/cases/results.ts'
import type { ParticipantDefinition, SignatureFact } from '../../domain/cases/schema.ts'
import { decodeJson } from '../../domain/json-object.ts'
import { CANARY_MAXIMUM_AGE_MS } from '../../domain/limits.ts'
import { oneTimeCredential, sealCredential } from './credentials.ts'
import { DocumentFault } from './fault.ts'
import { InvalidOutputError, readOwnOutput } from './own-output.ts'
import { SEAL_FIELD_NAME, SEAL_NAME, signerRequest } from './signers.ts'
import type { FinaliseDeps, Making, Step } from './work.ts'

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Promise 4: the bytes that participants saw are the bytes that are signed. */
async function readOriginal(work: Making, { objects }: FinaliseDeps): Promise<void> {
  const stored = await objects.get(documentKey(work.key))
  if (!stored) throw new DocumentFault('The document is no longer in the store')
  const { sha256 } = work.document
  if (sha256Of(stored.bytes) !== sha256) {
    throw new DocumentFault('The stored document is not the one that was accepted')
  }
  const other = work.accepted.find(({ documentSha256 }) => documentSha256 !== sha256)
  if (other) {
    throw new DocumentFault(`Participant ${other.participantId} signed another document`)
  }
  work.original = stored.bytes
}

async function readDrawings(work: Making, { objects }: FinaliseDeps): Promise<void> {
  const drawings = new Map(work.accepted.map(({ drawing }) => [drawing.sha256, drawing]))
  const read = [...drawings.values()].map(async ({ sha256, mediaType }) => {
    const stored = await objects.get(drawingKey(work.key, sha256))
    if (!stored || sha256Of(stored.bytes) !== sha256) {
      throw new DocumentFault('The drawing of a signature is missing or was changed')
    }
    work.drawings.set(sha256, readDrawingBytes(mediaType, stored.bytes))
  })
  await Promise.all(read)
}

/** The trail is read along with them, so that it is known when something is appended to it. */
async function readInputs(work: Making, deps: FinaliseDeps): Promise<void> {
  const { key } = work
  await Promise.all([deps.trail.entries(key), readDrawings(work, deps), readOriginal(work, deps)])
}

function participantOf(work: Making, { participantId }: SignatureFact): ParticipantDefinition {
  const { participants } = work.signatureCase.spec.definition
  return participants.find(({ id }) => id === participantId) as ParticipantDefinition
}

async function sign(work: Making, deps: FinaliseDeps): Promise<void> {
  const { signingDevice, timeStamps } = deps
  const sealedAt = deps.now()
  const signers = work.accepted.map((fact) => {
    const participant = participantOf(work, fact)
    const drawing = work.drawings.get(fact.drawing.sha256)
    if (!drawing) throw new Error('the drawings are read before they are used')
    const credential = () => oneTimeCredential(participant, signingDevice, sealedAt)
    return signerRequest(fact, participant, drawing, credential)
  })
  work.signed = await signDocument(work.original, {
    signers,
    seal: {
      fieldName: SEAL_FIELD_NAME,
      name: SEAL_NAME,
      credential: await sealCredential(signingDevice),
    },
    sealedAt,
    timeStamp: (digest) => timeStamps.stamp(digest),
  })
}

/** Whether keys and authority are known to work: then it is the document that defies signing. */
async function backendWorks({ objects, now }: FinaliseDeps): Promise<boolean> {
  const stored = await objects.get(CANARY_KEY)
  if (!stored) return false
  const { outcome, at } = decodeJson<CanaryResult>(stored)
  return outcome === 'passed' && now().getTime() - Date.parse(at) < CANARY_MAXIMUM_AGE_MS
}

const DEFIES_SIGNING =
  'The PDF is built in a way that makes new signatures invalid; print it as a new PDF'

/** A PDF that does not validate is never handed out. */
async function validateOwnOutput(work: Making, deps: FinaliseDeps): Promise<void> {
  const { signed, original, accepted } = work
  if (!signed) throw new Error('a document is signed before it is validated')
  try {
    work.output = await readOwnOutput(signed, original.length, deps)
    const { length } = work.output.signatures
    if (length === accepted.length + 1) return
    throw new InvalidOutputError(`${length} signatures were found`)
  } catch (error) {
    if (!(error instanceof InvalidOutputError) || !(await backendWorks(deps))) throw error
    throw new DocumentFault(DEFIES_SIGNING, { cause: error })
  }
}

/** In this order; a failure leaves nothing behind. */
export const MAKING: readonly Step<Making>[] = [
  { name: 'read-inputs', run: readInputs },
  { name: 'sign', run: sign },
  { name: 'validate-own-output', run: validateOwnOutput },
]
