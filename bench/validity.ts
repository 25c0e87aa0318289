/**
 * A time counts only when what was made in it is valid, by this repository's own strict validation.
 */
import { validateSignatures } from '../pades/index.ts'
import * as pki from '../test/fixtures/pki.ts'

async function reportOf(signed: Uint8Array, count: number, validationTime: Date) {
  const report = await validateSignatures(signed, {
    trustAnchors: pki.trustAnchors,
    validationTime,
    // What is not sealed has no validation data in it; what is issued here was not revoked.
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
 * @returns what is wrong, or undefined
 */
export async function findInvalidity(
  signed: Uint8Array,
  count: number,
  validationTime: Date = pki.NOW,
): Promise<string | undefined> {
  const { signatures, fault } = await reportOf(signed, count, validationTime)
  const bad = signatures.find(({ indication }) => indication !== 'TOTAL_PASSED')
  if (!bad) return fault
  const why = bad.errors.map(({ key }) => key).join(', ')
  return `${bad.fieldName} is ${bad.indication} ${bad.subIndication ?? ''} ${why}`
}

/**
 * As {@link findInvalidity}, for a peer: digests and signature values have to be right, what its
 * later revisions change beside signatures is its own affair.
 */
export async function findBrokenSignature(
  signed: Uint8Array,
  count: number,
): Promise<string | undefined> {
  const { signatures, fault } = await reportOf(signed, count, pki.NOW)
  const isIntact = ({ integrity }: (typeof signatures)[number]) =>
    integrity.digestMatch === true && integrity.signatureValueValid === true
  const bad = signatures.find((signature) => !isIntact(signature))
  return bad ? `${bad.fieldName} is broken` : fault
}

/** What keeps a file from lasting, at the time when it was made; undefined when nothing does. */
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
