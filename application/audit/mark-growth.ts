/** Marks ended cases whose audit trail grows, so that it is sealed again (decision 213). */
import { grownTrailKey } from '../../domain/cases/keys.ts'
import { hasEnded } from '../../domain/cases/lifecycle.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { JSON_TYPE } from '../../domain/media-types.ts'
import type { UseCaseDeps } from '../deps.ts'

/**
 * Marks a case that has ended, before an entry is appended to its trail. The controller does not
 * read settled cases; it finds the mark.
 *
 * @throws ServiceError TIMEOUT when the store is not reachable
 */
export async function markGrowth(
  { metadata, status }: SignatureCase,
  { objects, now }: Pick<UseCaseDeps, 'objects' | 'now'>,
): Promise<void> {
  if (!status || !hasEnded(status.phase)) return
  const key = { tenant: metadata.namespace, caseId: metadata.name }
  await objects.putIfAbsent(grownTrailKey(key, now()), encodeJson({}), JSON_TYPE)
}
