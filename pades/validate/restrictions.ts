/**
 * What a signature forbids afterwards (ISO 32000-2, 12.8.2.2 DocMDP, 12.8.2.4 FieldMDP, 12.7.5.5
 * lock).
 */

import type { PdfDocument } from '../pdf/document.ts'
import { textOf } from '../pdf/acro-form.ts'
import type { PdfDictionary } from '../pdf/values.ts'
import type { FoundSignature } from './signature-fields.ts'

export interface Restrictions {
  /** 1: no changes; 2: filling in fields that are there; 3: annotations as well. */
  readonly docMdp?: 1 | 2 | 3
  readonly isCertification: boolean
  /** Whether a field of that full name must not change. */
  locks(fieldName: string): boolean
}

/** Reads the rules of one signature, in the state of the document that it closes. */
export function readRestrictions(document: PdfDocument, signature: FoundSignature): Restrictions {
  const levels: number[] = []
  const rules: PdfDictionary[] = []
  let isCertification = false
  for (const item of document.array(signature.dictionary.get('Reference')) ?? []) {
    const reference = document.dictionary(item)
    const parameters = document.dictionary(reference?.get('TransformParams'))
    const method = document.name(reference?.get('TransformMethod'))
    if (method === 'DocMDP') {
      isCertification = true
      levels.push(document.integer(parameters?.get('P')) ?? 2)
    }
    if (method === 'FieldMDP' && parameters) rules.push(parameters)
  }
  const lock = document.dictionary(signature.field.dictionary.get('Lock'))
  if (lock) {
    rules.push(lock)
    const level = document.integer(lock.get('P'))
    if (level !== undefined) levels.push(level)
  }
  const strictest = levels.length > 0 ? Math.min(...levels) : undefined
  const docMdp = strictest === undefined ? {} : { docMdp: levelOf(strictest) }
  return {
    ...docMdp,
    isCertification,
    locks: (name) => rules.some((rule) => isLocked(document, rule, name)),
  }
}

/** What is not a level is taken as the strictest. */
const levelOf = (level: number): 1 | 2 | 3 => (level === 2 || level === 3 ? level : 1)

function isLocked(document: PdfDocument, rule: PdfDictionary, name: string): boolean {
  const fields = (document.array(rule.get('Fields')) ?? []).map((item) =>
    textOf(document.resolve(item)),
  )
  const isNamed = fields.some(
    (field) => field !== undefined && (field === name || name.startsWith(`${field}.`)),
  )
  switch (document.name(rule.get('Action'))) {
    case 'Include':
      return isNamed
    case 'Exclude':
      return !isNamed
    default:
      return true
  }
}
