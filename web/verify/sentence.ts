/** What the page says first, in words that anybody understands. */
import type { ValidationReport } from '../../domain/contract/validation-report.ts'
import type { Texts } from '../texts/en.ts'
import { namesIn } from '../texts/names.ts'
import type { Language } from '../texts/plural.ts'
import { dayIn } from '../texts/times.ts'
import type { Verdict, VerdictKind } from './verdict.ts'

/** Names of the texts of a verdict. */
type Words = Readonly<{ heading: keyof Texts; text: keyof Texts }>

const WORDS: Readonly<Record<Exclude<VerdictKind, 'genuine'>, Words>> = {
  unsigned: { heading: 'verdictUnsigned', text: 'verdictUnsignedText' },
  changed: { heading: 'verdictChanged', text: 'verdictChangedText' },
  invalid: { heading: 'verdictInvalid', text: 'verdictInvalidText' },
  untrusted: { heading: 'verdictUntrusted', text: 'verdictUntrustedText' },
  uncertain: { heading: 'verdictUncertain', text: 'verdictUncertainText' },
}

/** The texts about a document; undefined for a valid one, which has a sentence of its own. */
export function wordsOf(
  { kind }: Verdict,
  { signatures }: Pick<ValidationReport, 'signatures'>,
): Words | undefined {
  if (kind === 'genuine') return undefined
  // A time-stamp is not a signature.
  const isOnlyStamped = kind === 'changed' && signatures.length === 0
  return isOnlyStamped ? { ...WORDS.changed, heading: 'verdictChangedStamped' } : WORDS[kind]
}

/** Who signed, on which day if that is proven, and that the document is as it was. */
export function sentenceOf(
  { names, isSealed, lastAt }: Verdict,
  texts: Texts,
  language: Language,
): string {
  const day = lastAt === undefined ? undefined : dayIn(language, lastAt)
  if (names.length === 0) return texts.verdictSealed(day)
  const known = names.map((name) => name ?? texts.signatureUnknown)
  const signers = { who: namesIn(language, known), day, isOne: names.length === 1 }
  return isSealed ? texts.verdictSignedAndSealed(signers) : texts.verdictSigned(signers)
}
