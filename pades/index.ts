/**
 * What the library offers: read, judge, sign, seal and write PDFs. Bytes in, bytes or a report out.
 */
export { PADES_ERRORS, PadesError, type PadesErrorCode, PRINT_ANEW } from './errors.ts'

export { assertSignable, type DocumentInspection, inspect } from './pdf/inspect.ts'

export { checkReadings } from './compare/check-readings.ts'
export { drawAnnotations } from './compare/drawn-annotation.ts'
export {
  MAX_PAGES_BY_COUNT,
  type SecondAppearance,
  type SecondPage,
  type SecondReading,
  SecondStream,
  type SecondViewer,
} from './compare/second-reading.ts'
export {
  isDictionary,
  type PdfArray,
  type PdfDictionary,
  PdfName,
  PdfReference,
  PdfString,
  type PdfValue,
} from './pdf/values.ts'

export { type AugmentRequest, augmentDocument } from './sign/augment-document.ts'
export { type OccupiedPlace, readOccupiedPlaces } from './sign/occupied-places.ts'
export { type Rehearsal, rehearse } from './sign/rehearse.ts'
export { HashedFile } from './sign/running-digests.ts'
export { signDocument } from './sign/sign-document.ts'
export { type DetachedSignature, detachedValidationData } from './sign/validation-data.ts'
export type {
  ByteRange,
  Credential,
  DrawnAnnotation,
  LongTermRequest,
  Placement,
  RevocationQuestion,
  RevocationSource,
  SealRequest,
  SignedDocument,
  SignedRevision,
  SignerRequest,
  SigningRequest,
} from './sign/request.ts'

export type { SignatureAppearance } from './appearance/appearance.ts'
export { isShownWhole } from './appearance/font.ts'
export {
  acceptDrawing,
  type Drawing,
  type DrawingMediaType,
  MAX_ENCODED_DRAWING,
  readDrawing,
  readDrawingBytes,
} from './appearance/drawing.ts'
export { type LogoImage, readLogo } from './appearance/logo.ts'
export { displayedSize } from './appearance/geometry.ts'

export { composeDocument } from './compose/load.ts'
export type {
  Attachment,
  Block,
  Callout,
  DocumentContent,
  Heading,
  KeyValues,
  Language,
  PageBreak,
  Paragraph,
  Relationship,
  Spacer,
  Table,
  Timeline,
} from './compose/model.ts'

export type { HashName, Sign, SignatureAlgorithm } from './cms/algorithms.ts'
export {
  issueRevocationList,
  type RevocationListRequest,
  type RevocationReason,
  type RevokedCertificate,
} from './cms/revocation-list.ts'
export { readRevocationList, type RevocationList } from './cms/revocation-list-reader.ts'
export { isListOf, type RevocationData } from './cms/revocation.ts'
export { encodeOcspRequest } from './cms/ocsp.ts'
export { readOcspResponse } from './cms/ocsp-reader.ts'
export { respondersToCheck } from './cms/responders.ts'
export { RevocationEvidence } from './cms/revocation.ts'
export { type CertificateRequest, issueCertificate } from './cms/certificate.ts'
export { Certificate, readCertificate } from './cms/certificate-reader.ts'
export { findIssuer, hasIssued } from './cms/issuers.ts'
export { nameRightValues } from './cms/right-values.ts'
export { readSignedData } from './cms/signed-data-reader.ts'
export { rememberRightValues } from './cms/verify-value.ts'
export { plainEcdsaValue } from './cms/ecdsa-value.ts'
export {
  certificatePolicies,
  qualifiedStatements,
  type QualifiedStatements,
  type QualifiedType,
  subjectAttributeTypes,
} from './cms/qualified-statements.ts'
export type { CertificateProfile, PublishedAt } from './cms/extensions.ts'
export { generateKey, importKey, type LocalKey } from './cms/keys.ts'
export { type DistinguishedName } from './cms/names.ts'
export {
  encodeTimeStampRequest,
  encodeTimeStampResponse,
  issueTimeStampToken,
  readTimeStampResponse,
  type TimeStampRequest,
  type TimeStampTokenOptions,
} from './cms/time-stamp.ts'

export { embeddedFiles } from './pdf/embedded-files.ts'
export {
  type TimeStampOptions,
  type TimeStampProblem,
  type TimeStampVerdict,
  verifyTimeStampToken,
} from './cms/time-stamp-reader.ts'

export {
  type Finding,
  type FindingKey,
  FINDINGS,
  type InfoKey,
  INFOS,
  type FindingKind,
  type Indication,
} from './findings.ts'
export { type FaultKind, FAULTS } from './syntax/faults.ts'
export {
  type RevisionDigest,
  validate,
  validateSignatures,
  type Validation,
} from './validate/validate-signatures.ts'
export type { AlgorithmExpiry } from './validate/algorithm-policy.ts'
export type { ValidationOptions, ValidationPolicy } from './validate/validation-context.ts'
export type { TrustAnchor, TrustPeriod } from './validate/trust-anchors.ts'
export { coveredEnd } from './validate/report.ts'
export type {
  CertificateReport,
  Change,
  DocumentTimeStampReport,
  IntegrityReport,
  ModificationLevel,
  ModificationsReport,
  PadesLevel,
  RevocationReport,
  SignatureReport,
  SignerReport,
  TimeStampReport,
  ValidationReport,
} from './validate/report.ts'
