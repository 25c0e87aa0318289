/** Notices changes in the parts of a CMS that no signature covers (RFC 5652, 5.1 and 5.3). */

import type { Certificate } from './certificate-reader.ts'
import type { PathFinder } from './certification-path.ts'
import { OID } from './object-identifiers.ts'
import type { SignedData } from './signed-data-reader.ts'

export type Oddity =
  | 'EMBEDDED_CERTIFICATE_BROKEN'
  | 'EMBEDDED_CERTIFICATE_UNKNOWN'
  | 'UNSIGNED_ATTRIBUTE_UNKNOWN'
  | 'CMS_ODDLY_WRITTEN'

/** Version that the content demands when all certificates are X.509 (RFC 5652, 5.1). */
const expectedVersion = (signedData: SignedData) => {
  const isPlain =
    signedData.contentType === OID.data && signedData.signers.every(({ version }) => version === 1)
  return isPlain ? 1 : 3
}

/** What is odd about the unsigned parts of a CMS. */
export function odditiesOf(
  signedData: SignedData,
  anchors: readonly Certificate[],
  paths: PathFinder,
): Oddity[] {
  const oddities: Oddity[] = []
  const { certificates, signers } = signedData
  const known = [...anchors, ...certificates]
  const states = certificates.map((certificate) => paths.signatureOf(certificate, known))
  if (signedData.unreadableCertificates > 0 || states.includes('wrong')) {
    oddities.push('EMBEDDED_CERTIFICATE_BROKEN')
  }
  if (signedData.otherCertificates > 0 || states.includes('issuer unknown')) {
    oddities.push('EMBEDDED_CERTIFICATE_UNKNOWN')
  }
  const unknown = signers.some(({ unsignedAttributes }) =>
    [...(unsignedAttributes?.values.keys() ?? [])].some(
      (type) => type !== OID.signatureTimeStampToken,
    ),
  )
  if (unknown) oddities.push('UNSIGNED_ATTRIBUTE_UNKNOWN')
  const isOdd =
    signedData.version !== expectedVersion(signedData) ||
    signers.some(({ version, identifier }) => version !== ('issuer' in identifier ? 1 : 3))
  if (isOdd) oddities.push('CMS_ODDLY_WRITTEN')
  return oddities
}
