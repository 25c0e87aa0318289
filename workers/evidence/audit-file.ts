/** `audit.json`, the trail as it travels within the evidence PDF: all that its verifier needs. */
import { entryHash, NO_PREVIOUS, type AuditEntry, type Opening } from '../../domain/audit/entry.ts'

export const AUDIT_FILE_NAME = 'audit.json'
/** The entry that ends the embedded trail: it names the digest of the signed document. */
export const LAST_EMBEDDED_TYPE = 'case.finalised'
const INDENTATION = 1

export interface AuditFile {
  version: 1
  tenant: string
  caseId: string
  entries: readonly AuditEntry[]
  /** Personal values by event id, as far as they have not been erased. */
  openings: Readonly<Record<string, Opening>>
  /** Place and hash of the last entry. */
  head: { sequence: number; hash: string }
}

/** The trail up to and with `case.finalised`: what the evidence tells. */
export function embeddedEntries(entries: readonly AuditEntry[]): readonly AuditEntry[] {
  const end = entries.findIndex(({ type }) => type === LAST_EMBEDDED_TYPE)
  return end < 0 ? entries : entries.slice(0, end + 1)
}

/** The file's content, made of entries and of those openings that belong to them. */
export function auditFile(
  place: { tenant: string; caseId: string },
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
    tenant: place.tenant,
    caseId: place.caseId,
    entries,
    openings: Object.fromEntries(kept),
    head: { sequence: last?.sequence ?? 0, hash: last ? entryHash(last) : NO_PREVIOUS },
  }
}

/** UTF-8 JSON with line breaks: read by people, and hashed in its canonical form only. */
export function encodeAuditFile(file: AuditFile): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(file, undefined, INDENTATION)}\n`)
}
