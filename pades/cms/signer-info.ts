/** Checks one signer of a CMS: structure, attributes, digest and value (RFC 5652, 5.4 and 5.6). */

import type { Certificate } from './certificate-reader.ts'
import { compareOctets, setOf } from './der.ts'
import { DerError, readDer } from './der-reader.ts'
import { readObjectIdentifier, readOctetString } from './der-values.ts'
import { OID } from './object-identifiers.ts'
import { HASHES, knownAlgorithm, signatureIsRight } from './signature-algorithms.ts'
import { algorithmProtectionHolds, certificateReference, onlyValue } from './signed-data-reader.ts'
import type { Attributes, SignedData, SignerInfo } from './signed-data-reader.ts'
import { singleValuesHold } from './single-values.ts'

/** What is wrong with a signer, as keys of the catalogue of findings. */
export type SignerProblem =
  | 'NOT_ONE_SIGNER'
  | 'CONTENT_INSIDE'
  | 'CONTENT_TYPE_DIFFERS'
  | 'SIGNED_ATTRIBUTES_MISSING'
  | 'SIGNED_ATTRIBUTES_NOT_DER'
  | 'ATTRIBUTE_VALUES_WRONG'
  | 'DIGEST_ALGORITHM_UNKNOWN'
  | 'DIGEST_DIFFERS'
  | 'ALGORITHMS_DISAGREE'
  | 'SIGNATURE_ALGORITHM_UNKNOWN'
  | 'SIGNATURE_VALUE_WRONG'
  | 'SIGNING_CERTIFICATE_NOT_FOUND'
  | 'SIGNING_CERTIFICATE_DIFFERS'
  | 'SIGNING_CERTIFICATE_NOT_NAMED'
  | 'ATTRIBUTE_UNREADABLE'

export interface SignerOptions {
  /** The certificate that the signer names; undefined when it was not found. */
  certificate: Certificate | undefined
  /** Dotted OID that content-type must have. */
  contentType: string
  /** Digest of the content that is signed. */
  digestOf: (hash: string) => Uint8Array
  /** Whether the content is inside the CMS; where it is not, content inside is a problem. */
  isEnveloping?: boolean
}

/** What checking a signer came to; it is right when there are no problems. */
export interface SignerVerdict {
  readonly problems: readonly SignerProblem[]
  /** Undefined when it could not be determined. */
  readonly digestMatches: boolean | undefined
  /** Undefined when it could not be determined. */
  readonly valueIsRight: boolean | undefined
}

/** Checks the only signer of a CMS. A signer that is not right is a result, not an error. */
export function checkSigner(signedData: SignedData, options: SignerOptions): SignerVerdict {
  const problems: SignerProblem[] = []
  const verdict = { problems, digestMatches: undefined, valueIsRight: undefined }
  const [signer] = signedData.signers
  if (signedData.signers.length !== 1) {
    problems.push('NOT_ONE_SIGNER')
    return verdict
  }
  const isDetached = options.contentType === OID.data && !options.isEnveloping
  if (isDetached && signedData.content) problems.push('CONTENT_INSIDE')
  if (!signer.signedAttributes) {
    problems.push('SIGNED_ATTRIBUTES_MISSING')
    if (!options.isEnveloping || !signedData.content) return verdict
    const valueIsRight = checkValue(signer, options.certificate, [signedData.content], problems)
    return { ...verdict, valueIsRight }
  }
  try {
    const digestMatches = matchDigest(signer, options.digestOf, problems)
    const signed = encodingsOf(signer.signedAttributes)
    const valueIsRight = checkValue(signer, options.certificate, signed, problems)
    checkAttributes(signedData, signer, options, problems)
    return { problems, digestMatches, valueIsRight }
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    problems.push('ATTRIBUTE_UNREADABLE')
    return verdict
  }
}

function matchDigest(
  { digestAlgorithm, signedAttributes }: SignerInfo,
  digestOf: (hash: string) => Uint8Array,
  problems: SignerProblem[],
): boolean | undefined {
  const hash = HASHES[digestAlgorithm.type]
  if (!hash) {
    problems.push('DIGEST_ALGORITHM_UNKNOWN')
    return undefined
  }
  const claimed = onlyValue(signedAttributes, OID.messageDigest)
  const matches =
    claimed !== undefined && compareOctets(readOctetString(claimed), digestOf(hash)) === 0
  if (!matches) problems.push('DIGEST_DIFFERS')
  return matches
}

/** What may have been signed: the octets as they are, else in the order of DER (RFC 5652, 5.4). */
function encodingsOf({ encoded, isDer }: Attributes): Uint8Array[] {
  if (isDer) return [encoded]
  return [encoded, setOf(...readDer(encoded).children.map((attribute) => attribute.encoded))]
}

/** @param signed the value must be right for one of these */
function checkValue(
  signer: SignerInfo,
  certificate: Certificate | undefined,
  signed: readonly Uint8Array[],
  problems: SignerProblem[],
): boolean | undefined {
  const { signatureAlgorithm, signature } = signer
  const digestHash = HASHES[signer.digestAlgorithm.type]
  const algorithm = knownAlgorithm(signatureAlgorithm, digestHash)
  if (!algorithm) {
    const alone = knownAlgorithm(signatureAlgorithm)
    problems.push(alone ? 'ALGORITHMS_DISAGREE' : 'SIGNATURE_ALGORITHM_UNKNOWN')
    return undefined
  }
  if (!certificate) return undefined
  const verdicts = signed.map((data) => signatureIsRight(algorithm, certificate, data, signature))
  const right = verdicts.includes(true) || verdicts[0]
  if (right === false) problems.push('SIGNATURE_VALUE_WRONG')
  if (right === undefined) problems.push('SIGNATURE_ALGORITHM_UNKNOWN')
  return right
}

function checkAttributes(
  signedData: SignedData,
  signer: SignerInfo,
  { certificate, contentType }: SignerOptions,
  problems: SignerProblem[],
): void {
  const { signedAttributes } = signer
  const claimed = onlyValue(signedAttributes, OID.contentType)
  const same = claimed !== undefined && readObjectIdentifier(claimed) === contentType
  if (!same || signedData.contentType !== contentType) problems.push('CONTENT_TYPE_DIFFERS')
  if (!signedAttributes?.isDer) problems.push('SIGNED_ATTRIBUTES_NOT_DER')
  if (signedAttributes && !singleValuesHold(signedAttributes)) {
    problems.push('ATTRIBUTE_VALUES_WRONG')
  }
  // A verifier may make no digest but those that are announced (RFC 5652, 5.1).
  const isAnnounced = signedData.digestAlgorithms.includes(signer.digestAlgorithm.type)
  if (!isAnnounced || !algorithmProtectionHolds(signer)) problems.push('ALGORITHMS_DISAGREE')
  if (!certificate) {
    problems.push('SIGNING_CERTIFICATE_NOT_FOUND')
    return
  }
  const reference = certificateReference(signedAttributes, certificate)
  if (reference === 'absent') problems.push('SIGNING_CERTIFICATE_NOT_NAMED')
  if (reference === 'differs') problems.push('SIGNING_CERTIFICATE_DIFFERS')
}
