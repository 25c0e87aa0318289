/** Finds out which part of a document this service issued. */
import { issuedKey } from '../../domain/cases/keys.ts'
import { type ValidationReport } from '../../domain/contract/validation-report.ts'
import { type SandboxValidation } from '../../domain/ports/pdf-sandbox.ts'
import type { WorkerDeps } from '../deps.ts'
import { readWorkerResult } from '../../application/store/stored-results.ts'

/** Limit of signed revisions to look up, newest first. */
const MAXIMUM_REVISIONS = 100

const endOf = ([, , start = 0, length = 0]: readonly number[]) => start + length

/**
 * Finds the newest revision that this service issued (never by a name) and in which a signature of
 * this service is valid.
 *
 * @returns the offset behind the revision; undefined when there is none
 */
export async function findIssuedEnd(
  { signatures }: Pick<ValidationReport, 'signatures'>,
  { revisions }: SandboxValidation,
  deps: Pick<WorkerDeps, 'objects' | 'keyring' | 'alarm'>,
): Promise<number | undefined> {
  const ends = signatures.flatMap(({ indication, certificateChain, integrity }) => {
    const isOwn = certificateChain.at(-1)?.trustAnchor?.source === 'service-root'
    return isOwn && indication === 'TOTAL_PASSED' ? [endOf(integrity.byteRange)] : []
  })
  const newestFirst = [...revisions].sort((a, b) => b.end - a.end).slice(0, MAXIMUM_REVISIONS)
  for (const { end, sha256 } of newestFirst) {
    if (!ends.some((signed) => signed <= end)) continue
    const entry = await readWorkerResult(issuedKey(sha256), { object: 'issued' }, deps)
    if (entry?.value) return end
  }
  return undefined
}
