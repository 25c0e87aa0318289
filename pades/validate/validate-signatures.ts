/** Validates every signature and document time-stamp of a PDF (EN 319 102-1, 5; EN 319 142-1). */

import { Buffer } from 'node:buffer'
import type { Certificate } from '../cms/certificate-reader.ts'
import { PathFinder } from '../cms/certification-path.ts'
import { compareOctets } from '../cms/der.ts'
import { readDer } from '../cms/der-reader.ts'
import type { RevocationData } from '../cms/revocation.ts'
import { archivedRevocation } from '../cms/revocation-values.ts'
import { PadesError } from '../errors.ts'
import { conclude } from '../findings.ts'
import type { FindingKey } from '../findings.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { readDocument } from '../pdf/open.ts'
import type { RangeDigests } from './digests.ts'
import { readHistory } from './history.ts'
import type { History } from './history.ts'
import { examineSignature, integrityReport, isIntact, locateSignatures } from './integrity.ts'
import type { ExaminedSignature } from './integrity.ts'
import { earliestOf, judgeSignature } from './judge-signature.ts'
import { Lacking } from './lacking.ts'
import { evidenceIn, longTermOf } from './long-term.ts'
import type { StampedDocument } from './long-term.ts'
import { judgeModifications } from './modifications.ts'
import type {
  DocumentTimeStampReport,
  ModificationsReport,
  SignatureReport,
  ValidationReport,
} from './report.ts'
import { readRestrictions } from './restrictions.ts'
import { evidenceOf, readSecurityStore } from './security-store-reader.ts'
import type { SecurityStore } from './security-store-reader.ts'
import { endOfLastRevision, looksLikeRevision } from './revisions.ts'
import type { Revision } from './revisions.ts'
import { findSignatures } from './signature-fields.ts'
import { summarise } from './summary.ts'
import { judgeTimeStamp } from './time-stamps.ts'
import type { JudgedTimeStamp, Trust } from './time-stamps.ts'
import { Anchors } from './trust-anchors.ts'
import type { TrustAnchor } from './trust-anchors.ts'

export interface ValidationOptions {
  /** Whom to trust, as DER or with limits; nobody else is. */
  trustAnchors: readonly (Uint8Array | TrustAnchor)[]
  validationTime: Date
  /**
   * Lets certificates count whose published revocation was not looked at; without it they are
   * INDETERMINATE, TRY_LATER. For those who know that nothing was revoked.
   */
  acceptUncheckedRevocation?: boolean
  /** Revocation data from elsewhere, beside what the document has in it. */
  revocationData?: RevocationData
}

/** A report, and what somebody needs who wants to add to it. */
export interface Validation {
  readonly report: ValidationReport
  /** What would have told more. */
  readonly lacking: Pick<Lacking, 'revocation' | 'anchors'>
  /** Those of the report's chains. */
  readonly certificates: readonly Certificate[]
  /** Digests of the document as it was when it was signed or stamped, and as it is. */
  readonly revisions: readonly RevisionDigest[]
}

/** The document up to the end of one of its revisions. */
export interface RevisionDigest {
  /** Offset of its end. */
  readonly end: number
  /** Lower-case hex. */
  readonly sha256: string
}

/** As {@link validate}, for those who want the report alone. */
export async function validateSignatures(
  bytes: Uint8Array,
  options: ValidationOptions,
): Promise<ValidationReport> {
  return (await validate(bytes, options)).report
}

/**
 * Validates all signatures of a document. A signature that is not valid is a result, not an error.
 *
 * @param bytes the PDF; not changed
 * @throws PadesError `NOT_A_PDF`, `DAMAGED`, `ENCRYPTED`, `TOO_MANY_OBJECTS`, `LIMIT_EXCEEDED` when
 *   the document cannot be read, `BAD_CERTIFICATE` for a trust anchor
 */
export async function validate(bytes: Uint8Array, options: ValidationOptions): Promise<Validation> {
  return validateBehind(bytes, options, 0)
}

/**
 * As {@link validate}, for a rehearsal, which makes and reads digests without what was there
 * before: of others' signatures it learns nothing.
 *
 * @param start offset from which octets count in digests
 */
export async function validateBehind(
  bytes: Uint8Array,
  options: ValidationOptions,
  start: number,
): Promise<Validation> {
  const paths = new PathFinder()
  const anchors = new Anchors(options.trustAnchors, paths)
  try {
    return readDocument(bytes, (document) =>
      validateDocument(document, { ...options, digestedFrom: start }, anchors, paths),
    )
  } catch (error) {
    if (!(error instanceof PadesError) || error.code !== 'DAMAGED') throw error
    // What cannot be read for want of a key looks damaged.
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    throw file.includes('/Encrypt') ? new PadesError('ENCRYPTED') : error
  }
}

interface Examination {
  readonly document: PdfDocument
  readonly examined: readonly ExaminedSignature[]
  readonly stamped: readonly StampedDocument[]
  readonly digests: RangeDigests
  readonly history: History | undefined
  readonly unsignedTailBytes: number
  readonly trust: Trust
  /** What the document has in it. */
  readonly evidence: StampedDocument['evidence']
}

/** What is known of revocations: from the store, from each CMS, from elsewhere, in this order. */
function revocationOf(
  examined: readonly ExaminedSignature[],
  store: SecurityStore | undefined,
  { revocationData, validationTime }: ValidationOptions,
): Pick<Trust, 'revocation' | 'originOf'> {
  const inside = examined.flatMap(({ signedData }) =>
    signedData
      ? [
          signedData.revocationData,
          ...signedData.signers.map((signer) => archivedRevocation(signer.signedAttributes)),
        ]
      : [],
  )
  const parts = [
    ...(store ? [{ origin: 'DSS' as const, data: store.data }] : []),
    ...inside.map((data) => ({ origin: 'CMS' as const, data })),
    ...(revocationData ? [{ origin: 'ONLINE' as const, data: revocationData }] : []),
  ]
  const isIn = ({ revocationLists, ocspResponses }: RevocationData, der: Uint8Array) =>
    [...revocationLists, ...ocspResponses].some((piece) => compareOctets(piece, der) === 0)
  const data = parts.map((part) => part.data)
  return {
    revocation: evidenceOf(data, validationTime),
    originOf: (der) => parts.find((part) => isIn(part.data, der))?.origin,
  }
}

/** Looks at a state of the document and lets go of it: fifty signers make fifty states. */
function forgetting<T>(revision: Revision | undefined, look: () => T): T {
  try {
    return look()
  } finally {
    revision?.document.forget()
  }
}

/**
 * In this order, because each step asks what the one before found:
 *
 * 1. find the signatures and digest what they cover (`examineSignature`: are the bytes intact?);
 * 2. judge document time-stamps, the newest first: each proves that those before it existed;
 * 3. report on each signature: its chain at the time that is proven for it, and what later
 *    revisions changed;
 * 4. sum up.
 *
 * A file of two signatures S-1, S-2 and a document time-stamp T-1 has three revisions: T-1 is
 * judged at the time of validation, S-1 and S-2 at the time of T-1 if that passed; to the report
 * on S-1 belongs what S-2 and T-1 changed.
 */
function validateDocument(
  document: PdfDocument,
  options: ValidationOptions & { digestedFrom: number },
  anchors: Anchors,
  paths: PathFinder,
): Validation {
  const store = readSecurityStore(document, paths)
  const found = findSignatures(document)
  // Without its key, an encrypted document may hide its form; silence would look like "unsigned".
  if (document.isEncrypted && found.length === 0) throw new PadesError('ENCRYPTED')
  const { located, digests } = locateSignatures(document, found, options.digestedFrom)
  const examined = located.map((one) =>
    forgetting(one.revision, () => examineSignature(one, digests, anchors.certificates, paths)),
  )
  const lacking = new Lacking()
  const trust: Trust = {
    anchors: anchors.certificates,
    trusted: (purpose, at) => anchors.for(purpose, at),
    validationTime: options.validationTime,
    paths,
    acceptUncheckedRevocation: options.acceptUncheckedRevocation ?? false,
    lacking,
    intermediates: store?.certificates ?? [],
    ...revocationOf(examined, store, options),
  }
  const ends = examined.flatMap(({ revision }) => (revision ? [revision.end] : []))
  const examination: Examination = {
    document,
    examined,
    stamped: judgeDocumentTimeStamps(examined, digests, trust),
    digests,
    trust,
    evidence: evidenceIn(document, trust),
    history: historyOf(document, examined),
    unsignedTailBytes: document.bytes.length - endOfLastRevision(document, ends),
  }
  const report = reportOn(examination)
  return {
    report,
    lacking,
    certificates: paths.shared(sha256sOf(report)),
    revisions: revisionsOf(examination, ends),
  }
}

const isStamp = ({ found }: ExaminedSignature) => found.isDocumentTimeStamp

/** In the order of the file. */
function judgeDocumentTimeStamps(
  examined: readonly ExaminedSignature[],
  digests: RangeDigests,
  trust: Trust,
): StampedDocument[] {
  return examined.filter(isStamp).reduceRight<StampedDocument[]>((later, signature) => {
    const judged = judgeDocumentTimeStamp(signature, digests, trust, later)
    const { revision } = signature
    const evidence = forgetting(revision, () => evidenceIn(revision?.document, trust))
    return [{ signature, judged, evidence }, ...later]
  }, [])
}

function reportOn(examination: Examination): ValidationReport {
  const { examined, stamped, trust } = examination
  const signatures = examined
    .filter((one) => !isStamp(one))
    .map((signature, index) =>
      forgetting(signature.revision, () => reportSignature(signature, index, examination)),
    )
  const documentTimestamps = stamped.map((one, index) =>
    forgetting(one.signature.revision, () => reportDocumentTimeStamp(one, index, examination)),
  )
  const { validationTime } = trust
  return summarise({ ...examination, validationTime }, signatures, documentTimestamps)
}

/** Of all certificates that a report names. */
function sha256sOf({ signatures, documentTimestamps }: ValidationReport): Set<string> {
  const reports = [...signatures, ...signatures.flatMap((one) => one.timestamps)]
  const chains = [...reports, ...documentTimestamps].flatMap((one) => one.certificateChain)
  return new Set(chains.map(({ sha256 }) => sha256))
}

function revisionsOf({ document, digests }: Examination, ends: number[]): RevisionDigest[] {
  return [...new Set([...ends, document.bytes.length])].map((end) => ({
    end,
    sha256: Buffer.from(digests.prefix(end, 'sha256')).toString('hex'),
  }))
}

/** Where objects lead matters only when something follows a signature. */
function historyOf(
  document: PdfDocument,
  examined: readonly ExaminedSignature[],
): History | undefined {
  const signed = examined.flatMap(({ revision }) =>
    revision ? [{ end: revision.end, section: revision.newer.length }] : [],
  )
  if (signed.every(({ section, end }) => section === 0 && end === document.bytes.length)) {
    return { forwardReferences: [], straddling: [] }
  }
  try {
    return readHistory(document, signed)
  } catch (error) {
    if (error instanceof PadesError && error.code !== 'DAMAGED') return undefined
    throw error
  }
}

function modificationsOf(
  { revision, found }: ExaminedSignature,
  { document, history, examined, stamped }: Examination,
): ModificationsReport {
  if (!revision || !history) return { level: 'OTHER', changes: [] }
  const intactOnes = [
    ...examined.filter(isIntact),
    ...stamped.filter(({ judged }) => judged.isIntact).map(({ signature }) => signature),
  ].filter(({ revision: own }) => own !== undefined)
  const intact = new Map(
    intactOnes.flatMap(({ found: other }) =>
      other.object === undefined ? [] : [[other.object, other] as const],
    ),
  )
  try {
    const restrictions = readRestrictions(revision.document, found)
    return judgeModifications(revision, { document, history, intact, restrictions })
  } catch (error) {
    if (error instanceof PadesError) return { level: 'OTHER', changes: [] }
    throw error
  }
}

/** Findings about the document as a whole, and about fields that cannot be told apart. */
function sharedFindings(
  { found }: ExaminedSignature,
  { document, examined, unsignedTailBytes }: Examination,
): FindingKey[] {
  const findings: FindingKey[] = []
  if (unsignedTailBytes > 0) {
    const end = document.bytes.length - unsignedTailBytes
    findings.push('UNSIGNED_BYTES_AT_END')
    if (looksLikeRevision(document, end)) findings.push('REVISION_AT_END')
  }
  if (document.isEncrypted) findings.push('DOCUMENT_ENCRYPTED')
  if (document.repaired) findings.push('DOCUMENT_DAMAGED')
  const others = examined.filter((other) => other.found !== found).map((other) => other.found)
  if (others.some(({ field }) => field.name === found.field.name)) findings.push('NAMES_AMBIGUOUS')
  if (others.some(({ object }) => object !== undefined && object === found.object)) {
    findings.push('SIGNATURE_SHARED')
  }
  return findings
}

function reportSignature(
  examined: ExaminedSignature,
  index: number,
  examination: Examination,
): SignatureReport {
  const { document, trust, stamped } = examination
  const restrictions = readRestrictions(examined.revision?.document ?? document, examined.found)
  return judgeSignature(examined, {
    id: `S-${index + 1}`,
    trust,
    modifications: modificationsOf(examined, examination),
    isCertification: restrictions.isCertification,
    provenTimes: provenTimes(examined, stamped),
    longTerm: longTermOf(examined, stamped, examination.evidence),
    shared: sharedFindings(examined, examination),
    fileEnd: document.bytes.length,
  })
}

/** Times at which trusted document time-stamps prove that a signature or time-stamp existed. */
const provenTimes = (
  { revision }: ExaminedSignature,
  stamped: readonly StampedDocument[],
): Date[] =>
  stamped
    .filter(
      ({ signature, judged }) =>
        judged.conclusion.indication === 'TOTAL_PASSED' &&
        signature.revision &&
        revision &&
        signature.revision.end > revision.end,
    )
    .flatMap(({ judged }) => (judged.verdict.token ? [judged.verdict.token.genTime] : []))

function judgeDocumentTimeStamp(
  examined: ExaminedSignature,
  digests: RangeDigests,
  trust: Trust,
  later: readonly StampedDocument[],
): JudgedTimeStamp {
  const { found, range } = examined
  const imprintOf = (hash: string) => (range && digests.of(range, hash)) ?? new Uint8Array()
  const token = withoutPadding(found.contents)
  const at = earliestOf([...provenTimes(examined, later), trust.validationTime])
  return judgeTimeStamp({ token, type: 'document', imprintOf }, trust, at)
}

/** The element at the beginning of a padded `/Contents`; what is none is left to its reader. */
function withoutPadding(contents: Uint8Array): Uint8Array {
  try {
    return readDer(contents, true).encoded
  } catch {
    return contents
  }
}

function reportDocumentTimeStamp(
  { signature: examined, judged }: StampedDocument,
  index: number,
  examination: Examination,
): DocumentTimeStampReport {
  const modifications = modificationsOf(examined, examination)
  const findings: FindingKey[] = [
    ...judged.conclusion.errors.map(({ key }) => key),
    ...judged.conclusion.warnings.map(({ key }) => key),
    ...examined.findings,
    ...sharedFindings(examined, examination),
  ]
  if (modifications.level === 'OTHER') findings.push('MODIFIED_AFTER_SIGNING')
  const { indication, subIndication, errors, warnings } = conclude(findings)
  return {
    ...judged.report,
    type: 'document',
    id: `T-${index + 1}`,
    fieldName: examined.found.field.name,
    indication,
    ...(subIndication && { subIndication }),
    integrity: integrityReport(examined, examination.document.bytes.length),
    modifications,
    errors,
    warnings,
  }
}
