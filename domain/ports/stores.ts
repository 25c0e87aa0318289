/** Where cases and their secrets live: the Kubernetes API on a cluster, SQLite on one machine. */
import type { SignatureCase } from '../cases/signature-case.ts'

/** Names one case: the tenant is its namespace, the id its `metadata.name` (a UUID). */
export interface CaseKey {
  tenant: string
  caseId: string
}

/** Another writer was first: read again and decide again. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError'
}

/** The name is taken. */
export class AlreadyExistsError extends Error {
  override readonly name = 'AlreadyExistsError'
}

/** A page of a listing; `continue` is set while more items remain. */
export interface Page<T> {
  items: T[]
  continue?: string
}

/**
 * `SignatureCase` resources with Kubernetes' semantics: spec and status are written apart, each by
 * compare-and-swap on `metadata.resourceVersion`; values read are copies that the caller may keep,
 * with the ids that their definition leaves out (`completed`).
 * Every call but `watch` fails with ServiceError `TIMEOUT` when the store is away or slow; what was
 * asked for may have happened all the same.
 */
export interface CaseStore {
  /**
   * Stores a new case; status is left out as by the API server.
   * @returns the case with `resourceVersion` and `creationTimestamp` set
   * @throws AlreadyExistsError
   */
  create(signatureCase: SignatureCase): Promise<SignatureCase>
  /** @returns undefined when there is none */
  get(key: CaseKey): Promise<SignatureCase | undefined>
  /**
   * Writes the facts in `spec` (and annotations, finalizers), leaving status as it is. Definition
   * and creation stay as they were stored.
   * @throws ConflictError when `resourceVersion` is not the newest, or the case is gone
   */
  replaceSpec(signatureCase: SignatureCase): Promise<SignatureCase>
  /**
   * Writes `status` alone.
   * @throws ConflictError when `resourceVersion` is not the newest, or the case is gone
   */
  replaceStatus(signatureCase: SignatureCase): Promise<SignatureCase>
  /**
   * Removes the case, or, where finalizers keep it, asks for that; one that is gone is no error.
   */
  delete(key: CaseKey): Promise<void>
  /**
   * Cases by pages of at most `limit`: those of one tenant in order of their names (code units), or
   * those of all in a stable order. A `continue` of one listing may be used again, with any limit.
   */
  list(options: { limit: number; tenant?: string; continue?: string }): Promise<Page<SignatureCase>>
  /**
   * Calls `onChange` with the key of every case created or changed from now on. It may miss changes
   * (a resync finds them) and may report one twice.
   * @returns ends the watch
   */
  watch(onChange: (key: CaseKey) => void): () => void
}
