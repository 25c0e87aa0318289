/**
 * Reads the container of each signature and checks its bytes and value, before anyone is trusted
 * (EN 319 102-1, 5.2.2, 5.2.3 and 5.2.7).
 */

import { createHash } from 'node:crypto'
import type { PathFinder } from '../cms/certification-path.ts'
import type { Certificate } from '../cms/certificate-reader.ts'
import { compareOctets } from '../cms/der.ts'
import { DerError, readFirstElement } from '../cms/der-reader.ts'
import { OID } from '../cms/object-identifiers.ts'
import { odditiesOf } from '../cms/oddities.ts'
import { algorithmName, HASHES } from '../cms/signature-algorithms.ts'
import { findSignerCertificate, readSignedData } from '../cms/signed-data-reader.ts'
import type { SignedData } from '../cms/signed-data-reader.ts'
import { checkSigner } from '../cms/signer-info.ts'
import type { SignerProblem, SignerVerdict } from '../cms/signer-info.ts'
import { PadesError } from '../errors.ts'
import type { FindingKey } from '../findings.ts'
import { readFields } from '../pdf/acro-form.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { PdfReference } from '../pdf/values.ts'
import { checkByteRange } from './byte-range.ts'
import type { CheckedByteRange } from './byte-range.ts'
import { RangeDigests } from './digests.ts'
import type { Coverage, IntegrityReport } from './report.ts'
import { forgetting, revisionEndingAt } from './revisions.ts'
import type { Revision } from './revisions.ts'
import type { FoundSignature } from './signature-fields.ts'

/** What is known of a signature before certificates and changes are judged. */
export interface ExaminedSignature {
  readonly found: FoundSignature
  readonly range: CheckedByteRange | undefined
  readonly revision: Revision | undefined
  readonly signedData: SignedData | undefined
  readonly certificate: Certificate | undefined
  /** Undefined for a document time-stamp and for what cannot be read. */
  readonly verdict: SignerVerdict | undefined
  readonly findings: readonly FindingKey[]
}

export const CADES = 'ETSI.CAdES.detached'
export const LEGACY = 'adbe.pkcs7.detached'
const DOCUMENT_TIME_STAMP = 'ETSI.RFC3161'
const SHA1 = 'adbe.pkcs7.sha1'
const SUB_FILTERS: ReadonlySet<string> = new Set([CADES, LEGACY, DOCUMENT_TIME_STAMP, SHA1])

/**
 * Checks every signature that was found.
 *
 * @param digestedFrom what lies before this offset is left out of the digests
 * @returns `digests` are those of all signatures, made in one pass
 */
export function examineSignatures(
  document: PdfDocument,
  found: readonly FoundSignature[],
  context: { anchors: readonly Certificate[]; paths: PathFinder; digestedFrom: number },
): { examined: ExaminedSignature[]; digests: RangeDigests } {
  const { located, digests } = locateSignatures(document, found, context.digestedFrom)
  const { anchors, paths } = context
  const examined = located.map((one) =>
    forgetting(one.revision, () => examineSignature(one, digests, anchors, paths)),
  )
  return { examined, digests }
}

/** Finds range and revision of each signature, and the digests that all of them share. */
function locateSignatures(
  document: PdfDocument,
  found: readonly FoundSignature[],
  digestedFrom: number,
) {
  const located = found.map((signature) => {
    const range = checkByteRange(document, signature)
    const revision = range && revisionEndingAt(document, range.end)
    // In a damaged file it is unknown where revisions end.
    return { found: signature, range, revision, isDamaged: document.repaired }
  })
  const digests = new RangeDigests(
    document.bytes,
    located.flatMap(({ range }) => (range ? [range] : [])),
    located.flatMap(({ revision }) => (revision ? [revision.end] : [])),
    digestedFrom,
  )
  return { located, digests }
}

type Located = ReturnType<typeof locateSignatures>['located'][number]

function examineSignature(
  located: Located,
  digests: RangeDigests,
  anchors: readonly Certificate[],
  paths: PathFinder,
): ExaminedSignature {
  const { found, range, revision } = located
  const findings = formatFindings(located)
  const base = {
    found,
    range,
    revision,
    findings,
    signedData: undefined,
    certificate: undefined,
    verdict: undefined,
  }
  const isUnknown = findings.includes('SUB_FILTER_UNKNOWN')
  const signedData = readContainer(found.contents, paths)
  // What another kind of signature holds is its own affair.
  if (isUnknown && (!signedData || signedData.content)) return base
  if (!signedData) {
    findings.push('CONTENTS_UNREADABLE')
    return base
  }
  if (hasBytesAfterContainer(found.contents)) findings.push('CONTENTS_BYTES_AFTER_CMS')
  if (found.isDocumentTimeStamp) return { ...base, signedData }
  const [signer] = signedData.signers
  const certificate = signer && findSignerCertificate(signer, signedData.certificates)
  const digestOf = (hash: string) => (range ? digests.of(range, hash) : undefined)
  const verdict = checkContainer(signedData, found.subFilter, { certificate, digestOf })
  const digestHash = signer && HASHES[signer.digestAlgorithm.type]
  if (range && digestHash && !digestOf(digestHash)) findings.push('TOO_MUCH_TO_HASH')
  if (found.subFilter === SHA1) findings.push('ALGORITHM_TOO_WEAK')
  findings.push(...verdict.problems.map((problem) => tolerated(problem, found.subFilter)))
  findings.push(...odditiesOf(signedData, anchors, paths))
  return { ...base, signedData, certificate, verdict }
}

interface ContainerOptions {
  readonly certificate: Certificate | undefined
  /** Digest of the signed bytes of the document; undefined when it is not known. */
  readonly digestOf: (hash: string) => Uint8Array | undefined
}

function checkContainer(
  signedData: SignedData,
  subFilter: string,
  { certificate, digestOf }: ContainerOptions,
): SignerVerdict {
  const options = { certificate, contentType: OID.data }
  if (subFilter !== SHA1) {
    return checkSigner(signedData, {
      ...options,
      digestOf: (hash) => digestOf(hash) ?? new Uint8Array(),
    })
  }
  // ISO 32000-1, 12.8.3.3.1: the CMS signs the SHA-1 digest of the bytes, which is inside.
  const content = signedData.content ?? new Uint8Array()
  const verdict = checkSigner(signedData, {
    ...options,
    isEnveloping: true,
    digestOf: (hash) => createHash(hash).update(content).digest(),
  })
  const isOfDocument = compareOctets(content, digestOf('sha1') ?? new Uint8Array()) === 0
  if (isOfDocument) return { ...verdict, digestMatches: verdict.digestMatches ?? true }
  return { ...verdict, digestMatches: false, problems: [...verdict.problems, 'DIGEST_DIFFERS'] }
}

function hasBytesAfterContainer(contents: Uint8Array): boolean {
  const { end } = readFirstElement(contents)
  return contents.subarray(end).some((octet) => octet !== 0)
}

/** Format checking (EN 319 102-1, 5.2.2), as far as the PDF is concerned. */
function formatFindings({ found, range, revision, isDamaged }: Located): FindingKey[] {
  const findings: FindingKey[] = []
  if (!range) findings.push('BYTE_RANGE_INVALID')
  else if (!revision && !isDamaged) findings.push('BYTE_RANGE_NOT_A_REVISION')
  if (revision && found.isInForm && !wasInField(revision, found))
    findings.push('FIELD_NOT_IN_REVISION')
  if (range && !range.isPlain) findings.push('CONTENTS_ODDLY_WRITTEN')
  if (!SUB_FILTERS.has(found.subFilter)) findings.push('SUB_FILTER_UNKNOWN')
  return findings
}

/** Whether the field showed this signature already in the revision that the signature closes. */
function wasInField({ document }: Revision, { field, object }: FoundSignature): boolean {
  return readFields(document).some(
    ({ reference, value, name }) =>
      reference?.number === field.reference?.number &&
      name === field.name &&
      (object === undefined || (value instanceof PdfReference && value.number === object)),
  )
}

/** Signatures from before PAdES need no reference to their certificate. */
function tolerated(problem: SignerProblem, subFilter: string): FindingKey {
  return problem === 'SIGNING_CERTIFICATE_NOT_NAMED' && (subFilter === LEGACY || subFilter === SHA1)
    ? 'SIGNING_CERTIFICATE_NOT_NAMED_LEGACY'
    : problem
}

function readContainer(contents: Uint8Array, paths: PathFinder): SignedData | undefined {
  try {
    const { encoded } = readFirstElement(contents)
    return readSignedData(encoded, (certificate) => paths.share(certificate))
  } catch (error) {
    if (error instanceof PadesError || error instanceof DerError) return undefined
    throw error
  }
}

/** Whether the digest and the value of a signature of a current kind are right, for any signer. */
export const isIntact = ({ found, revision, verdict }: ExaminedSignature) =>
  (found.subFilter === CADES || found.subFilter === LEGACY) &&
  revision !== undefined &&
  verdict?.digestMatches === true &&
  verdict.valueIsRight === true

/** Whether one signature covers another: what it signs ends behind the end of what that signs. */
export const covers = (one: ExaminedSignature, other: ExaminedSignature): boolean =>
  one.revision !== undefined &&
  other.revision !== undefined &&
  one.revision.end > other.revision.end

/** The part of a report that needs no trust. */
export function integrityReport(
  { found, range, revision, signedData, verdict, findings }: ExaminedSignature,
  fileEnd: number,
): IntegrityReport {
  const signer = signedData?.signers[0]
  const digestType = signer?.digestAlgorithm.type
  const { digestMatches, valueIsRight } = verdict ?? {}
  return {
    byteRange: found.byteRange,
    byteRangeValid: range !== undefined && !findings.includes('BYTE_RANGE_NOT_A_REVISION'),
    coverage: coverageOf(range, revision, fileEnd),
    ...(revision && { revision: revision.number }),
    ...(digestType && { digestAlgorithm: HASHES[digestType] ?? digestType }),
    ...(digestMatches !== undefined && { digestMatch: digestMatches }),
    ...(signer &&
      digestType && {
        signatureAlgorithm: algorithmName(signer.signatureAlgorithm, HASHES[digestType]),
      }),
    ...(valueIsRight !== undefined && { signatureValueValid: valueIsRight }),
  }
}

function coverageOf(
  range: CheckedByteRange | undefined,
  revision: Revision | undefined,
  fileEnd: number,
): Coverage {
  if (!range || !revision) return 'PARTIAL'
  return range.end === fileEnd ? 'ENTIRE_FILE' : 'ENTIRE_REVISION'
}
