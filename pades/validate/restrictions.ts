/**
 * What a signature forbids afterwards (ISO 32000-2, 12.8.2.2 DocMDP, 12.8.2.4 FieldMDP, 12.7.5.5
 * lock).
 */

import type { PdfDocument } from '../pdf/document.ts'
import { textOf } from '../pdf/acro-form.ts'
import type { PdfDictionary } from '../pdf/values.ts'
import type { FoundSignature } from './signature-fields.ts'

/** 1: no changes; 2: filling in fields that are there; 3: annotations as well. */
type Level = 1 | 2 | 3

export interface Restrictions {
  readonly docMdp?: Level
  readonly isCertification: boolean
  /** Whether a field of that full name must not change. */
  locks(fieldName: string): boolean
}

/** Reads the rules of one signature, in the state of the document that it closes. */
export function readRestrictions(document: PdfDocument, signature: FoundSignature): Restrictions {
  const levels: Level[] = []
  const rules: PdfDictionary[] = []
  let isCertification = false
  const references = signature.dictionary.get('Reference')
  for (const item of document.array(references) ?? [references]) {
    const reference = document.dictionary(item)
    const parameters = document.dictionary(reference?.get('TransformParams'))
    const method = document.name(reference?.get('TransformMethod'))
    if (method === 'DocMDP') {
      isCertification = true
      levels.push(levelIn(document, parameters) ?? 2)
    }
    if (method === 'FieldMDP') rules.push(parameters ?? new Map())
  }
  const lock = document.dictionary(signature.field.dictionary.get('Lock'))
  if (lock) {
    rules.push(lock)
    const level = levelIn(document, lock)
    if (level !== undefined) levels.push(level)
  }
  const [strictest] = levels.sort()
  return {
    ...(strictest !== undefined && { docMdp: strictest }),
    isCertification,
    locks: (name) => rules.some((rule) => isLocked(document, rule, name)),
  }
}

/** Reads `P`; what is not a level is taken as the strictest. */
function levelIn(document: PdfDocument, parameters: PdfDictionary | undefined): Level | undefined {
  const value = document.resolve(parameters?.get('P'))
  if (value === null) return undefined
  return value === 2 || value === 3 ? value : 1
}

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
