/** Schema of the validation report, with the terms of ETSI EN 319 102-1 (specification 2.10). */
import { Type, type Static } from '@sinclair/typebox'
import { stringEnum, timestamp } from '../schema-parts.ts'
import { hexDigest, optional, string } from './answer-parts.ts'

const INDICATIONS = ['TOTAL_PASSED', 'INDETERMINATE', 'TOTAL_FAILED'] as const
const COVERAGES = ['ENTIRE_FILE', 'ENTIRE_REVISION', 'PARTIAL'] as const
const MODIFICATION_LEVELS = ['NONE', 'LTA_UPDATES', 'FORM_FILLING', 'ANNOTATIONS', 'OTHER'] as const
/** What a changed object is to a page. */
export const CHANGED_PARTS = [
  'page',
  'content',
  'note',
  'mark',
  'drawing',
  'stamp',
  'link',
  'field',
  'attachment',
  'annotation',
] as const
const MODIFIED = ['none', 'permitted', 'notPermitted', 'unknown'] as const
const ANCHOR_SOURCES = ['service-root', 'EU-TL', 'given'] as const

const indication = {
  indication: stringEnum(INDICATIONS, {
    description: 'Result (EN 319 102-1): passed, failed, or not enough is known',
  }),
  subIndication: optional(string('Sub-indication of EN 319 102-1; absent with TOTAL_PASSED')),
}

const Finding = Type.Object(
  {
    key: string('Machine-readable key; `docs/reference/verification.md` lists all keys'),
    text: string('Text for people; it may change'),
  },
  { description: 'An observation of the validation' },
)
const findings = {
  errors: Type.Array(Finding, { description: 'Why the result is not TOTAL_PASSED' }),
  warnings: Type.Array(Finding, { description: 'Weaknesses that do not change the result' }),
}

const Integrity = Type.Object(
  {
    byteRange: Type.Array(Type.Number({ description: 'Offset or length in bytes' }), {
      description: 'ByteRange of the signature (ISO 32000-2, 12.8.1)',
    }),
    byteRangeValid: Type.Boolean({ description: 'Whether the byte range is well-formed' }),
    coverage: stringEnum(COVERAGES, { description: 'How much of the file the signature covers' }),
    revision: optional(Type.Integer({ description: 'Signed revision of the document, from 1' })),
    digestAlgorithm: optional(string('Digest algorithm, such as sha256')),
    digestMatch: optional(
      Type.Boolean({ description: 'Whether the digest of the signed bytes matches' }),
    ),
    signatureAlgorithm: optional(string('Signature algorithm, such as `ECDSA with sha256`')),
    signatureValueValid: optional(
      Type.Boolean({ description: 'Whether the signature value verifies with the signer key' }),
    ),
  },
  { description: 'Cryptographic integrity of the signed bytes' },
)

const Change = Type.Object(
  {
    object: Type.Integer({ description: 'Number of the changed PDF object' }),
    path: string('Path of keys from the object to the change'),
    action: stringEnum(['added', 'changed', 'deleted'], { description: 'Kind of the change' }),
    page: optional(
      Type.Integer({
        description:
          'Page, from 1, of a change that is not permitted, or of what was added beside one',
      }),
    ),
    part: optional(
      stringEnum(CHANGED_PARTS, {
        description: 'What the object is to the page: the page itself, its content, a note, ...',
      }),
    ),
    permitted: Type.Boolean({ description: 'Whether the change is permitted' }),
  },
  { description: 'A change after the signature' },
)

const Modifications = Type.Object(
  {
    level: stringEnum(MODIFICATION_LEVELS, { description: 'The gravest kind of change' }),
    docMdp: optional(
      Type.Integer({
        minimum: 1,
        maximum: 3,
        description: 'Permission level of a certification signature (ISO 32000-2, 12.8.2.2)',
      }),
    ),
    changes: Type.Array(Change, { maxItems: 100, description: 'The changes, at most 100' }),
    filledFields: optional(
      Type.Array(string('Name of a form field'), {
        maxItems: 100,
        description: 'Fields that were filled in after signing, when nothing else was changed',
      }),
    ),
  },
  { description: 'Changes in later revisions of the document' },
)

const Signer = Type.Object(
  {
    commonName: optional(string('Common name (CN) of the subject')),
    subject: string('Distinguished name (RFC 4514)'),
    serialNumber: string('Serial number of the certificate, hexadecimal'),
    organizationIdentifier: optional(string('Organization identifier (OID 2.5.4.97)')),
    certificateSha256: hexDigest('the certificate'),
    notBefore: timestamp('Start of the validity of the certificate'),
    notAfter: timestamp('End of the validity of the certificate'),
  },
  { description: 'The certificate of the signer' },
)

const TrustAnchor = Type.Object(
  {
    source: stringEnum(ANCHOR_SOURCES, {
      description: 'service-root: this service; EU-TL: an EU trusted list; given: the caller',
    }),
    country: optional(string('Country of the trusted list')),
    tsp: optional(string('Trust service provider')),
    service: optional(string('Name of the trust service')),
    status: optional(string('Status of the trust service at that time')),
  },
  { description: 'Why the certificate is trusted' },
)
export type TrustAnchorReport = Static<typeof TrustAnchor>

const Certificate = Type.Object(
  {
    sha256: hexDigest('the certificate'),
    subject: string('Distinguished name (RFC 4514)'),
    trustAnchor: optional(TrustAnchor),
  },
  { description: 'A certificate of a chain' },
)

const Revocation = Type.Object(
  {
    certificateSha256: hexDigest('the certificate'),
    status: stringEnum(['good', 'revoked', 'stale', 'unknown'], {
      description: 'stale: there is data, but not for the time of the signature',
    }),
    type: optional(stringEnum(['CRL', 'OCSP'], { description: 'Kind of the revocation data' })),
    origin: optional(
      stringEnum(['DSS', 'CMS', 'ONLINE'], {
        description: 'Where the data was: in the document, in the signature, or at the authority',
      }),
    ),
    producedAt: optional(timestamp('When the authority issued the data')),
    revokedAt: optional(timestamp('When the certificate was revoked')),
    reason: optional(string('Reason of the revocation (RFC 5280, 5.3.1)')),
  },
  { description: 'Revocation status of a certificate' },
)

const OPINIONS = ['right', 'wrong', 'unknown'] as const
const opinion = (description: string) => stringEnum(OPINIONS, { description })

const SecondOpinion = Type.Object(
  {
    value: opinion('Digest and signature value'),
    path: optional(opinion('Certification path')),
    revocation: optional(opinion('Revocation data')),
  },
  { description: 'Result of a second, independent validation library' },
)

const timeStamp = {
  productionTime: optional(timestamp('Time in the time-stamp token')),
  ...indication,
  tsa: optional(string('Distinguished name of the time-stamping authority')),
  certificateChain: Type.Array(Certificate, {
    description: 'From the certificate of the authority to its trust anchor',
  }),
  qualification: optional(
    stringEnum(['QTSA', 'TSA', 'NA'], {
      description: 'Whether the authority is qualified (ETSI TS 119 615)',
    }),
  ),
  secondOpinion: optional(SecondOpinion),
  ...findings,
}

const SignatureTimeStamp = Type.Object(
  {
    type: stringEnum(['signature'], { description: 'A time-stamp of a signature' }),
    ...timeStamp,
  },
  { description: 'A time-stamp over a signature value' },
)

const TrustService = Type.Object(
  {
    country: string('Country of the trusted list'),
    tsp: string('Trust service provider'),
    service: string('Name of the trust service'),
    status: string('Status of the trust service at that moment'),
  },
  { description: 'A trust service that the certificate belongs to' },
)

const AtOneMoment = Type.Object(
  {
    level: string('Qualification of the certificate at that moment'),
    qualified: Type.Boolean({ description: 'Whether the certificate was qualified' }),
    qscd: Type.Boolean({ description: 'Whether the key was in a qualified device' }),
    type: string('Type of the certificate: for signatures, seals or web sites'),
    services: Type.Array(TrustService, { description: 'Matching services of trusted lists' }),
    notes: Type.Array(string('A note for people'), { description: 'How the result came about' }),
  },
  { description: 'Qualification of the certificate at one moment' },
)

const Qualification = Type.Object(
  {
    level: string('QESig, QESeal, AdESig-QC, …, NA (ETSI TS 119 615)'),
    atIssuance: optional({ ...AtOneMoment, description: 'When the certificate was issued' }),
    atBestSignatureTime: optional({ ...AtOneMoment, description: 'At the best signature time' }),
  },
  { description: 'Qualification of the signature under eIDAS' },
)

const Signature = Type.Object(
  {
    id: string('Id of the signature in this report'),
    fieldName: string('Name of the signature field'),
    ...indication,
    level: string('PAdES level (ETSI EN 319 142-1)'),
    subFilter: string('Encoding of the signature (SubFilter of ISO 32000-2, 12.8.1)'),
    type: stringEnum(['approval', 'certification'], { description: 'Kind of the signature' }),
    integrity: Integrity,
    modifications: Modifications,
    signer: optional(Signer),
    certificateChain: Type.Array(Certificate, {
      description: 'From the certificate of the signer to its trust anchor',
    }),
    claimedSigningTime: optional(timestamp('The signing time that the signer claims')),
    bestSignatureTime: timestamp('The earliest time at which the signature is proven to exist'),
    qualification: optional(Qualification),
    revocation: Type.Array(Revocation, { description: 'Revocation status of the chain' }),
    timestamps: Type.Array(SignatureTimeStamp, { description: 'Time-stamps of the signature' }),
    secondOpinion: optional(SecondOpinion),
    ...findings,
    infos: Type.Array(Finding, { description: 'Observations that are not errors' }),
  },
  { description: 'Validation of one signature' },
)

const DocumentTimeStamp = Type.Object(
  {
    id: string('Id of the time-stamp in this report'),
    fieldName: string('Name of the signature field'),
    type: stringEnum(['document'], { description: 'A time-stamp of the document' }),
    ...timeStamp,
    integrity: Integrity,
    modifications: Modifications,
  },
  { description: 'Validation of a document time-stamp (ETSI EN 319 142-1, 5.4.3)' },
)

const Policy = Type.Object(
  {
    id: string('Id of the policy'),
    version: Type.Integer({ description: 'Version of the policy' }),
    formFilling: optional(
      stringEnum(['permitted', 'notPermitted'], {
        description: 'Whether form fields may be filled in after a signature',
      }),
    ),
    sha256: optional(hexDigest('the policy file; absent for the built-in policy')),
  },
  { description: 'The validation policy' },
)

const ValidatedDocument = Type.Object(
  {
    size: Type.Integer({ description: 'Size in bytes' }),
    sha256: hexDigest('the file'),
    pdfVersion: optional(string('PDF version, such as 1.7')),
    revisions: Type.Integer({ description: 'Number of revisions' }),
    encrypted: Type.Boolean({ description: 'Whether the document is encrypted' }),
    unsignedTailBytes: Type.Integer({
      description: 'Number of bytes after the last revision; nobody signed them',
    }),
  },
  { description: 'The verified file' },
)

const CoreSummary = Type.Object(
  {
    indication: optional(
      stringEnum(INDICATIONS, {
        description: 'The worst result of all signatures; absent without signatures',
      }),
    ),
    signaturesCount: Type.Integer({ description: 'Number of signatures' }),
    validSignaturesCount: Type.Integer({ description: 'Number of signatures that passed' }),
    documentModifiedAfterSigning: stringEnum(MODIFIED, {
      description: 'Whether the document was changed after a signature, and permissibly',
    }),
  },
  { description: 'The result in short' },
)

/** The part of a report that follows from the document; other code adds trust and qualification. */
const core = {
  reportVersion: Type.Integer({ description: 'Version of this format' }),
  validationTime: timestamp('When the document was validated'),
  policy: Policy,
  document: ValidatedDocument,
  summary: CoreSummary,
  signatures: Type.Array(Signature, { description: 'Signatures in the order of the document' }),
  documentTimestamps: Type.Array(DocumentTimeStamp, {
    description: 'Document time-stamps in the order of the document',
  }),
}

export const CoreReport = Type.Object(core)
export type CoreReport = Static<typeof CoreReport>

/** What a reader must know beside a good verdict. */
export const REMARKS = {
  BYTES_AFTER_LAST_REVISION: 'Bytes that nobody signed follow the last revision of the document',
  ISSUED_EARLIER: 'The service issued an earlier state of the document; more was added afterwards',
} as const
export type Remark = keyof typeof REMARKS

const RemarkReport = Type.Object(
  {
    code: stringEnum(Object.keys(REMARKS) as Remark[], { description: 'Machine-readable code' }),
    message: string('Text for people; it may change'),
  },
  { description: 'What a reader must know before the result' },
)

const Summary = Type.Object(
  {
    ...CoreSummary.properties,
    remarks: optional(
      Type.Array(RemarkReport, { description: 'What to show first; absent without remarks' }),
    ),
  },
  { description: 'The result in short' },
)

const TrustedListProblem = Type.Object(
  {
    territory: string('Territory of the trusted list'),
    code: string('Machine-readable code of the problem'),
    at: timestamp('When the problem occurred'),
  },
  { description: 'A trusted list that could not be updated' },
)

const TrustedLists = Type.Object(
  {
    sequence: Type.Integer({ description: 'Sequence number of the EU list of lists' }),
    issueDate: timestamp('When the list of lists was issued'),
    nextUpdate: optional(timestamp('When the list of lists is due for an update')),
    stale: Type.Boolean({ description: 'Whether a list is past its next update' }),
    staleTerritories: Type.Array(string('Territory'), {
      description: 'Territories whose lists are past their next update',
    }),
    problems: Type.Array(TrustedListProblem, { description: 'Lists that could not be updated' }),
  },
  { description: 'State of the EU trusted lists; absent when the service does not use them' },
)

export const ValidationReport = Type.Object(
  {
    ...core,
    summary: Summary,
    issuedByService: Type.Boolean({
      description:
        'Whether this service issued the document or an earlier state of it, and one of its ' +
        'signatures is valid. `summary.remarks` says when the file is not exactly what was issued',
    }),
    trustedLists: optional(TrustedLists),
  },
  { description: 'Result of the verification of a PDF' },
)
export type ValidationReport = Static<typeof ValidationReport>

/** The schemas of this file by the names that the OpenAPI document gives them. */
export const REPORT_SCHEMAS = {
  CertificateQualification: AtOneMoment,
  CertificateReport: Certificate,
  ChangeReport: Change,
  DocumentTimeStampReport: DocumentTimeStamp,
  Finding,
  IntegrityReport: Integrity,
  ModificationsReport: Modifications,
  QualificationReport: Qualification,
  RemarkReport,
  RevocationReport: Revocation,
  SecondOpinion,
  SignatureReport: Signature,
  SignerReport: Signer,
  TimeStampReport: SignatureTimeStamp,
  TrustAnchor,
  TrustedListProblem,
  TrustedLists,
  TrustService,
  ValidatedDocument,
  ValidationPolicy: Policy,
  ValidationReport,
  ValidationSummary: Summary,
} as const
