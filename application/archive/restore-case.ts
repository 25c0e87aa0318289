/**
 * Creates the resource of an archived case again from its record. Every step can be repeated. The
 * record stays: the resource counts, and the next archiving replaces the record.
 */
import {
  isRestoring,
  RESTORED_ANNOTATION,
  restoredCase,
  RESTORING_ANNOTATION,
  type ArchiveRecord,
} from '../../domain/cases/archive.ts'
import { withFinalizer } from '../../domain/cases/complete.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { AlreadyExistsError, ConflictError } from '../../domain/ports/stores.ts'
import type { CaseKey, CaseStore } from '../../domain/ports/stores.ts'
import { readArchive, type ReadArchiveDeps } from './archived-cases.ts'
import type { ArchiveDeps } from './archive-case.ts'

export interface RestoreDeps extends ReadArchiveDeps {
  cases: Pick<CaseStore, 'get' | 'create' | 'replaceSpec' | 'replaceStatus'>
  keyring: ArchiveDeps['keyring']
}

/** `absent`: there is neither a resource nor a record. `living`: there is nothing to restore. */
export type RestoreOutcome = 'restored' | 'living' | 'absent'

function annotated(signatureCase: SignatureCase, more: Record<string, string>): SignatureCase {
  const { metadata, ...rest } = signatureCase
  const annotations = { ...metadata.annotations, ...more }
  return { ...rest, metadata: { ...metadata, annotations } }
}

async function createAgain(
  record: ArchiveRecord,
  restoredAt: string | undefined,
  { cases }: RestoreDeps,
): Promise<SignatureCase> {
  try {
    return await cases.create(restoredCase(record, restoredAt))
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error
    throw new ConflictError(error.message, { cause: error })
  }
}

/** Writes the status, then the annotation that says that the resource has it. */
async function complete(
  living: SignatureCase,
  record: ArchiveRecord | undefined,
  { cases }: RestoreDeps,
): Promise<void> {
  let current = living
  if (record) {
    const observedGeneration = living.metadata.generation ?? 1
    const status = { ...record.status, observedGeneration }
    current = await cases.replaceStatus({ ...living, status })
  }
  await cases.replaceSpec(annotated(current, { [RESTORING_ANNOTATION]: 'false' }))
}

/**
 * Restores a case, or completes the restoring of a case whose resource exists.
 *
 * @param restoredAt ISO 8601; set by an operator who wants to keep the resource, so that it is not
 *   archived again at once. Without it, a living case stays as it is
 * @throws ConflictError when another writer was first; restore again
 */
export async function restoreCase(
  key: CaseKey,
  deps: RestoreDeps,
  restoredAt?: string,
): Promise<RestoreOutcome> {
  const { cases } = deps
  const found = await cases.get(key)
  if (found && !isRestoring(found)) {
    // An archiving that has begun finds another version of the resource, and stops.
    if (restoredAt !== undefined) {
      await cases.replaceSpec(
        withFinalizer(annotated(found, { [RESTORED_ANNOTATION]: restoredAt })),
      )
    }
    return 'living'
  }
  const stored = await readArchive(key, deps)
  if (!found && !stored?.record) return 'absent'
  const living = found ?? (await createAgain(stored?.record as ArchiveRecord, restoredAt, deps))
  await complete(living, stored?.record, deps)
  return 'restored'
}
