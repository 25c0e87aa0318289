/** Judges one signature: time, certificates, algorithms, changes (EN 319 102-1, 5.3 and 5.5). */

import type { CertificationPath } from '../cms/certification-path.ts'
import type { Certificate } from '../cms/certificate-reader.ts'
import { nameAttribute } from '../cms/names.ts'
import { OID } from '../cms/object-identifiers.ts'
import { archivedRevocation } from '../cms/revocation-values.ts'
import { HASHES } from '../cms/signature-algorithms.ts'
import { referenceIsByMd5 } from '../cms/signed-data-reader.ts'
import type { SignerInfo } from '../cms/signed-data-reader.ts'
import { conclude, infosOf } from '../findings.ts'
import type { FindingKey, InfoKey } from '../findings.ts'
import {
  isExpired,
  pathAlgorithms,
  pathStrength,
  signatureAlgorithms,
  signatureStrength,
  strengthFindings,
} from './algorithm-policy.ts'
import { integrityReport } from './integrity.ts'
import type { ExaminedSignature } from './integrity.ts'
import type { ModificationsReport, SignatureReport, SignerReport } from './report.ts'
import type { LongTerm } from './long-term.ts'
import { laterRevocation, revocationReports, signerRevocation } from './revocation-findings.ts'
import type { ProvenEvidence } from './revocation-findings.ts'
import { evidenceOf } from './security-store-reader.ts'
import { levelOf } from './signature-level.ts'
import { judgeContentTimeStamps, withTimeOrder } from './time-order.ts'
import type { OrderedStamp } from './time-order.ts'
import { chainReport, earliestProof, judgeSignatureTimeStamps } from './time-stamps.ts'
import type { JudgedTimeStamp, JudgedToken, Proof, Trust } from './time-stamps.ts'

export interface SignatureContext {
  readonly id: string
  /** As the report shows it. */
  readonly fieldName: string
  readonly trust: Trust
  readonly modifications: ModificationsReport
  readonly isCertification: boolean
  /** When document time-stamps prove that the signature existed, else the time of validation. */
  readonly provenBy: Date
  /** Document time-stamps over the signature. */
  readonly stampsOver: readonly OrderedStamp[]
  /** Digest of the signed octets of the document; undefined when it is not known. */
  readonly digestOf: (hash: string) => Uint8Array | undefined
  readonly longTerm: LongTerm
  /** Findings about the document that every signature shares, and about this one's field. */
  readonly shared: readonly FindingKey[]
  /** What is worth knowing and no fault. */
  readonly infos: readonly InfoKey[]
  readonly fileEnd: number
}

/** Judges a signature that was examined. */
export function judgeSignature(
  examined: ExaminedSignature,
  context: SignatureContext,
): SignatureReport {
  const { trust, modifications } = context
  const { found, signedData, certificate } = examined
  const findings: FindingKey[] = [...examined.findings, ...context.shared]
  const signer = signedData?.signers.length === 1 ? signedData.signers[0] : undefined
  const proof = { at: context.provenBy, proven: context.longTerm.proven }
  const timeStamps = signer ? judgeSignatureTimeStamps(signer, trust, proof) : []
  findings.push(...timeStampFindings(timeStamps))
  const bestSignatureTime = earliestProof(timeStamps, context.provenBy)
  const path =
    certificate &&
    trust.paths.find(certificate, {
      anchors: trust.trusted('signature', bestSignatureTime),
      intermediates: [...(signedData?.certificates ?? []), ...trust.intermediates],
      at: bestSignatureTime,
      purpose: 'signature',
    })
  const proven = [...proof.proven, signedEvidence(signer, bestSignatureTime)]
  if (path) findings.push(...pathFindings(path, trust, { at: bestSignatureTime, proven }))
  if (path) trust.lacking.notePath(path)
  findings.push(...algorithmFindings(signer, path, trust, bestSignatureTime))
  findings.push(...modificationFindings(modifications, trust.permitsFormFilling))
  const contentStamps = contentTimeStamps(signer, context, { at: bestSignatureTime, proven })
  findings.push(...contentStampFindings(contentStamps))
  const stamps = [
    ...context.stampsOver,
    ...timeStamps.map((judged) => ({ judged, at: context.provenBy })),
    ...contentStamps.map((judged) => ({ judged, at: bestSignatureTime })),
  ]
  const { indication, subIndication, errors, warnings } = conclude(
    withTimeOrder(findings, stamps, trust.validationTime),
  )
  return {
    id: context.id,
    fieldName: context.fieldName,
    indication,
    ...(subIndication && { subIndication }),
    level: levelOf(examined, timeStamps, { ...trust, longTerm: context.longTerm }),
    subFilter: found.subFilter,
    type: context.isCertification ? 'certification' : 'approval',
    integrity: integrityReport(examined, context.fileEnd),
    modifications,
    ...(certificate && { signer: signerReport(certificate) }),
    certificateChain: chainReport(path),
    ...(found.claimedSigningTime && { claimedSigningTime: found.claimedSigningTime.toISOString() }),
    bestSignatureTime: bestSignatureTime.toISOString(),
    revocation: path?.anchored
      ? revocationReports(path.certificates, trust, bestSignatureTime)
      : [],
    timestamps: timeStamps.map(({ report }) => report),
    errors,
    warnings,
    infos: infosOf(context.infos),
  }
}

/** Whether the signer and those above use algorithms that do not count. */
function algorithmFindings(
  signer: SignerInfo | undefined,
  path: CertificationPath | undefined,
  trust: Trust,
  at: Date,
): FindingKey[] {
  const digestHash = signer && HASHES[signer.digestAlgorithm.type]
  const isWeak =
    (signer && signatureStrength(signer.signatureAlgorithm, digestHash) === 'weak') ||
    referenceIsByMd5(signer?.signedAttributes)
  const used = [
    ...(signer ? signatureAlgorithms(signer.signatureAlgorithm, digestHash) : []),
    ...(path ? pathAlgorithms(path.certificates, path.anchored) : []),
  ]
  const isOld = isExpired(used, trust.algorithmExpiries, at)
  return isWeak || isOld ? ['ALGORITHM_TOO_WEAK'] : []
}

/** The revocation data that the signature itself covers. */
const signedEvidence = (signer: SignerInfo | undefined, at: Date): ProvenEvidence => ({
  at,
  evidence: () => evidenceOf([archivedRevocation(signer?.signedAttributes)]),
})

function timeStampFindings(timeStamps: readonly JudgedTimeStamp[]): FindingKey[] {
  return timeStamps.flatMap(({ isBroken, conclusion }): FindingKey[] => {
    if (isBroken) return ['SIGNATURE_TIME_STAMP_BROKEN']
    if (conclusion.indication !== 'TOTAL_PASSED') return ['SIGNATURE_TIME_STAMP_NOT_TRUSTED']
    return conclusion.warnings.map(({ key }) => key)
  })
}

const contentTimeStamps = (
  signer: SignerInfo | undefined,
  { trust, digestOf }: SignatureContext,
  proof: Proof,
): JudgedToken[] => {
  const imprintOf = (hash: string) => digestOf(hash) ?? new Uint8Array()
  return signer ? judgeContentTimeStamps(signer, imprintOf, trust, proof) : []
}

const contentStampFindings = (stamps: readonly JudgedToken[]): FindingKey[] =>
  stamps.some(({ conclusion }) => conclusion.indication !== 'TOTAL_PASSED')
    ? ['CONTENT_TIME_STAMP_NOT_TRUSTED']
    : []

/** What the changes after a signature or time-stamp come to. */
export function modificationFindings(
  { level, filledFields }: ModificationsReport,
  permitsFormFilling: boolean,
): FindingKey[] {
  if (level === 'OTHER') return ['MODIFIED_AFTER_SIGNING']
  if (!filledFields) return []
  return [permitsFormFilling ? 'FORM_FILLED' : 'FORM_FILLED_AFTER_SIGNING']
}

/** What a path adds to the findings about a signature. */
function pathFindings(path: CertificationPath, trust: Trust, { at, proven }: Proof): FindingKey[] {
  const strength = pathStrength(path.certificates, path.anchored)
  const findings: FindingKey[] = [...path.problems, ...strengthFindings(strength)]
  // Addresses of lists are not requested when they come from authorities that are not trusted.
  if (!path.anchored) return findings
  return [
    ...findings,
    ...signerRevocation(path.certificates, trust, at),
    ...laterRevocation(path.certificates, trust, at, proven),
  ]
}

function signerReport(certificate: Certificate): SignerReport {
  const { commonName } = certificate
  const organizationIdentifier = nameAttribute(certificate.subject, OID.organizationIdentifier)
  return {
    ...(commonName !== undefined && { commonName }),
    subject: certificate.subjectText,
    serialNumber: certificate.serialNumberText,
    ...(organizationIdentifier !== undefined && { organizationIdentifier }),
    certificateSha256: certificate.sha256,
    notBefore: certificate.notBefore.toISOString(),
    notAfter: certificate.notAfter.toISOString(),
  }
}
