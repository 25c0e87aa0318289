/** Signed attributes that have exactly one value (RFC 5652, 11; EN 319 122-1, 5.1 and 5.2). */

import { OID } from './object-identifiers.ts'
import type { Attributes } from './signed-data-reader.ts'

/**
 * Other attributes of CAdES may have several values or occur several times. Signatures of
 * governments have two values of commitment-type-indication, which contradict nothing.
 */
const SINGLE_VALUED: readonly string[] = [
  OID.contentType,
  OID.messageDigest,
  OID.signingTime,
  OID.signingCertificate,
  OID.signingCertificateV2,
  OID.algorithmProtection,
  OID.signaturePolicyIdentifier,
  OID.signerLocation,
  OID.signerAttributesV2,
  OID.mimeType,
  OID.contentHints,
  OID.contentIdentifier,
  OID.contentReference,
]

/**
 * Checks whether each attribute that must be single-valued has exactly one value. The values of
 * an attribute that occurs twice count together.
 */
export const singleValuesHold = (attributes: Attributes): boolean =>
  SINGLE_VALUED.every((type) => (attributes.values.get(type)?.length ?? 1) === 1)
