/** The port for cases: the Kubernetes API on a cluster, SQLite on one machine. */
import type { SignatureCase } from '../cases/signature-case.ts'
import type { Phase } from '../cases/status.ts'
import type { Durability } from './object-store.ts'

/** Identifies one case: the tenant is its namespace, the id its `metadata.name` (a UUID). */
export interface CaseKey {
  tenant: string
  caseId: string
}

/** Another writer was first; the caller has to read and decide again. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError'
}

/** The name is already in use. */
export class AlreadyExistsError extends Error {
  override readonly name = 'AlreadyExistsError'
}

/**
 * Which finished cases (`finishedOf`) a listing leaves out. A time is in milliseconds since 1970,
 * or minus infinity.
 */
export interface LeftOut {
  /** Those that ended at this time or later, … */
  endedFromMs: number
  /** … unless they have a delivery log and were created before this time. */
  createdFromMs: number
}

/** A page of a listing; `continue` is set while more items remain. */
export interface Page<T> {
  items: T[]
  continue?: string
  /** On the first page: how many cases the listing leaves out, by phase; absent: none. */
  leftOut?: ReadonlyMap<Phase, number>
  /** About how many items follow this page, when the store knows it. */
  remaining?: number
}

/**
 * `SignatureCase` resources with Kubernetes semantics. Spec and status are written separately, each
 * by compare-and-swap on `metadata.resourceVersion`. Returned values are copies that the caller may
 * keep, with the ids that their definition leaves out (`completed`).
 * Every call except `watch` fails with ServiceError `TIMEOUT` when the store is not reachable or
 * too slow; the operation may have succeeded nevertheless.
 */
export interface CaseStore {
  /**
   * Stores a new case; like the API server, it ignores the status.
   *
   * @returns the case with `resourceVersion` and `creationTimestamp` set
   * @throws AlreadyExistsError
   */
  create(signatureCase: SignatureCase): Promise<SignatureCase>
  /** @returns undefined when it does not exist */
  get(key: CaseKey): Promise<SignatureCase | undefined>
  /**
   * Writes the facts in `spec` (and annotations, finalizers, labels) and leaves the status
   * unchanged. A store without label selectors does not keep labels.
   * Definition and creation cannot be changed.
   *
   * @throws ConflictError when `resourceVersion` is not the newest, or the case is gone
   */
  replaceSpec(signatureCase: SignatureCase): Promise<SignatureCase>
  /**
   * Writes only `status`.
   *
   * @param durability `later` only for what the next run finds again by itself; absent: `now`. A
   *   store may always write `now`
   * @throws ConflictError when `resourceVersion` is not the newest, or the case is gone
   */
  replaceStatus(signatureCase: SignatureCase, durability?: Durability): Promise<SignatureCase>
  /**
   * Deletes the case, or requests that while finalizers keep it; succeeds even if it is gone.
   *
   * @param version deletes only this `resourceVersion`; without it, any
   * @throws ConflictError when `version` is given and is not the newest; not when the case is gone
   */
  delete(key: CaseKey, version?: string): Promise<void>
  /**
   * Lists cases in pages of at most `limit`: those of one tenant in order of their names (code
   * units), or those of all tenants in a stable order. A `continue` of a listing may be used again,
   * with any limit.
   *
   * @param options.leaveOut for all tenants only; a store may list such cases nevertheless
   */
  list(options: {
    limit: number
    tenant?: string
    continue?: string
    leaveOut?: LeftOut
  }): Promise<Page<SignatureCase>>
  /**
   * Calls `onChange` for every case that is created or changed from now on. It may miss changes (a
   * resync finds them) and may report a change twice.
   *
   * @returns a function that ends the watch
   */
  watch(onChange: OnChange): () => void
}

/**
 * @param version the new `resourceVersion`, by which a writer recognises its own changes
 * @param isNew the API has just created the case; nothing has happened to it since
 * @param read returns the case of this version; absent: the case is gone, or has to be read
 */
export type OnChange = (
  key: CaseKey,
  version?: string,
  isNew?: boolean,
  read?: () => SignatureCase,
) => void
