/** Violated rules of a request, by the field that they are about. */
import type { ConsoleTexts } from '../texts/console-en.ts'
import type { RuleFault } from './api.ts'

const PLACES = /^(\/participants\/\d+\/signatureFields)(\/.*)?$/

/** The field of a rule: a JSON Pointer, for a missing member that of the member. */
function pointerOf({ instancePath, keyword, params }: RuleFault): string {
  const missing = keyword === 'required' ? params['missingProperty'] : undefined
  const pointer = missing === undefined ? instancePath : `${instancePath}/${String(missing)}`
  return PLACES.exec(pointer)?.[1] ?? pointer
}

type Sentence =
  'ruleRequired' | 'ruleFormat' | 'ruleLength' | 'ruleFuture' | 'ruleInside' | 'rulePhone'

const SENTENCES: Readonly<Record<string, Sentence>> = {
  required: 'ruleRequired',
  minLength: 'ruleRequired',
  format: 'ruleFormat',
  visibleText: 'ruleFormat',
  maxLength: 'ruleLength',
  future: 'ruleFuture',
  insidePage: 'ruleInside',
  minimumSize: 'ruleInside',
  phoneNumber: 'rulePhone',
}

/** Sentences by JSON Pointer; the first rule of a field counts. */
export function inputFaults(
  texts: ConsoleTexts,
  faults: readonly RuleFault[],
): Readonly<Record<string, string>> {
  const sentences: Record<string, string> = {}
  for (const fault of faults) {
    const sentence = SENTENCES[fault.keyword]
    const text = sentence ? texts[sentence] : texts.ruleOther(fault.message)
    sentences[pointerOf(fault)] ??= text
  }
  return sentences
}
