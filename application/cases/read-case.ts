/** A case as a request sees it: the resource, the facts that count, and how it reads now. */
import { dueAuditEvents } from '../../domain/cases/due-audit-events.ts'
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import { caseView, type CaseView, type ParticipantView } from '../../domain/cases/lifecycle.ts'
import { isReadable } from '../../domain/cases/readable.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { SignatureFact } from '../../domain/cases/spec.ts'
import type { AuditEntry, AuditEvent } from '../../domain/audit/entry.ts'
import { AuditTrailError } from '../../domain/audit/fault.ts'
import { findHeadFault, seenHeads } from '../../domain/audit/signature-check.ts'
import { isVisitTooMany } from '../../domain/audit/visits.ts'
import { appendAndMark } from '../audit/mark-growth.ts'
import type { DecideNext } from '../audit/trail.ts'
import { ServiceError } from '../../domain/errors.ts'
import { isUuid } from '../../domain/ids.ts'
import { ConflictError, type CaseKey } from '../../domain/ports/stores.ts'
import type { UseCaseDeps } from '../deps.ts'
import { NotFoundError } from '../errors.ts'

/** More lost races than one case has writers mean that something else is wrong. */
const MAXIMUM_LOST_RACES = 100

export interface ObservedCase {
  key: CaseKey
  signatureCase: SignatureCase
  accepted: readonly SignatureFact[]
  view: CaseView
}

type ReadDeps = Pick<UseCaseDeps, 'cases' | 'keyring' | 'now'>

/** The case as it reads at this instant. */
export function observeCase(
  signatureCase: SignatureCase,
  { keyring, now }: ReadDeps,
): ObservedCase {
  const accepted = acceptedSignatures(keyring, signatureCase)
  const { namespace: tenant, name: caseId } = signatureCase.metadata
  const view = caseView(signatureCase, accepted, now().getTime())
  return { key: { tenant, caseId }, signatureCase, accepted, view }
}

/** @throws NotFoundError when the tenant has no such case */
export async function readCase({ tenant, caseId }: CaseKey, deps: ReadDeps): Promise<ObservedCase> {
  // RFC 9562, 4: upper case is read as lower case. What is not a UUID names no case.
  const key = { tenant, caseId: caseId.toLowerCase() }
  const signatureCase = isUuid(key.caseId) ? await deps.cases.get(key) : undefined
  if (!signatureCase || !isReadable(signatureCase)) throw new NotFoundError('Case')
  return observeCase(signatureCase, deps)
}

/** @throws NotFoundError when the case has no such participant */
export function participantOf(
  { view }: ObservedCase,
  { participantId }: { participantId: string },
): ParticipantView {
  const id = participantId.toLowerCase()
  const participant = view.participants.find(({ definition }) => definition.id === id)
  if (!participant) throw new NotFoundError('Participant')
  return participant
}

/**
 * Changes what people said of a case by compare-and-swap; when another writer was first, the case
 * is read and judged anew.
 *
 * @param change gives the next spec of a case as it reads now, or the same object when nothing is
 *   to be written, or throws what refuses the request
 * @param recent the case as this request has read it; absent: it is read. Another writer since then
 *   makes the first write fail, as after any reading
 * @throws NotFoundError, ServiceError TIMEOUT when the race is never won, and what `change` throws
 */
export async function changeSpec(
  key: CaseKey,
  deps: ReadDeps,
  change: (seen: ObservedCase) => SignatureCase['spec'],
  recent?: ObservedCase,
): Promise<ObservedCase> {
  for (let lost = 0; lost < MAXIMUM_LOST_RACES; lost++) {
    const known = lost === 0 ? recent : undefined
    // The time has gone on since it was read.
    const seen = known ? observeCase(known.signatureCase, deps) : await readCase(key, deps)
    const spec = change(seen)
    if (spec === seen.signatureCase.spec) return seen
    try {
      return observeCase(await deps.cases.replaceSpec({ ...seen.signatureCase, spec }), deps)
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
    }
  }
  throw new ServiceError('TIMEOUT')
}

/** @throws AuditTrailError when the trail lacks a head that the case names */
function assertHeads(
  { key, signatureCase, accepted }: ObservedCase,
  entries: readonly AuditEntry[],
  { trail }: Pick<UseCaseDeps, 'trail'>,
): readonly AuditEntry[] {
  const fault = findHeadFault(entries, seenHeads(signatureCase, accepted))
  if (!fault) return entries
  trail.report(key, fault)
  throw new AuditTrailError(fault)
}

/**
 * Reads the verified entries of the case's trail, on which refusals are based.
 *
 * @throws ServiceError TIMEOUT when the trail cannot be read or does not hold
 */
export async function readEntries(
  seen: ObservedCase,
  { trail }: Pick<UseCaseDeps, 'trail'>,
): Promise<readonly AuditEntry[]> {
  return orTimeout(async () => assertHeads(seen, await trail.entries(seen.key), { trail }))
}

/**
 * Appends the due events of the case.
 *
 * @returns the entries, which contain the heads that the case names
 * @throws ServiceError TIMEOUT when the trail cannot be written, or does not hold
 */
export async function recordDue(
  seen: ObservedCase,
  { trail }: Pick<UseCaseDeps, 'trail'>,
): Promise<readonly AuditEntry[]> {
  const { key, signatureCase, accepted } = seen
  return orTimeout(async () => {
    const entries = await trail.append(key, dueAuditEvents(signatureCase, accepted))
    return assertHeads(seen, entries, { trail })
  })
}

/**
 * Appends one event that follows from the current trail, behind everything that the case shows
 * already; `decide` is asked again whenever another writer was first.
 *
 * @throws ServiceError what `decide` refuses with, TIMEOUT when the trail cannot be written
 */
export async function recordNext(
  seen: ObservedCase,
  decide: DecideNext,
  deps: Pick<UseCaseDeps, 'trail' | 'objects' | 'now'>,
): Promise<AuditEvent> {
  const { key, signatureCase, accepted } = seen
  const { trail } = deps
  const append = async () => {
    await trail.append(key, dueAuditEvents(signatureCase, accepted))
    let entries: readonly AuditEntry[] = []
    const event = await trail.appendNext(key, (current) => {
      entries = current
      return decide(assertHeads(seen, current, { trail }))
    })
    return { event, entries }
  }
  return orTimeout(async () => (await appendAndMark(signatureCase, deps, append)).event)
}

/** A store that fails is a reason to try again. @throws ServiceError of `work`, or TIMEOUT */
export async function orTimeout<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw new ServiceError('TIMEOUT', {}, { cause })
  }
}

/**
 * Appends events to the trail, behind everything that the case shows already.
 * @throws ServiceError TIMEOUT when the trail cannot be written
 */
export async function recordEvents(
  seen: ObservedCase,
  events: readonly AuditEvent[],
  deps: Pick<UseCaseDeps, 'trail' | 'objects' | 'now'>,
): Promise<void> {
  const { key, signatureCase, accepted } = seen
  const due = dueAuditEvents(signatureCase, accepted)
  const append = async () => ({
    entries: await deps.trail.append(key, [...due, ...events], isVisitTooMany),
  })
  await orTimeout(() => (events.length > 0 ? appendAndMark(signatureCase, deps, append) : append()))
}
