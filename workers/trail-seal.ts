/**
 * The job `trail-seal`: seals and time-stamps the head of the audit trail of a case that has ended.
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { entryHash, type AuditEntry, type WholeTrail } from '../domain/audit/entry.ts'
import { AuditTrailError, type TrailHead } from '../domain/audit/fault.ts'
import {
  archivedOctets,
  sealedOctets,
  type AuditHead,
  type AuditHeadStatement,
  type TrailSealReceipt,
} from '../domain/audit/head.ts'
import { findHeadFault, seenHeads } from '../domain/audit/signature-check.ts'
import { acceptedSignatures } from '../domain/cases/facts.ts'
import { auditHeadKey, caseFolder, receiptKey } from '../domain/cases/keys.ts'
import { hasEnded } from '../domain/cases/lifecycle.ts'
import { trailSealReceiptId } from '../domain/cases/due-audit-events.ts'
import type { Phase } from '../domain/cases/status.ts'
import { encodeJson } from '../domain/json-object.ts'
import { JSON_TYPE } from '../domain/media-types.ts'
import type { CaseKey } from '../domain/ports/stores.ts'
import {
  ReadObjects,
  snapshotFolder,
  type ObjectReader,
} from '../application/store/folder-snapshot.ts'
import { readWorkerResult, writeWorkerResult } from '../application/store/stored-results.ts'
import { detachedValidationData, type DetachedSignature } from '../pades/index.ts'
import type { WorkerDeps } from './deps.ts'
import { revokeCertificates, unusedRuns, WITHOUT_SIGNATURES } from './pki/certificates.ts'
import { longTermRequest } from './pki/long-term.ts'
import { publishCaseChange } from './publish-case-change.ts'

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

async function seal(statement: AuditHeadStatement, deps: WorkerDeps): Promise<AuditHead> {
  const { algorithm, certificates } = await deps.signingDevice.describe('seal')
  const signature = await deps.signingDevice.sign('seal', sealedOctets(statement))
  const digest = createHash('sha256').update(signature).digest()
  const timeStampToken = await deps.timeStamps.stamp(digest)
  const { revocationLists, ocspResponses } = await validationData(
    { signature, certificates, timeStampToken },
    deps,
  )
  const head: AuditHead = {
    ...statement,
    sealedAt: deps.now().toISOString(),
    algorithm,
    signature: base64(signature),
    certificates: certificates.map(base64),
    timeStampToken: base64(timeStampToken),
    revocationLists: revocationLists.map(base64),
    ocspResponses: ocspResponses.map(base64),
  }
  const archived = createHash('sha256').update(archivedOctets(head)).digest()
  return { ...head, archiveTimeStampToken: base64(await deps.timeStamps.stamp(archived)) }
}

/** Validation data that a verifier needs for the seal, as in a document. */
async function validationData(sealed: DetachedSignature, deps: WorkerDeps) {
  return detachedValidationData(sealed, await longTermRequest(deps), deps.now())
}

/** A case that has ended, as its trail is sealed. */
interface Ended {
  key: CaseKey
  phase: Phase
  isErased: boolean
  /** Heads that the case names. */
  seen: readonly { trail: TrailHead }[]
}

/**
 * Reads and verifies the entries and the values that they commit to.
 *
 * @param from a listing of the folder of the case; absent: the store
 * @returns undefined for a trail that is not sound; it is never sealed
 */
async function readSealable(
  { key, isErased, seen }: Ended,
  { trail }: WorkerDeps,
  from?: ObjectReader,
): Promise<WholeTrail | undefined> {
  try {
    const { entries, fault: found } = await trail.check(key, from)
    if (found) return undefined
    const whole = { entries, openings: await trail.openings(key, entries, { isErased }) }
    const fault = findHeadFault(entries, seen)
    if (!fault) return whole
    trail.report(key, fault)
  } catch (error) {
    if (!(error instanceof AuditTrailError)) throw error
  }
  return undefined
}

/** The serial numbers of the certificates that the trail names, hex. */
function issuedSerials({ entries, openings }: WholeTrail): Set<string> {
  const issued = entries.filter(({ type }) => type === 'participant.certificate_issued')
  const values = issued.map(({ eventId }) => Object(openings[eventId]?.data?.value) as object)
  return new Set(
    values.flatMap((value) =>
      'certificateSerial' in value ? String(value.certificateSerial) : [],
    ),
  )
}

/**
 * Revokes the certificates that no signed PDF of the case uses: all of a case without one, and
 * those of runs that were killed or lost a race.
 *
 * @returns whether there were any
 */
async function revokeUnused(
  { key, phase, isErased }: Ended,
  whole: WholeTrail | undefined,
  folder: ObjectReader,
  deps: WorkerDeps,
): Promise<boolean> {
  const isSigned = phase === 'DONE'
  if (!isSigned && !WITHOUT_SIGNATURES.has(phase)) return false
  // Then nothing says which certificates the signed PDF uses.
  if (isSigned && (!whole || isErased)) return false
  const used = isSigned && whole ? issuedSerials(whole) : new Set<string>()
  const unused = await unusedRuns(key, used, { objects: folder })
  await revokeCertificates(key, unused, deps)
  return unused.length > 0
}

/**
 * Stores the head. It replaces an existing object: either that of a run that ended before it stored
 * its receipt, or one by another writer.
 *
 * @returns its generation, or undefined when another writer won the race
 */
async function putHead(
  objectKey: string,
  head: AuditHead,
  { objects }: WorkerDeps,
): Promise<string | undefined> {
  const bytes = encodeJson(head)
  // The receipt follows before anybody learns of the head.
  const first = await objects.putIfAbsent(objectKey, bytes, JSON_TYPE, 'later')
  if (first !== undefined) return first
  const stored = await objects.stat(objectKey)
  const generation = stored?.generation
  return objects.compareAndSwap(objectKey, bytes, { contentType: JSON_TYPE, generation })
}

/**
 * Seals the newest entry unless a receipt says that it is already sealed.
 *
 * @returns the next receipt; undefined when there is nothing to do, or another run won the race
 */
async function sealNewest(
  key: CaseKey,
  entries: readonly AuditEntry[],
  { sealed }: TrailSealReceipt,
  deps: WorkerDeps,
): Promise<TrailSealReceipt | undefined> {
  const last = entries.at(-1)
  if (!last) return undefined
  const { tenant, caseId } = key
  const { sequence } = last
  const hash = entryHash(last)
  if (sealed?.sequence === sequence && sealed.hash === hash) return undefined
  const head = await seal({ tenant, caseId, sequence, hash }, deps)
  if (!(await putHead(auditHeadKey(key, sequence), head, deps))) return undefined
  return { sealed: { sequence, hash, at: head.sealedAt } }
}

/** @throws Error when the key, the time-stamp authority or the store fails */
export async function sealTrail(key: CaseKey, deps: WorkerDeps): Promise<void> {
  const signatureCase = await deps.cases.get(key)
  if (!signatureCase?.status || !hasEnded(signatureCase.status.phase)) return
  const { phase, erasure } = signatureCase.status
  const accepted = acceptedSignatures(deps.keyring, signatureCase)
  const seen = seenHeads(signatureCase, accepted)
  const ended: Ended = { key, phase, isErased: erasure !== undefined, seen }
  // One listing shows the trail and the certificates.
  const folder = await snapshotFolder(deps.objects, caseFolder(key), new ReadObjects())
  const found = await readSealable(ended, deps, folder)
  const hasRevoked = await revokeUnused(ended, found, folder, deps)
  const entries = (hasRevoked ? await readSealable(ended, deps) : found)?.entries
  if (entries?.length === 0) return
  const objectKey = receiptKey(key, trailSealReceiptId(key.caseId))
  const listed = { ...deps, objects: folder }
  const stored = await readWorkerResult<TrailSealReceipt>(
    objectKey,
    { object: 'seal', key },
    listed,
  )
  const before = stored?.value ?? {}
  const next = entries
    ? await sealNewest(key, entries, before, deps)
    : { brokenAt: deps.now().toISOString(), ...before }
  if (next) await writeWorkerResult(objectKey, next, stored, deps)
  await publishCaseChange(key, deps, { mayWait: true })
}
