/** Example of a validation report for the API reference: one signature of this service. */
import type { ValidationReport } from './validation-report.ts'

const SHA256 = 'd4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35'
const CERTIFICATE = '5b1f7c0e93a2d46885fbc1e07a9d34620f8e5c7ab1d2934e6f70819a2b3c4d5e'
const ROOT = '8f1de2a90c3b7745d6be1c0f9a52e3487b60d1f2c394a5e687d1c2b3a4f5e607'
const SUBJECT = 'CN=Jana Nováková'
const ROOT_SUBJECT = 'CN=sigcase local root CA,O=sigcase local service'
const SIGNED = '2026-11-02T10:01:50.000Z'

const ROOT_CERTIFICATE = {
  sha256: ROOT,
  subject: ROOT_SUBJECT,
  trustAnchor: { source: 'service-root' as const },
}

export const VALIDATION_REPORT: ValidationReport = {
  reportVersion: 1,
  validationTime: '2026-11-03T09:00:00.000Z',
  policy: { id: 'sigcase-strict', version: 2, formFilling: 'notPermitted' },
  document: {
    size: 182_334,
    sha256: SHA256,
    pdfVersion: '1.7',
    revisions: 2,
    encrypted: false,
    unsignedTailBytes: 0,
  },
  issuedByService: true,
  summary: {
    indication: 'TOTAL_PASSED',
    signaturesCount: 1,
    validSignaturesCount: 1,
    documentModifiedAfterSigning: 'permitted',
  },
  signatures: [
    {
      id: 'S-1',
      fieldName: 'sigcase-seal',
      indication: 'TOTAL_PASSED',
      level: 'PAdES-BASELINE-LTA',
      subFilter: 'ETSI.CAdES.detached',
      type: 'approval',
      integrity: {
        byteRange: [0, 90_210, 106_596, 12_044],
        byteRangeValid: true,
        coverage: 'ENTIRE_REVISION',
        revision: 2,
        digestAlgorithm: 'sha256',
        digestMatch: true,
        signatureAlgorithm: 'ECDSA with sha256',
        signatureValueValid: true,
      },
      modifications: { level: 'LTA_UPDATES', changes: [] },
      signer: {
        commonName: 'Jana Nováková',
        subject: SUBJECT,
        serialNumber: '4be1',
        certificateSha256: CERTIFICATE,
        notBefore: '2026-11-02T09:51:50.000Z',
        notAfter: '2026-11-02T11:01:50.000Z',
      },
      certificateChain: [{ sha256: CERTIFICATE, subject: SUBJECT }, ROOT_CERTIFICATE],
      claimedSigningTime: SIGNED,
      bestSignatureTime: SIGNED,
      qualification: { level: 'NA' },
      revocation: [
        {
          certificateSha256: CERTIFICATE,
          status: 'good',
          type: 'CRL',
          origin: 'DSS',
          producedAt: '2026-11-02T10:00:00.000Z',
        },
      ],
      secondOpinion: { value: 'right', path: 'right', revocation: 'right' },
      timestamps: [
        {
          type: 'signature',
          productionTime: SIGNED,
          indication: 'TOTAL_PASSED',
          tsa: 'CN=sigcase local time-stamp authority,O=sigcase local service',
          certificateChain: [ROOT_CERTIFICATE],
          qualification: 'NA',
          errors: [],
          warnings: [],
        },
      ],
      errors: [],
      warnings: [],
      infos: [],
    },
  ],
  documentTimestamps: [],
}
