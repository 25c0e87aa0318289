/** Whether signatures are qualified by EU law, as far as a report establishes it. */
import type { ValidationReport } from '../../domain/contract/validation-report.ts'
import type { Texts } from '../texts/en.ts'
import { isSeal, type SignatureReport } from './verdict.ts'

type Qualified = 'yes' | 'no' | 'unknown'

/**
 * `no` for a level of the trusted lists that is below, and for certificates of this service, which
 * does not issue qualified ones.
 */
function qualifiedOf({ qualification, certificateChain }: SignatureReport): Qualified {
  const level = qualification?.level ?? 'NA'
  if (level === 'QESig' || level === 'QESeal') return 'yes'
  if (level.startsWith('Indeterminate')) return 'unknown'
  if (level !== 'NA') return 'no'
  const isOwn = certificateChain.at(-1)?.trustAnchor?.source === 'service-root'
  return isOwn ? 'no' : 'unknown'
}

/** The words for one signature or seal. */
export function qualificationWords(signature: SignatureReport, texts: Texts): string {
  const level = signature.qualification?.level ?? 'NA'
  const seal = isSeal(signature)
  switch (qualifiedOf(signature)) {
    case 'yes':
      return seal ? texts.qualifiedSeal : texts.qualifiedSignature
    case 'no':
      if (level !== 'NA') return texts.qualificationOther(level)
      return seal ? texts.notQualifiedSeal : texts.notQualifiedSignature
    default:
      return level === 'NA'
        ? texts.qualificationUnknown
        : `${texts.qualificationUnknown} (${level})`
  }
}

/** The sentence about the signatures of all people; undefined when nobody signed. */
export function qualificationVerdict(report: ValidationReport, texts: Texts): string | undefined {
  const people = report.signatures.filter((one) => !isSeal(one))
  if (people.length === 0) return undefined
  const count = people.length
  const found = new Set(people.map(qualifiedOf))
  if (found.has('yes'))
    return found.size === 1 ? texts.verdictQualified(count) : texts.verdictPartlyQualified
  return found.has('unknown')
    ? texts.verdictQualificationUnknown(count)
    : texts.verdictNotQualified(count)
}
