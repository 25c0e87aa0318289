/**
 * What the signatures of a document forbid to later signers (ISO 32000-2, 12.8.2.2 DocMDP,
 * 12.8.2.4 FieldMDP, 12.7.5.5 signature field lock).
 */
import type { FormField } from './acro-form.ts'
import type { PdfDocument } from './document.ts'
import type { PdfDictionary } from './values.ts'

/** 1: no changes; 2: filling in and signing fields that are there; 3: annotations as well. */
export type ModificationLevel = 1 | 2 | 3

export interface SignaturePermissions {
  /** Signature fields with a value. */
  readonly signatures: number
  /** The strictest level of a certifying signature. */
  readonly certification?: ModificationLevel
  /** Whether an approval signature forbids new fields or changes to fields of any name. */
  readonly locked: boolean
}

interface Findings {
  certification?: ModificationLevel
  locked: boolean
}

/** Reads what the signatures in `fields` and in the catalog's `/Perms` permit. */
export function readPermissions(
  document: PdfDocument,
  fields: readonly FormField[],
): SignaturePermissions {
  const findings: Findings = { locked: false }
  let signatures = 0
  for (const field of fields) {
    if (field.type !== 'Sig') continue
    const signature = document.dictionary(field.value)
    if (!signature) continue
    signatures += 1
    readTransforms(document, signature, findings)
    const lock = document.dictionary(field.dictionary.get('Lock'))
    if (lock && (locksUnknownFields(document, lock) || isStrict(levelOf(document, lock)))) {
      findings.locked = true
    }
  }
  const certifying = document.dictionary(
    document.dictionary(document.catalog.get('Perms'))?.get('DocMDP'),
  )
  if (certifying) {
    readTransforms(document, certifying, findings)
    // A certifying signature without parameters permits what level 2 permits.
    findings.certification ??= 2
  }
  return { signatures, ...findings }
}

function readTransforms(document: PdfDocument, signature: PdfDictionary, findings: Findings): void {
  for (const item of document.array(signature.get('Reference')) ?? []) {
    const reference = document.dictionary(item)
    const parameters = document.dictionary(reference?.get('TransformParams'))
    const method = document.name(reference?.get('TransformMethod'))
    if (method === 'DocMDP') {
      const level = (parameters && levelOf(document, parameters)) ?? 2
      findings.certification = strictest(findings.certification, level)
    }
    if (method === 'FieldMDP' && parameters && locksUnknownFields(document, parameters)) {
      findings.locked = true
    }
  }
}

/** `All` locks every field, `Exclude` every one that is not named; `Include` only those named. */
function locksUnknownFields(document: PdfDocument, rule: PdfDictionary): boolean {
  const action = document.name(rule.get('Action'))
  return action === 'All' || action === 'Exclude'
}

function levelOf(document: PdfDocument, rule: PdfDictionary): ModificationLevel | undefined {
  const level = document.integer(rule.get('P'))
  return level === 1 || level === 2 || level === 3 ? level : undefined
}

function strictest(a: ModificationLevel | undefined, b: ModificationLevel): ModificationLevel {
  return a === undefined || b < a ? b : a
}

function isStrict(level: ModificationLevel | undefined): boolean {
  return level === 1 || level === 2
}
