/**
 * Checks results with the strict validation of this repository; only valid results count.
 */
import { validateSignatures } from '../pades/index.ts'
import * as pki from '../test/fixtures/pki.ts'

async function validateDocument(signed: Uint8Array, count: number, validationTime: Date) {
  const report = await validateSignatures(signed, {
    trustAnchors: pki.trustAnchors,
    validationTime,
    // Documents without a seal have no validation data; certificates issued here are not revoked.
    acceptUncheckedRevocation: true,
  })
  const { signatures } = report
  const fault =
    signatures.length === count ? undefined : `${signatures.length} signatures instead of ${count}`
  return { signatures, fault }
}

/**
 * @param count how many signatures the file must have
 * @param validationTime within the life of the certificates
 * @returns description of the fault, or undefined
 */
export async function findInvalidity(
  signed: Uint8Array,
  count: number,
  validationTime: Date = pki.NOW,
): Promise<string | undefined> {
  const { signatures, fault } = await validateDocument(signed, count, validationTime)
  const bad = signatures.find(({ indication }) => indication !== 'TOTAL_PASSED')
  if (!bad) return fault
  const why = bad.errors.map(({ key }) => key).join(', ')
  return `${bad.fieldName} is ${bad.indication} ${bad.subIndication ?? ''} ${why}`
}

/**
 * Like {@link findInvalidity}, for a peer: digests and signature values must be correct; other
 * changes in later revisions are allowed.
 */
export async function findBrokenSignature(
  signed: Uint8Array,
  count: number,
): Promise<string | undefined> {
  const { signatures, fault } = await validateDocument(signed, count, pki.NOW)
  const isIntact = ({ integrity }: (typeof signatures)[number]) =>
    integrity.digestMatch === true && integrity.signatureValueValid === true
  const bad = signatures.find((signature) => !isIntact(signature))
  return bad ? `${bad.fieldName} is broken` : fault
}

/** Describes missing long-term validation data at creation time; undefined when complete. */
export async function findLowerLevel(
  signed: Uint8Array,
  validationTime: Date = pki.NOW,
): Promise<string | undefined> {
  const options = { trustAnchors: pki.trustAnchors, validationTime }
  const { signatures } = await validateSignatures(signed, options)
  const bad = signatures.find(
    ({ indication, level }) => indication !== 'TOTAL_PASSED' || level !== 'PAdES-BASELINE-LTA',
  )
  return bad && `${bad.fieldName} is ${bad.indication} of level ${bad.level}`
}
