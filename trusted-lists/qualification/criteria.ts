/** Evaluates the criteria of a qualification for a certificate (TS 119 612, 5.5.9.2.2). */
import { type Certificate, certificatePolicies, subjectAttributeTypes } from '../../pades/index.ts'
import type { Criterion } from '../model.ts'

/** `undefined`: unknown, because a criterion is not supported. */
export type Verdict = boolean | undefined

const holdsAll = (required: readonly string[], present: readonly string[]) =>
  required.every((oid) => present.includes(oid))

/**
 * Three-valued logic: one false part decides `all`, one true part `atLeastOne`, regardless of
 * unknown parts.
 */
function combined(assert: 'all' | 'atLeastOne' | 'none', verdicts: readonly Verdict[]): Verdict {
  // A list without criteria says nothing about any certificate.
  if (verdicts.length === 0) return undefined
  const decisive = assert !== 'all'
  const isDecided = verdicts.includes(decisive)
  if (!isDecided && verdicts.includes(undefined)) return undefined
  const outcome = isDecided ? decisive : !decisive
  return assert === 'none' ? !outcome : outcome
}

/**
 * Whether a certificate meets a criterion.
 *
 * @returns undefined when that is unknown
 */
export function meets(certificate: Certificate, criterion: Criterion): Verdict {
  switch (criterion.kind) {
    case 'list':
      return combined(
        criterion.assert,
        criterion.criteria.map((it) => meets(certificate, it)),
      )
    case 'keyUsage':
      return criterion.bits.every(
        ({ bit, value }) => (certificate.keyUsage?.has(bit) ?? false) === value,
      )
    case 'policies':
      return holdsAll(criterion.oids, certificatePolicies(certificate))
    case 'extendedKeyUsage':
      return holdsAll(criterion.oids, certificate.extendedKeyUsage ?? [])
    case 'subjectAttributes':
      return holdsAll(criterion.oids, subjectAttributeTypes(certificate))
    case 'unknown':
      return undefined
  }
}
