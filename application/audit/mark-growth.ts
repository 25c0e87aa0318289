/** Marks ended cases whose audit trail grows, so that it is sealed again (decision 213). */
import type { AuditEntry } from '../../domain/audit/entry.ts'
import { hasEndEvent } from '../../domain/audit/end-events.ts'
import { grownTrailKey } from '../../domain/cases/keys.ts'
import { hasEnded } from '../../domain/cases/lifecycle.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { JSON_TYPE } from '../../domain/media-types.ts'
import type { UseCaseDeps } from '../deps.ts'

type MarkDeps = Pick<UseCaseDeps, 'objects' | 'now'>

/**
 * Appends to the trail of a case, and marks the case when it has ended. The controller does not
 * read settled cases; it finds the mark. A case that is known to have ended is marked before the
 * entry is written. A case that ended after it was read is marked afterwards: the trail contains
 * its end.
 *
 * @param append returns entries of the trail that include all earlier than the new one
 * @throws ServiceError TIMEOUT when the store is not reachable, and what `append` throws
 */
export async function appendAndMark<T extends { entries: readonly AuditEntry[] }>(
  { metadata, status }: SignatureCase,
  { objects, now }: MarkDeps,
  append: () => Promise<T>,
): Promise<T> {
  const key = { tenant: metadata.namespace, caseId: metadata.name }
  const mark = () => objects.putIfAbsent(grownTrailKey(key, now()), encodeJson({}), JSON_TYPE)
  const wasEnded = status !== undefined && hasEnded(status.phase)
  if (wasEnded) await mark()
  const appended = await append()
  if (!wasEnded && hasEndEvent(appended.entries)) await mark()
  return appended
}
