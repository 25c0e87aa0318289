/** Schema of the validation report, with the terms of ETSI EN 319 102-1 (specification 2.10). */
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { stringEnum } from '../schema-parts.ts'

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const timestamp = (description?: string) =>
  Type.String({ format: 'date-time', ...(description === undefined ? {} : { description }) })
const sha256 = (description = 'SHA-256, lower-case hexadecimal') => Type.String({ description })

const INDICATIONS = ['TOTAL_PASSED', 'INDETERMINATE', 'TOTAL_FAILED'] as const
const COVERAGES = ['ENTIRE_FILE', 'ENTIRE_REVISION', 'PARTIAL'] as const
const MODIFICATION_LEVELS = ['NONE', 'LTA_UPDATES', 'FORM_FILLING', 'ANNOTATIONS', 'OTHER'] as const
const MODIFIED = ['none', 'permitted', 'notPermitted', 'unknown'] as const
const ANCHOR_SOURCES = ['service-root', 'EU-TL', 'given'] as const

const indication = {
  indication: stringEnum(INDICATIONS),
  subIndication: optional(Type.String({ description: 'Sub-indication of EN 319 102-1' })),
}

const Finding = Type.Object({
  key: Type.String({ description: 'See docs/reference/verification.md' }),
  text: Type.String(),
})
const findings = {
  errors: Type.Array(Finding),
  warnings: Type.Array(Finding),
}

const Integrity = Type.Object({
  byteRange: Type.Array(Type.Number()),
  byteRangeValid: Type.Boolean(),
  coverage: stringEnum(COVERAGES),
  revision: optional(Type.Integer({ description: 'From 1' })),
  digestAlgorithm: optional(Type.String()),
  digestMatch: optional(Type.Boolean()),
  signatureAlgorithm: optional(Type.String()),
  signatureValueValid: optional(Type.Boolean()),
})

const Change = Type.Object({
  object: Type.Integer({ description: 'Object number' }),
  path: Type.String({ description: 'Path of keys from the object to the change' }),
  action: stringEnum(['added', 'changed', 'deleted']),
  page: optional(
    Type.Integer({ description: 'From 1, of what is not permitted and is part of a page' }),
  ),
  permitted: Type.Boolean(),
})

const Modifications = Type.Object({
  level: stringEnum(MODIFICATION_LEVELS),
  docMdp: optional(Type.Integer({ minimum: 1, maximum: 3 })),
  changes: Type.Array(Change, { maxItems: 100 }),
  filledFields: optional(
    Type.Array(Type.String(), {
      maxItems: 100,
      description: 'Fields that were filled in after signing, when nothing else was changed',
    }),
  ),
})

const Signer = Type.Object({
  commonName: optional(Type.String()),
  subject: Type.String({ description: 'Distinguished name' }),
  serialNumber: Type.String({ description: 'Of the certificate, hexadecimal' }),
  organizationIdentifier: optional(Type.String()),
  certificateSha256: sha256(),
  notBefore: timestamp(),
  notAfter: timestamp(),
})

const TrustAnchor = Type.Object({
  source: stringEnum(ANCHOR_SOURCES),
  country: optional(Type.String()),
  tsp: optional(Type.String({ description: 'Trust service provider' })),
  service: optional(Type.String()),
  status: optional(Type.String({ description: 'Of the service at that time' })),
})
export type TrustAnchorReport = Static<typeof TrustAnchor>

const Certificate = Type.Object({
  sha256: sha256(),
  subject: Type.String(),
  trustAnchor: optional(TrustAnchor),
})

const Revocation = Type.Object({
  certificateSha256: sha256(),
  status: stringEnum(['good', 'revoked', 'stale', 'unknown']),
  type: optional(stringEnum(['CRL', 'OCSP'])),
  origin: optional(stringEnum(['DSS', 'CMS', 'ONLINE'])),
  producedAt: optional(timestamp()),
  revokedAt: optional(timestamp()),
  reason: optional(Type.String()),
})

const OPINIONS = ['right', 'wrong', 'unknown'] as const

const SecondOpinion = Type.Object(
  {
    value: stringEnum(OPINIONS),
    path: optional(stringEnum(OPINIONS)),
    revocation: optional(stringEnum(OPINIONS)),
  },
  { description: 'What a second, independent validation library says' },
)

const timeStamp = {
  productionTime: optional(timestamp()),
  ...indication,
  tsa: optional(Type.String({ description: 'Distinguished name of the authority' })),
  certificateChain: Type.Array(Certificate),
  qualification: optional(stringEnum(['QTSA', 'TSA', 'NA'])),
  secondOpinion: optional(SecondOpinion),
  ...findings,
}

const AtOneMoment = Type.Object({
  level: Type.String({ description: 'Of the certificate at that moment' }),
  qualified: Type.Boolean(),
  qscd: Type.Boolean({ description: 'Whether the key was in a qualified device' }),
  type: Type.String(),
  services: Type.Array(
    Type.Object({
      country: Type.String(),
      tsp: Type.String(),
      service: Type.String(),
      status: Type.String(),
    }),
  ),
  notes: Type.Array(Type.String()),
})

const Qualification = Type.Object({
  level: Type.String({ description: 'QESig, QESeal, AdESig-QC, …, NA (ETSI TS 119 615)' }),
  atIssuance: optional(AtOneMoment),
  atBestSignatureTime: optional(AtOneMoment),
})

const Signature = Type.Object({
  id: Type.String(),
  fieldName: Type.String(),
  ...indication,
  level: Type.String({ description: 'PAdES level (ETSI EN 319 142-1)' }),
  subFilter: Type.String(),
  type: stringEnum(['approval', 'certification']),
  integrity: Integrity,
  modifications: Modifications,
  signer: optional(Signer),
  certificateChain: Type.Array(Certificate),
  claimedSigningTime: optional(timestamp()),
  bestSignatureTime: timestamp('The earliest time at which the signature is proven to exist'),
  qualification: optional(Qualification),
  revocation: Type.Array(Revocation),
  timestamps: Type.Array(Type.Object({ type: stringEnum(['signature']), ...timeStamp })),
  secondOpinion: optional(SecondOpinion),
  ...findings,
  infos: Type.Array(Finding),
})

const DocumentTimeStamp = Type.Object({
  id: Type.String(),
  fieldName: Type.String(),
  type: stringEnum(['document']),
  ...timeStamp,
  integrity: Integrity,
  modifications: Modifications,
})

/** The part of a report that follows from the document; other code adds trust and qualification. */
const core = {
  reportVersion: Type.Integer(),
  validationTime: timestamp(),
  policy: Type.Object({
    id: Type.String(),
    version: Type.Integer(),
    formFilling: optional(stringEnum(['permitted', 'notPermitted'])),
    sha256: optional(
      sha256('SHA-256 of the policy file, lower-case hexadecimal; absent for the built-in policy'),
    ),
  }),
  document: Type.Object({
    size: Type.Integer(),
    sha256: sha256(),
    pdfVersion: optional(Type.String()),
    revisions: Type.Integer(),
    encrypted: Type.Boolean(),
    unsignedTailBytes: Type.Integer(),
  }),
  summary: Type.Object({
    indication: optional(stringEnum(INDICATIONS)),
    signaturesCount: Type.Integer(),
    validSignaturesCount: Type.Integer(),
    documentModifiedAfterSigning: stringEnum(MODIFIED),
  }),
  signatures: Type.Array(Signature),
  documentTimestamps: Type.Array(DocumentTimeStamp),
}

export const CoreReport = Type.Object(core)
export type CoreReport = Static<typeof CoreReport>

/** What a reader must know beside a good verdict. */
export const REMARKS = {
  BYTES_AFTER_LAST_REVISION: 'Bytes that nobody signed follow the last revision of the document',
  ISSUED_EARLIER: 'The service issued an earlier state of the document; more was added afterwards',
} as const
export type Remark = keyof typeof REMARKS

export const ValidationReport = Type.Object({
  ...core,
  summary: Type.Object({
    ...core.summary.properties,
    remarks: optional(
      Type.Array(
        Type.Object({
          code: stringEnum(Object.keys(REMARKS) as Remark[]),
          message: Type.String({ description: 'For people; may change' }),
        }),
        { description: 'What to tell first; absent when there is nothing' },
      ),
    ),
  }),
  issuedByService: Type.Boolean({
    description:
      'Whether this service issued the document or an earlier state of it, and a signature of ' +
      'its is valid; `summary.remarks` says when the file is not exactly what was issued',
  }),
  trustedLists: optional(
    Type.Object({
      sequence: Type.Integer({ description: 'Of the list of lists' }),
      issueDate: timestamp(),
      nextUpdate: optional(timestamp()),
      stale: Type.Boolean({ description: 'Whether a list is past its next update' }),
      staleTerritories: Type.Array(Type.String()),
      problems: Type.Array(
        Type.Object({ territory: Type.String(), code: Type.String(), at: timestamp() }),
      ),
    }),
  ),
})
export type ValidationReport = Static<typeof ValidationReport>
