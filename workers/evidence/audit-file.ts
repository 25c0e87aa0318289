/**
 * `audit.json`: the trail as embedded in the evidence PDF, with everything that a verifier needs.
 */
import { entryHash, NO_PREVIOUS, type AuditEntry, type Opening } from '../../domain/audit/entry.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'

export const AUDIT_FILE_NAME = 'audit.json'
/** Type of the last embedded entry; it contains the digest of the signed document. */
export const LAST_EMBEDDED_TYPE = 'case.finalised'
const INDENTATION = 1

export interface AuditFile {
  version: 1
  tenant: string
  caseId: string
  entries: readonly AuditEntry[]
  /** Personal values by event id, except those that were erased. */
  openings: Readonly<Record<string, Opening>>
  /** Sequence number and hash of the last entry. */
  head: { sequence: number; hash: string }
}

/** Returns the trail up to and including `case.finalised`. */
export function embeddedEntries(entries: readonly AuditEntry[]): readonly AuditEntry[] {
  const end = entries.findIndex(({ type }) => type === LAST_EMBEDDED_TYPE)
  return end < 0 ? entries : entries.slice(0, end + 1)
}

/** Builds the content of the file from entries and the openings that belong to them. */
export function auditFile(
  { tenant, caseId }: CaseKey,
  entries: readonly AuditEntry[],
  openings: Readonly<Record<string, Opening>>,
): AuditFile {
  const last = entries.at(-1)
  const kept = entries.flatMap(({ eventId }): [string, Opening][] => {
    const opening = openings[eventId]
    return opening ? [[eventId, opening]] : []
  })
  return {
    version: 1,
    tenant,
    caseId,
    entries,
    openings: Object.fromEntries(kept),
    head: { sequence: last?.sequence ?? 0, hash: last ? entryHash(last) : NO_PREVIOUS },
  }
}

/**
 * Encodes the file as UTF-8 JSON with line breaks for human readers. Hashes use the canonical form.
 */
export function encodeAuditFile(file: AuditFile): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(file, undefined, INDENTATION)}\n`)
}
