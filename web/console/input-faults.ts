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

/** The value at a JSON Pointer (RFC 6901); names of the API have no characters to escape. */
const valueAt = (input: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], input)

/**
 * Faults that still hold for what is entered now: a value that was changed since it was sent is not
 * called wrong, unless it is required and missing. What is optional is left out of a request.
 *
 * @param faults as {@link inputFaults} returns them
 * @param sent the request that they are about
 * @param entered the request as it would be sent now
 */
export function remainingFaults(
  faults: Readonly<Record<string, string>>,
  sent: unknown,
  entered: unknown,
): Readonly<Record<string, string>> {
  const isRemaining = ([pointer]: [string, string]) => {
    const [before, now] = [valueAt(sent, pointer), valueAt(entered, pointer)]
    return now === '' || JSON.stringify(before) === JSON.stringify(now)
  }
  return Object.fromEntries(Object.entries(faults).filter(isRemaining))
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
