/** The sentence about a valid document that anybody understands. */
import type { Texts } from '../texts/en.ts'
import { namesIn } from '../texts/names.ts'
import type { Language } from '../texts/plural.ts'
import { dayIn } from '../texts/times.ts'
import type { Verdict } from './verdict.ts'

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
