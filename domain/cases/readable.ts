/** Which cases are shown to their tenants. */
import { isFromApi } from './complete.ts'
import type { SignatureCase } from './signature-case.ts'

/** The reason that the controller gives. */
const SPEC_FAULT = 'specBreaksSchema'

/**
 * Whether the case can be shown. A case that was applied without the API can be shown once the
 * controller has accepted it and found no fault.
 */
export function isReadable(signatureCase: SignatureCase): boolean {
  if (isFromApi(signatureCase)) return true
  const { status, spec } = signatureCase
  const isInvalid = status?.conditions.some(
    ({ type, reason }) => type === 'Invalid' && reason === SPEC_FAULT,
  )
  return status !== undefined && spec.creation !== undefined && !isInvalid
}
