/** Verifies the signature values of CMS objects for another process; see `verify-value.ts`. */
import type { Certificate } from './certificate-reader.ts'
import { mayHaveIssued } from './issuers.ts'
import { OID } from './object-identifiers.ts'
import { HASHES, knownAlgorithm, nameOfSignature } from './signature-algorithms.ts'
import { findSignerCertificate, readSignedData } from './signed-data-reader.ts'
import type { SignedData, SignerInfo } from './signed-data-reader.ts'

/**
 * Verifies the values of CMS objects that were just made: of their signers, of the time-stamps in
 * them, and of the certificates that they contain.
 *
 * @param containers octets of `/Contents`
 * @returns names of the values that are right, for `rememberRightValues`
 * @throws PadesError `BAD_CMS`
 */
export function nameRightValues(containers: readonly Uint8Array[]): string[] {
  const names = containers.flatMap((container) => namesIn(readSignedData(container)))
  return [...new Set(names)]
}

function namesIn(signedData: SignedData): string[] {
  const { signers, certificates } = signedData
  const tokens = signers.flatMap(
    ({ unsignedAttributes }) => unsignedAttributes?.values.get(OID.signatureTimeStampToken) ?? [],
  )
  return [
    ...signers.flatMap((signer) => nameOfSigner(signer, certificates)),
    ...certificates.flatMap((certificate) => namesOfIssue(certificate, certificates)),
    ...nameRightValues(tokens.map(({ encoded }) => encoded)),
  ]
}

function nameOfSigner(signer: SignerInfo, certificates: readonly Certificate[]): string[] {
  const { digestAlgorithm, signatureAlgorithm, signedAttributes, signature } = signer
  const certificate = findSignerCertificate(signer, certificates)
  const algorithm = knownAlgorithm(signatureAlgorithm, HASHES[digestAlgorithm.type])
  if (!certificate || !algorithm || !signedAttributes) return []
  return nameOfSignature(algorithm, certificate, signedAttributes.encoded, signature)
}

function namesOfIssue(certificate: Certificate, issuers: readonly Certificate[]): string[] {
  const { signatureAlgorithm, toBeSigned, signature } = certificate
  const algorithm = knownAlgorithm(signatureAlgorithm)
  const issuer = issuers.find((one) => mayHaveIssued(one, certificate))
  return algorithm && issuer ? nameOfSignature(algorithm, issuer, toBeSigned, signature) : []
}
