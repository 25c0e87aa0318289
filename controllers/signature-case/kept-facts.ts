/**
 * Stores facts beside the trail that mentions them, and gives them back to a case that was restored
 * from an older backup (decision 2).
 */
import type { AuditEntry } from '../../domain/audit/entry.ts'
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import { cancellationKey, factsFolder, signatureFactKey } from '../../domain/cases/keys.ts'
import { hasEnded } from '../../domain/cases/lifecycle.ts'
import { signedEventId } from '../../domain/cases/due-audit-events.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { Cancellation, SignatureFact } from '../../domain/cases/spec.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { readJson } from '../../application/store/read-json.ts'
import { JSON_TYPE } from '../../domain/media-types.ts'
import type { FactVerifier } from '../../domain/ports/keyring.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'

type Reader = Pick<ObjectStore, 'get' | 'list'>

/** A case has at most 100 signatures. */
const MAXIMUM_FACTS = 200

export interface Facts {
  signatures: readonly SignatureFact[]
  cancellation?: Cancellation
}

/** The facts that the trail is about to mention for the first time. */
export function untoldFacts(
  { metadata, spec }: SignatureCase,
  accepted: readonly SignatureFact[],
  untold: readonly { eventId: string; type: string }[],
): Facts {
  const ids = new Set(untold.map(({ eventId }) => eventId))
  const signatures = accepted.filter((fact) => ids.has(signedEventId(metadata.name, fact)))
  const isCancelled = untold.some(({ type }) => type === 'case.cancelled')
  const { cancellation } = spec
  return { signatures, ...(isCancelled && cancellation ? { cancellation } : {}) }
}

/** Stores facts before the trail mentions them, so that every fact in the trail can be restored. */
export async function keepFacts(
  key: CaseKey,
  { signatures, cancellation }: Facts,
  objects: Pick<ObjectStore, 'putIfAbsent'>,
): Promise<void> {
  for (const fact of signatures) {
    await objects.putIfAbsent(signatureFactKey(key, fact.factId), encodeJson(fact), JSON_TYPE)
  }
  if (!cancellation) return
  await objects.putIfAbsent(cancellationKey(key), encodeJson(cancellation), JSON_TYPE)
}

/**
 * @returns undefined when the object is missing or is not a JSON object
 */
async function readKept<T>(key: string, objects: Reader): Promise<T | undefined> {
  try {
    const value = await readJson<T | null>(objects, key)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function readAll<T>(keys: readonly string[], objects: Reader): Promise<T[]> {
  const found = await Promise.all(keys.map((key) => readKept<T>(key, objects)))
  return found.filter((value) => value !== undefined)
}

/** The stored signatures that the case lacks and that would count. */
async function lostSignatures(
  signatureCase: SignatureCase,
  key: CaseKey,
  { objects, keyring }: { objects: Reader; keyring: FactVerifier },
): Promise<SignatureFact[]> {
  const { spec } = signatureCase
  const known = new Set(spec.signatures.map(({ factId }) => signatureFactKey(key, factId)))
  const stats = await objects.list(factsFolder(key), { limit: MAXIMUM_FACTS })
  const lost = stats
    .map((stat) => stat.key)
    .filter((objectKey) => objectKey !== cancellationKey(key) && !known.has(objectKey))
  const kept = await readAll<SignatureFact>(lost, objects)
  const signatures = [...spec.signatures, ...kept]
  const whole = { ...signatureCase, spec: { ...spec, signatures } }
  const counted = new Set(acceptedSignatures(keyring, whole).map(({ factId }) => factId))
  return kept.filter(({ factId }) => counted.has(factId))
}

/** Whether the trail mentions facts that the case lacks. */
export function lacksFacts(
  { metadata, spec }: SignatureCase,
  entries: readonly AuditEntry[],
): boolean {
  const known = new Set(spec.signatures.map((fact) => signedEventId(metadata.name, fact)))
  return entries.some(
    ({ type, eventId }) =>
      (type === 'participant.signed' && !known.has(eventId)) ||
      (type === 'case.cancelled' && !spec.cancellation),
  )
}

/**
 * The case with the facts that its trail mentions and that it lacks, because it was restored from
 * an older backup. Returns undefined when no fact is missing or the case has ended.
 */
export async function withLostFacts(
  signatureCase: SignatureCase,
  entries: readonly AuditEntry[],
  { key, objects, keyring }: { key: CaseKey; objects: Reader; keyring: FactVerifier },
): Promise<SignatureCase | undefined> {
  const { metadata, spec, status } = signatureCase
  if (status && hasEnded(status.phase)) return undefined
  const known = new Set(spec.signatures.map((fact) => signedEventId(metadata.name, fact)))
  const isUnknown = ({ type, eventId }: AuditEntry) =>
    type === 'participant.signed' && !known.has(eventId)
  const lost = entries.some(isUnknown)
    ? await lostSignatures(signatureCase, key, { objects, keyring })
    : []
  const isCancelled = !spec.cancellation && entries.some(({ type }) => type === 'case.cancelled')
  const [cancellation] = isCancelled
    ? await readAll<Cancellation>([cancellationKey(key)], objects)
    : []
  if (lost.length === 0 && !cancellation) return undefined
  const signatures = [...spec.signatures, ...lost]
  return {
    ...signatureCase,
    spec: { ...spec, signatures, ...(cancellation ? { cancellation } : {}) },
  }
}
