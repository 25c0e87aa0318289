/**
 * Checks the object at the evidence key, which another writer may have put there (decision 171).
 */
import type { AuditEntry } from '../../domain/audit/entry.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { embeddedFiles, PadesError } from '../../pades/index.ts'
import { AUDIT_FILE_NAME, embeddedEntries, type AuditFile } from '../evidence/audit-file.ts'
import { InvalidOutputError, ownRootDigests, readOwnOutput, type OwnOutput } from './own-output.ts'
import { SEAL_FIELD_NAME } from './signers.ts'
import type { FinaliseDeps } from './signed-by-all.ts'

/** Whether the attachment `audit.json` is the trail of this case up to `case.finalised`. */
function carriesTrail(pdf: Uint8Array, key: CaseKey, entries: readonly AuditEntry[]): boolean {
  const bytes = embeddedFiles(pdf).get(AUDIT_FILE_NAME)
  if (!bytes) return false
  const file = JSON.parse(new TextDecoder().decode(bytes)) as Partial<AuditFile>
  const isOfCase = file.tenant === key.tenant && file.caseId === key.caseId
  const expected = canonicalJson(embeddedEntries(entries))
  return isOfCase && canonicalJson(file.entries ?? []) === expected
}

/**
 * Reads stored evidence, which must have exactly one signature, the service's seal, and contain the
 * trail.
 *
 * @param entries verified entries of the case
 * @returns undefined when this service did not make it for this trail
 * @throws Error when a key cannot be reached
 */
export async function readOwnEvidence(
  stored: { bytes: Uint8Array },
  { key, entries }: { key: CaseKey; entries: readonly AuditEntry[] },
  deps: FinaliseDeps,
): Promise<OwnOutput | undefined> {
  try {
    const output = await readOwnOutput(stored, 0, deps)
    const [seal, another] = output.signatures
    const roots = await ownRootDigests(deps.signingDevice)
    const isSealed = seal?.fieldName === SEAL_FIELD_NAME && roots.has(seal.rootSha256) && !another
    return isSealed && carriesTrail(stored.bytes, key, entries) ? output : undefined
  } catch (error) {
    const isUnreadable = error instanceof InvalidOutputError || error instanceof PadesError
    if (isUnreadable || error instanceof SyntaxError) return undefined
    throw error
  }
}
