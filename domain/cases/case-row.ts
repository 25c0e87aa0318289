/** The row of a case in the index, and what a filter selects (decision 233). Pure. */
import { foldText } from '../fold-text.ts'
import type { CaseFilter, CaseRow } from '../ports/case-index.ts'
import { canExpire, hasEnded } from './lifecycle.ts'
import { isReadable } from './readable.ts'
import type { SignatureCase } from './signature-case.ts'
import type { Phase } from './status.ts'

/**
 * When a case that has not ended expires. Signatures are counted and not verified: a case with a
 * forged one is found as EXPIRED only after the controller has written that status.
 */
function expiryOf({ spec, status }: SignatureCase): number | undefined {
  const signed = new Set(spec.signatures.map(({ participantId }) => participantId))
  const everyoneSigned = spec.definition.participants.every(({ id }) => signed.has(id))
  const expiresAtMs = Date.parse(spec.definition.validUntil)
  return canExpire(status?.phase, everyoneSigned) ? expiresAtMs : undefined
}

/** Lines, so that an e-mail address can be found as a whole. An erased case has only its id. */
function textOf({ metadata, spec, status }: SignatureCase): string {
  const { title, participants } = spec.definition
  const personal = status?.erasure
    ? []
    : [title, ...participants.flatMap((one) => [`${one.firstName} ${one.lastName}`, one.email])]
  return `\n${[metadata.name, ...personal].map(foldText).join('\n')}\n`
}

/** @returns undefined for a case that tenants cannot see */
export function rowOf(signatureCase: SignatureCase): CaseRow | undefined {
  const { metadata, spec, status } = signatureCase
  if (!isReadable(signatureCase)) return undefined
  const createdMs = Date.parse(spec.creation.at)
  if (Number.isNaN(createdMs)) return undefined
  const settled = status?.phase ?? 'NEW'
  const phase = spec.cancellation && !hasEnded(settled) ? 'CANCELLED' : settled
  const expiresAtMs = hasEnded(phase) ? undefined : expiryOf(signatureCase)
  return {
    tenant: metadata.namespace,
    caseId: metadata.name,
    createdMs,
    phase,
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    text: textOf(signatureCase),
    version: Number(metadata.resourceVersion) || 0,
    isArchived: false,
  }
}

/** The state of the case at an instant, as far as its row shows it. */
export function phaseAt({ phase, expiresAtMs = Infinity }: CaseRow, nowMs: number): Phase {
  return nowMs >= expiresAtMs ? 'EXPIRED' : phase
}

/** Whether a case meets all conditions. */
export function meets(
  row: Pick<CaseRow, 'phase' | 'text' | 'createdMs'> & Partial<Pick<CaseRow, 'isArchived'>>,
  filter: CaseFilter,
): boolean {
  const { phase, text, createdMs, isArchived = false } = row
  const { phases, words = [], email } = filter
  if (filter.isArchived && !isArchived) return false
  const { createdFromMs = -Infinity, createdBeforeMs = Infinity } = filter
  if (phases && !phases.includes(phase)) return false
  if (createdMs < createdFromMs || createdMs >= createdBeforeMs) return false
  if (email !== undefined && !text.includes(`\n${email}\n`)) return false
  return words.every((word) => text.includes(word))
}
