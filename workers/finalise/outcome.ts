/**
 * Stores the outcome of finalising, and checks a stored one before using it, because another writer
 * of the store may have put it there (decision 171).
 */
import { createHash } from 'node:crypto'
import { outcomeKey } from '../../domain/cases/keys.ts'
import { OUTCOME_TYPES, outcomeKindOf, type FinaliseFailure } from '../../domain/cases/results.ts'
import type { StoredObject } from '../../domain/ports/object-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { CertificateRecord } from '../../domain/pki.ts'
import { encodeResult } from '../../domain/worker-results.ts'
import { PadesError } from '../../pades/index.ts'
import { putOver, readWorkerResult } from '../../application/store/stored-results.ts'
import { readRun } from '../pki/certificates.ts'
import { ownRootDigests, readOwnOutput, InvalidOutputError, type OwnOutput } from './own-output.ts'
import { SEAL_FIELD_NAME } from './signers.ts'
import type { FinaliseDeps, SignedByAll } from './signed-by-all.ts'

/** A signed PDF or a failure that this service made for this case. */
export type Outcome =
  { kind: 'signed'; signed: OwnOutput } | { kind: 'failed'; failure: FinaliseFailure }

/** The fault of an object at the outcome key, used in the log and the metric. */
type OutcomeFault =
  'otherDocument' | 'invalidSignature' | 'otherParticipants' | 'otherSeal' | 'otherCertificate'

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** @returns undefined for a PDF that cannot be read, or with a signature that is not valid */
async function readOutput(
  stored: StoredObject,
  { document }: SignedByAll,
  deps: FinaliseDeps,
): Promise<OwnOutput | undefined> {
  try {
    return await readOwnOutput(stored, document.size, deps)
  } catch (error) {
    if (error instanceof InvalidOutputError || error instanceof PadesError) return undefined
    throw error
  }
}

/** Whether all certificates were issued for these participants of this case. */
async function wereIssuedFor(
  signatures: OwnOutput['signatures'],
  { key }: SignedByAll,
  deps: FinaliseDeps,
): Promise<boolean> {
  const known = new Map<string, CertificateRecord>()
  for (const { participantId, certificateSerial, subject } of signatures) {
    if (participantId === undefined) continue
    if (!known.has(certificateSerial)) {
      // The first signature of a run names the record of all its certificates.
      for (const [serial, record] of await readRun(key, certificateSerial, deps)) {
        known.set(serial, record)
      }
    }
    const isIssued = known.get(certificateSerial)?.participantId === participantId
    if (!isIssued || !subject.includes(participantId)) return false
  }
  return true
}

/**
 * Compares a PDF with the accepted bytes, with the participants who signed, and with the
 * certificates that were recorded for them.
 */
async function findPdfFault(
  stored: StoredObject,
  output: OwnOutput | undefined,
  all: SignedByAll,
  deps: FinaliseDeps,
): Promise<OutcomeFault | undefined> {
  const { document, accepted } = all
  if (sha256Of(stored.bytes.subarray(0, document.size)) !== document.sha256) return 'otherDocument'
  if (!output) return 'invalidSignature'
  const people = new Set(output.signatures.flatMap(({ participantId }) => participantId ?? []))
  const isSame = accepted.every(({ participantId }) => people.has(participantId))
  if (!isSame || people.size !== accepted.length) return 'otherParticipants'
  const [seal, ...others] = output.signatures.filter(({ participantId }) => !participantId)
  if (!seal?.fieldName.startsWith(SEAL_FIELD_NAME) || others.length > 0) return 'otherSeal'
  const roots = await ownRootDigests(deps.signingDevice)
  if (output.signatures.some(({ rootSha256 }) => !roots.has(rootSha256))) return 'otherSeal'
  if (!(await wereIssuedFor(output.signatures, all, deps))) return 'otherCertificate'
  return undefined
}

/**
 * Reads the stored outcome. Raises the alarm for an object that this service did not make for this
 * case.
 *
 * @returns undefined for such an object; the caller replaces it
 * @throws Error when a key or the store fails
 */
export async function judgeOutcome(
  stored: StoredObject,
  all: SignedByAll,
  deps: FinaliseDeps,
): Promise<Outcome | undefined> {
  const violation = { object: 'outcome', key: all.key } as const
  if (outcomeKindOf(stored) === 'failed') {
    const objectKey = outcomeKey(all.key)
    const result = await readWorkerResult<FinaliseFailure>(objectKey, violation, deps)
    return result?.value && { kind: 'failed', failure: result.value }
  }
  const output = await readOutput(stored, all, deps)
  const fault = await findPdfFault(stored, output, all, deps)
  if (!fault && output) return { kind: 'signed', signed: output }
  deps.alarm.raise({ ...violation, fault: fault ?? 'invalidSignature' })
  return undefined
}

/**
 * Stores the outcome if the key is free, or still has the given generation.
 *
 * @param generation of the object to replace; undefined when the key must be free
 * @returns the new generation, or undefined when another writer was first
 */
export function storeOutcome(
  key: CaseKey,
  outcome: Outcome,
  generation: string | undefined,
  { objects, keyring }: Pick<FinaliseDeps, 'objects' | 'keyring'>,
): Promise<string | undefined> {
  const objectKey = outcomeKey(key)
  const bytes =
    outcome.kind === 'signed'
      ? outcome.signed.bytes
      : encodeResult(keyring, objectKey, outcome.failure)
  const contentType = OUTCOME_TYPES[outcome.kind]
  // A signed PDF is handed out after its result; a failure is one.
  const durability = outcome.kind === 'signed' ? 'later' : 'now'
  return putOver(objects, { key: objectKey, bytes, contentType, durability }, generation)
}
