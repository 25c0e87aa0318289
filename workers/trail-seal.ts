/**
 * The job `trail-seal`: seals and time-stamps the head of the audit trail of a case that has ended.
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { entryHash, type AuditEntry } from '../domain/audit/entry.ts'
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
import { auditHeadKey, receiptKey } from '../domain/cases/keys.ts'
import { hasEnded } from '../domain/cases/lifecycle.ts'
import { trailSealReceiptId } from '../domain/cases/due-audit-events.ts'
import { encodeJson } from '../domain/json-object.ts'
import { JSON_TYPE } from '../domain/media-types.ts'
import type { CaseKey } from '../domain/ports/stores.ts'
import { readWorkerResult, writeWorkerResult } from '../application/store/stored-results.ts'
import { detachedValidationData, type DetachedSignature } from '../pades/index.ts'
import type { WorkerDeps } from './deps.ts'
import { revokeWhereUnsigned } from './pki/certificates.ts'
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

/**
 * Reads and verifies the entries and the values that they commit to.
 *
 * @returns undefined for a trail that is not sound; it is never sealed
 */
async function readSealable(
  key: CaseKey,
  { isErased, seen }: { isErased: boolean; seen: readonly { trail: TrailHead }[] },
  { trail }: WorkerDeps,
): Promise<readonly AuditEntry[] | undefined> {
  try {
    const entries = await trail.entries(key)
    await trail.openings(key, entries, { isErased })
    const fault = findHeadFault(entries, seen)
    if (!fault) return entries
    trail.report(key, fault)
  } catch (error) {
    if (!(error instanceof AuditTrailError)) throw error
  }
  return undefined
}

/**
 * Stores the head. It replaces an existing object: either that of a run that ended before it stored
 * its receipt, or one by another writer.
 *
 * @returns its generation, or undefined when another writer won the race
 */
async function putHead(
  place: string,
  head: AuditHead,
  { objects }: WorkerDeps,
): Promise<string | undefined> {
  const bytes = encodeJson(head)
  const first = await objects.putIfAbsent(place, bytes, JSON_TYPE)
  if (first !== undefined) return first
  const stored = await objects.stat(place)
  const generation = stored?.generation
  return objects.compareAndSwap(place, bytes, { contentType: JSON_TYPE, generation })
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
  await revokeWhereUnsigned(key, signatureCase.status.phase, deps)
  const isErased = signatureCase.status.erasure !== undefined
  const accepted = acceptedSignatures(deps.keyring, signatureCase)
  const seen = seenHeads(signatureCase, accepted)
  const entries = await readSealable(key, { isErased, seen }, deps)
  if (entries?.length === 0) return
  const place = receiptKey(key, trailSealReceiptId(key.caseId))
  const stored = await readWorkerResult<TrailSealReceipt>(place, { object: 'seal', key }, deps)
  const before = stored?.value ?? {}
  const next = entries
    ? await sealNewest(key, entries, before, deps)
    : { brokenAt: deps.now().toISOString(), ...before }
  if (next) await writeWorkerResult(place, next, stored, deps)
  await publishCaseChange(key, deps, { mayWait: true })
}
