/** Which cases are shown to their tenants. */
import { isFromApi } from './complete.ts'
import type { SignatureCase } from './signature-case.ts'

/** As the controller names it. */
const SPEC_FAULT = 'specBreaksSchema'

/**
 * Whether the case can be shown: one that was applied past the API is there once the controller has
 * taken it up and found nothing wrong with it.
 */
export function isReadable(signatureCase: SignatureCase): boolean {
  if (isFromApi(signatureCase)) return true
  const { status, spec } = signatureCase
  const isInvalid = status?.conditions.some(
    ({ type, reason }) => type === 'Invalid' && reason === SPEC_FAULT,
  )
  return status !== undefined && spec.creation !== undefined && !isInvalid
}
