/**
 * What a signature forbids afterwards (ISO 32000-2, 12.8.2.2 DocMDP, 12.8.2.4 FieldMDP, 12.7.5.5
 * signature field lock). What is not written as these clauses say forbids as much as it can,
 * because readers take it differently.
 */
import { textOf } from './acro-form.ts'
import type { PdfDocument } from './document.ts'
import type { PdfDictionary } from './values.ts'

/** 1: no changes; 2: filling in and signing fields that are there; 3: annotations as well. */
export type ModificationLevel = 1 | 2 | 3

export interface SignatureRules {
  /** The strictest level of its DocMDP transforms; undefined for an approval signature. */
  readonly certification: ModificationLevel | undefined
  /** Level of the lock of its field. */
  readonly lock: ModificationLevel | undefined
  /** The stricter one of both. */
  readonly docMdp: ModificationLevel | undefined
  /** Whether a field of that full name must not change. */
  locks(fieldName: string): boolean
  /** Whether fields of names that it does not know must not change. */
  readonly locksOthers: boolean
}

/** Which fields a FieldMDP transform or a field lock forbids to change. */
interface FieldRule {
  readonly locksOthers: boolean
  /** Full names of fields; the opposite of `locksOthers` holds for them and for those below. */
  readonly fields: readonly string[]
}

const ALL_FIELDS: FieldRule = { locksOthers: true, fields: [] }

/**
 * Reads the rules of one signature, in the state of the document that it closes.
 *
 * @param signature its signature dictionary
 * @param field the dictionary of its field; absent when only the catalog leads to the signature
 */
export function readSignatureRules(
  document: PdfDocument,
  signature: PdfDictionary,
  field?: PdfDictionary,
): SignatureRules {
  const levels: ModificationLevel[] = []
  const fieldRules: FieldRule[] = []
  const references = signature.get('Reference')
  for (const item of document.array(references) ?? [references]) {
    const reference = document.dictionary(item)
    const parameters = document.dictionary(reference?.get('TransformParams'))
    const method = document.name(reference?.get('TransformMethod'))
    if (method === 'DocMDP') levels.push(levelIn(document, parameters) ?? 2)
    if (method === 'FieldMDP') fieldRules.push(fieldRuleOf(document, parameters))
  }
  const fieldLock = document.dictionary(field?.get('Lock'))
  if (fieldLock) fieldRules.push(fieldRuleOf(document, fieldLock))
  const certification = strictest(levels)
  const lock = levelIn(document, fieldLock)
  return {
    certification,
    lock,
    docMdp: strictest([certification, lock]),
    locks: (name) => fieldRules.some((rule) => rule.locksOthers !== names(rule, name)),
    locksOthers: fieldRules.some((rule) => rule.locksOthers),
  }
}

/** @returns undefined when there is none */
export function strictest(
  levels: readonly (ModificationLevel | undefined)[],
): ModificationLevel | undefined {
  return levels.filter((level) => level !== undefined).sort()[0]
}

/** Reads `P`; what is not a level is taken as the strictest. */
function levelIn(
  document: PdfDocument,
  parameters: PdfDictionary | undefined,
): ModificationLevel | undefined {
  const value = document.resolve(parameters?.get('P'))
  if (value === null) return undefined
  return value === 2 || value === 3 ? value : 1
}

function fieldRuleOf(document: PdfDocument, rule: PdfDictionary | undefined): FieldRule {
  const action = document.name(rule?.get('Action'))
  if (action !== 'Include' && action !== 'Exclude') return ALL_FIELDS
  const fields = document.array(rule?.get('Fields'))?.map((item) => textOf(document.resolve(item)))
  if (!fields?.every((name) => name !== undefined)) return ALL_FIELDS
  return { locksOthers: action === 'Exclude', fields }
}

function names({ fields }: FieldRule, name: string): boolean {
  return fields.some((field) => field === name || name.startsWith(`${field}.`))
}
