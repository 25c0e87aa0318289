/**
 * The port for the index of cases, which finds cases by state, text, e-mail address and time:
 * PostgreSQL on a cluster, SQLite on one machine (decision 233).
 */
import type { Phase } from '../cases/status.ts'
import type { CaseKey } from './stores.ts'

/** What the index has of a case. */
export interface CaseRow extends CaseKey {
  /** Milliseconds since 1970; it never changes. */
  createdMs: number
  /** State of the case when it was written. */
  phase: Phase
  /** When a case that has not ended expires, in milliseconds since 1970; absent: it does not. */
  expiresAtMs?: number
  /** Folded lines that a search looks through: id, title, and names and e-mail addresses. */
  text: string
  /** `resourceVersion` of the case, which grows with each write. */
  version: number
  /** The case is a record in the object store and no longer a resource. */
  isArchived: boolean
}

export const CASE_SORTS = ['ID', 'CREATED_ASC', 'CREATED_DESC'] as const
export type CaseSort = (typeof CASE_SORTS)[number]

/** Conditions that a case must meet; all of them. */
export interface CaseFilter {
  /** The case reads as one of these now. */
  phases?: readonly Phase[]
  /** Folded words that occur in its text. */
  words?: readonly string[]
  /** Folded e-mail address of a participant. */
  email?: string
  /** Milliseconds since 1970. */
  createdFromMs?: number
  /** Milliseconds since 1970; cases that were created then do not match. */
  createdBeforeMs?: number
  /** Only archived cases. */
  isArchived?: true
}

export interface CaseQuery {
  tenant: string
  filter: CaseFilter
  sort: CaseSort
  limit: number
  /** Milliseconds since 1970, for the state of cases that expire. */
  nowMs: number
  /** The last case of the page before. */
  after?: { caseId: string; createdMs: number } | undefined
}

export interface FoundCase {
  caseId: string
  createdMs: number
  isArchived: boolean
}

/**
 * Rows of cases. They only select: a listing reads each case and checks it, so a late or wrong row
 * can hide a case and cannot change what is shown of it.
 * Every call fails when the index is not reachable or too slow.
 */
export interface CaseIndex {
  /**
   * Writes rows. A row replaces the one of its case when its version is newer; of one version, the
   * row of an archived case is the newer one.
   */
  put(rows: readonly CaseRow[]): Promise<void>
  /**
   * Removes the row of a case; succeeds when there is none.
   *
   * @param which `living`: the row of an archived case stays
   */
  remove(key: CaseKey, which: 'living' | 'any'): Promise<void>
  /** Finds cases of one tenant, in the order of the query. */
  find(query: CaseQuery): Promise<FoundCase[]>
  /**
   * Lists the keys of cases that are not archived, in pages in a stable order.
   *
   * @param after the last key of the page before
   */
  listLiving(limit: number, after?: CaseKey): Promise<CaseKey[]>
}
