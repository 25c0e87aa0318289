/**
 * Gives a case that was restored from an older backup the facts that its trail records (decision
 * 2). They are stored beside the entries; former releases stored each in an object of its own.
 */
import type { AuditTrail } from '../../application/audit/trail.ts'
import type { AuditEntry } from '../../domain/audit/entry.ts'
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import { cancellationKey, factsFolder } from '../../domain/cases/keys.ts'
import { isObjectKey } from '../../domain/object-names.ts'
import { hasEnded } from '../../domain/cases/lifecycle.ts'
import { signedEventId } from '../../domain/cases/due-audit-events.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { Cancellation, SignatureFact } from '../../domain/cases/spec.ts'
import { readJson } from '../../application/store/read-json.ts'
import type { FactVerifier } from '../../domain/ports/keyring.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'

type Reader = Pick<ObjectStore, 'get' | 'list'>

/** A case has at most 100 signatures. */
const MAXIMUM_FACTS = 200

async function readAll<T extends object>(keys: readonly string[], objects: Reader): Promise<T[]> {
  const found = await Promise.all(keys.map((key) => readJson<T>(objects, key)))
  return found.filter((value) => value !== undefined)
}

/** What finds facts that a case lacks. */
interface LostFactsDeps {
  key: CaseKey
  objects: Reader
  keyring: FactVerifier
  trail: Pick<AuditTrail, 'factOf'>
}

/** The facts beside entries of a type. */
function recordedFacts<T extends object>(
  type: AuditEntry['type'],
  entries: readonly AuditEntry[],
  { key, trail }: LostFactsDeps,
): T[] {
  const found = entries.map((entry) => (entry.type === type ? trail.factOf(key, entry) : undefined))
  return found.filter((fact) => fact !== undefined) as T[]
}

/** The signatures that former releases stored in objects of their own. */
async function formerSignatures({ key, objects }: LostFactsDeps): Promise<SignatureFact[]> {
  const stats = await objects.list(factsFolder(key), { limit: MAXIMUM_FACTS })
  const objectKeys = stats
    .map((stat) => stat.key)
    .filter((one) => one !== cancellationKey(key) && isObjectKey(one))
  return readAll<SignatureFact>(objectKeys, objects)
}

/** The stored signatures that the case lacks and that would count. */
async function lostSignatures(
  { spec, ...rest }: SignatureCase,
  entries: readonly AuditEntry[],
  deps: LostFactsDeps,
): Promise<SignatureFact[]> {
  const recorded = recordedFacts<SignatureFact>('participant.signed', entries, deps)
  const kept = new Map<string, SignatureFact>()
  for (const fact of [...(await formerSignatures(deps)), ...recorded]) kept.set(fact.factId, fact)
  for (const { factId } of spec.signatures) kept.delete(factId)
  const signatures = [...spec.signatures, ...kept.values()]
  const whole = { ...rest, spec: { ...spec, signatures } }
  const counted = new Set(acceptedSignatures(deps.keyring, whole).map(({ factId }) => factId))
  return [...kept.values()].filter(({ factId }) => counted.has(factId))
}

async function lostCancellation(
  entries: readonly AuditEntry[],
  deps: LostFactsDeps,
): Promise<Cancellation | undefined> {
  const [recorded] = recordedFacts<Cancellation>('case.cancelled', entries, deps)
  return recorded ?? readJson<Cancellation>(deps.objects, cancellationKey(deps.key))
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
  deps: LostFactsDeps,
): Promise<SignatureCase | undefined> {
  const { metadata, spec, status } = signatureCase
  if (status && hasEnded(status.phase)) return undefined
  const known = new Set(spec.signatures.map((fact) => signedEventId(metadata.name, fact)))
  const isUnknown = ({ type, eventId }: AuditEntry) =>
    type === 'participant.signed' && !known.has(eventId)
  const lost = entries.some(isUnknown) ? await lostSignatures(signatureCase, entries, deps) : []
  const isCancelled = !spec.cancellation && entries.some(({ type }) => type === 'case.cancelled')
  const cancellation = isCancelled ? await lostCancellation(entries, deps) : undefined
  if (lost.length === 0 && !cancellation) return undefined
  const signatures = [...spec.signatures, ...lost]
  return {
    ...signatureCase,
    spec: { ...spec, signatures, ...(cancellation ? { cancellation } : {}) },
  }
}
