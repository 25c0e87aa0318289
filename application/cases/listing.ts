/** What listings of cases by a scan and by the index have in common. */
import { meets, rowOf } from '../../domain/cases/case-row.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { CaseFilter, CaseSort } from '../../domain/ports/case-index.ts'
import type { UseCaseDeps } from '../deps.ts'
import { observeCase, type ObservedCase } from './read-case.ts'

export type ListDeps = Pick<UseCaseDeps, 'cases' | 'keyring' | 'now' | 'index'>

export interface Listing {
  tenant: string
  limit: number
  filter: CaseFilter
  sort: CaseSort
}

/**
 * Where a listing continues. A listing by id may continue with the index or with a scan, whichever
 * read the page before.
 */
export interface Position {
  /** Scan: a page of the store. */
  continue?: string
  /** The last case that was looked at. */
  after: string
  /** By time: its creation, in milliseconds since 1970. */
  createdMs?: number
}

export interface Found {
  cases: ObservedCase[]
  next?: Position
}

/** Returns the case as it reads now when it meets the filter, otherwise undefined. */
export function observeMatch(
  signatureCase: SignatureCase,
  filter: CaseFilter,
  deps: ListDeps,
): ObservedCase | undefined {
  const row = rowOf(signatureCase)
  if (!row) return undefined
  const seen = observeCase(signatureCase, deps)
  return meets({ ...row, phase: seen.view.phase }, filter) ? seen : undefined
}
