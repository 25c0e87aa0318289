/** Who answers for an authority (RFC 6960, 4.2.2.2). */

import type { Certificate } from './certificate-reader.ts'
import { hasIssued } from './issuers.ts'
import { OID } from './object-identifiers.ts'
import type { OcspResponse } from './ocsp-reader.ts'

/** Whether its issuer says that a responder need not be asked about (4.2.2.2.1). */
export const isNeverChecked = ({ extensions }: Certificate): boolean =>
  extensions.has(OID.ocspNoCheck)

/**
 * Finds the responders of an answer whose own revocation is published: the answer counts only with
 * lists that say that they were not revoked.
 *
 * @param issuer of the certificate in question; it has issued those that are returned
 */
export const respondersToCheck = (answer: OcspResponse, issuer: Certificate): Certificate[] =>
  answer.certificates.filter(
    (one) =>
      answer.isBy(one) && one.publishesRevocation && !isNeverChecked(one) && hasIssued(issuer, one),
  )
