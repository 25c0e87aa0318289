/** What the signatures of a document forbid to later signers. */
import type { FormField } from './acro-form.ts'
import type { PdfDocument } from './document.ts'
import {
  type ModificationLevel,
  readSignatureRules,
  type SignatureRules,
  strictest,
} from './signature-rules.ts'

export interface SignaturePermissions {
  /** Signature fields with a value. */
  readonly signatures: number
  /** The strictest level of a certifying signature. */
  readonly certification?: ModificationLevel
  /** Whether an approval signature forbids new fields or changes to fields of any name. */
  readonly locked: boolean
}

/** Reads what the signatures in `fields` and in the catalog's `/Perms` permit. */
export function readPermissions(
  document: PdfDocument,
  fields: readonly FormField[],
): SignaturePermissions {
  const rules: SignatureRules[] = []
  for (const field of fields) {
    const signature = field.type === 'Sig' ? document.dictionary(field.value) : undefined
    if (signature) rules.push(readSignatureRules(document, signature, field.dictionary))
  }
  const signatures = rules.length
  const levels = rules.map((rule) => rule.certification)
  const permissions = document.dictionary(document.catalog.get('Perms'))
  const certifying = document.dictionary(permissions?.get('DocMDP'))
  if (certifying) {
    const named = readSignatureRules(document, certifying)
    rules.push(named)
    // A certifying signature without parameters permits what level 2 permits.
    levels.push(named.certification ?? 2)
  }
  const certification = strictest(levels)
  return {
    signatures,
    ...(certification !== undefined && { certification }),
    locked: rules.some(({ lock, locksOthers }) => locksOthers || lock === 1 || lock === 2),
  }
}
