/** Sums up a document and the reports on its signatures (EN 319 102-1, 5). */

import { Buffer } from 'node:buffer'
import type { Indication } from '../findings.ts'
import type { PdfDocument } from '../pdf/document.ts'
import type { RangeDigests } from './digests.ts'
import type {
  DocumentTimeStampReport,
  ModificationsReport,
  SignatureReport,
  ValidationReport,
} from './report.ts'
import type { ValidationPolicy } from './validation-context.ts'

const POLICY = { id: 'sigcase-strict', version: 2 } as const

interface Summarised {
  readonly document: PdfDocument
  readonly digests: RangeDigests
  readonly validationTime: Date
  readonly unsignedTailBytes: number
  readonly permitsFormFilling: boolean
  /** Undefined: the built-in one. */
  readonly policy: ValidationPolicy | undefined
}

const WORST_FIRST: readonly Indication[] = ['TOTAL_FAILED', 'INDETERMINATE', 'TOTAL_PASSED']

/** What is said of the document as a whole, and its signatures and document time-stamps. */
export function summarise(
  summarised: Summarised,
  { signatures, documentTimestamps }: Pick<ValidationReport, 'signatures' | 'documentTimestamps'>,
): ValidationReport {
  const { document, digests, validationTime, unsignedTailBytes, permitsFormFilling } = summarised
  const policy = summarised.policy ?? POLICY
  const all = [...signatures, ...documentTimestamps]
  const indication = WORST_FIRST.find((worst) => all.some((one) => one.indication === worst))
  return {
    reportVersion: 1,
    validationTime: validationTime.toISOString(),
    policy: { ...policy, formFilling: permitsFormFilling ? 'permitted' : 'notPermitted' },
    document: {
      size: document.bytes.length,
      sha256: Buffer.from(digests.whole('sha256')).toString('hex'),
      ...pdfVersion(document),
      revisions: document.sections.length,
      encrypted: document.isEncrypted,
      unsignedTailBytes,
    },
    summary: {
      ...(indication && { indication }),
      signaturesCount: signatures.length,
      validSignaturesCount: signatures.filter((one) => one.indication === 'TOTAL_PASSED').length,
      documentModifiedAfterSigning: modifiedAfterSigning(document, all),
    },
    signatures,
    documentTimestamps,
  }
}

/** Findings after which readers may show different states of the document. */
const AMBIGUOUS_KEYS: ReadonlySet<string> = new Set([
  'SYNTAX_AMBIGUOUS',
  'LINEARIZED_LATER',
  'END_NOT_FOUND_BY_ALL',
])

/** The changes of a document that readers may interpret differently are unknown. */
function modifiedAfterSigning(
  document: PdfDocument,
  reports: readonly (SignatureReport | DocumentTimeStampReport)[],
): ValidationReport['summary']['documentModifiedAfterSigning'] {
  const modifications = reports.map((report) => report.modifications)
  if (document.repaired && modifications.length > 0) return 'unknown'
  const isRefused = (modification: ModificationsReport) =>
    modification.level === 'OTHER' || modification.changes.some(({ permitted }) => !permitted)
  if (modifications.some(isRefused)) return 'notPermitted'
  const isAmbiguous = reports.some(({ errors }) =>
    errors.some(({ key }) => AMBIGUOUS_KEYS.has(key)),
  )
  if (isAmbiguous) return 'unknown'
  return modifications.some(({ level }) => level !== 'NONE') ? 'permitted' : 'none'
}

function pdfVersion(document: PdfDocument): { pdfVersion?: string } {
  const { bytes, headerOffset } = document
  const header = bytes.toString('latin1', headerOffset, headerOffset + 16)
  const inCatalog = document.name(document.catalog.get('Version'))
  const version = inCatalog ?? /^%PDF-(\d\.\d)/.exec(header)?.[1]
  return version === undefined ? {} : { pdfVersion: version }
}
