/** Validates the signatures that an upload carries, to warn its tenant (intake). */
import {
  MAXIMUM_DOCUMENT_WARNINGS,
  MAXIMUM_FIELD_NAME_LENGTH,
  type DocumentWarning,
} from '../domain/cases/document-warnings.ts'
import type { CoreReport } from '../domain/contract/validation-report.ts'
import { SandboxBusyError, type ValidationVerdict } from '../domain/ports/pdf-sandbox.ts'
import type { WorkerDeps } from './deps.ts'

/** A validation takes about 100 ms; participants wait for intake. */
const VALIDATION_LIMIT_MS = 10_000

/** Sub-indications of EN 319 102-1 that are independent of trust. */
const BROKEN = ['FORMAT_FAILURE', 'HASH_FAILURE', 'SIG_CRYPTO_FAILURE']
/** Key of the finding (`pades/findings.ts`). */
const CHANGED = 'MODIFIED_AFTER_SIGNING'

/** Characters that could move the cursor of a terminal or reorder text. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu

type Result = Pick<
  CoreReport['signatures'][number],
  'fieldName' | 'indication' | 'subIndication' | 'errors'
>

function codeOf({ indication, subIndication = '', errors }: Result) {
  if (indication === 'TOTAL_FAILED' && BROKEN.includes(subIndication)) return 'SIGNATURE_BROKEN'
  return errors.some(({ key }) => key === CHANGED) ? 'CHANGED_AFTER_SIGNING' : undefined
}

const printable = (name: string) =>
  name.toWellFormed().replace(CONTROLS, '\ufffd').slice(0, MAXIMUM_FIELD_NAME_LENGTH).toWellFormed()

function warningsOf({ signatures, documentTimestamps }: CoreReport): DocumentWarning[] {
  const all: readonly Result[] = [...signatures, ...documentTimestamps]
  const warnings = all.flatMap((one) => {
    const code = codeOf(one)
    if (!code) return []
    const fieldName = printable(one.fieldName)
    // A PDF may give a field no name, and the status of a case has no empty text.
    return [{ code, ...(fieldName !== '' && { fieldName }) } as const]
  })
  return warnings.slice(0, MAXIMUM_DOCUMENT_WARNINGS)
}

/**
 * Returns the problems of the signatures that a PDF carries. Trust is not judged: the service does
 * not know whose signatures the tenant expects.
 *
 * @param pdf accepted by the sandbox, with signatures
 * @throws Error when the sandbox itself fails; a validation that takes too long is a warning
 */
export async function checkExistingSignatures(
  pdf: Uint8Array,
  { sandbox, now }: Pick<WorkerDeps, 'now'> & { sandbox: Pick<WorkerDeps['sandbox'], 'validate'> },
): Promise<DocumentWarning[]> {
  const request = { trustAnchors: [], validationTime: now() }
  let verdict: ValidationVerdict
  try {
    verdict = await sandbox.validate(pdf, request, VALIDATION_LIMIT_MS)
  } catch (error) {
    if (!(error instanceof SandboxBusyError)) throw error
    return [{ code: 'SIGNATURES_NOT_CHECKED' }]
  }
  if (verdict.outcome !== 'validated') return [{ code: 'SIGNATURES_NOT_CHECKED' }]
  return warningsOf(verdict.validation.report)
}
