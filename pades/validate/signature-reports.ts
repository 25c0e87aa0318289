/** Reports on each signature and document time-stamp of a document that was examined. */

import { PadesError } from '../errors.ts'
import { conclude } from '../findings.ts'
import type { FindingKey, InfoKey } from '../findings.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { readSignatureRules } from '../pdf/signature-rules.ts'
import { appearanceInfos, visibleSignatures } from './appearance-infos.ts'
import type { RangeDigests } from './digests.ts'
import { provenBy } from './document-time-stamps.ts'
import type { StampedDocument } from './document-time-stamps.ts'
import type { History } from './history.ts'
import { covers, integrityReport, isIntact } from './integrity.ts'
import type { ExaminedSignature } from './integrity.ts'
import { growsLinearized } from '../syntax/linearized.ts'
import { judgeSignature, modificationFindings } from './judge-signature.ts'
import { longTermOf } from './long-term.ts'
import { judgeModifications } from './modifications.ts'
import type {
  DocumentTimeStampReport,
  ModificationsReport,
  SignatureReport,
  ValidationReport,
} from './report.ts'
import { isPlainlyWritten } from './plainly-written.ts'
import { forgetting, looksLikeRevision } from './revisions.ts'
import { shownNameOf } from './signature-fields.ts'
import type { FoundSignature } from './signature-fields.ts'
import type { SyntaxVerdicts } from './syntax.ts'
import { stampsOver } from './time-order.ts'
import type { Trust } from './time-stamps.ts'

/** All that is asked for a report on one of the signatures. */
export interface Examination {
  readonly document: PdfDocument
  readonly digests: RangeDigests
  readonly trust: Trust
  /** All signatures, document time-stamps among them, in the order of the file. */
  readonly examined: readonly ExaminedSignature[]
  /** Document time-stamps, in the order of the file. */
  readonly stamped: readonly StampedDocument[]
  /** What the document has in it. */
  readonly evidence: StampedDocument['evidence']
  /** Whether all validation data of the document were read. */
  readonly hasWholeStore: boolean
  /** Undefined when there is too much to read. */
  readonly history: History | undefined
  /** Undefined when there is too much to read. */
  readonly syntax: SyntaxVerdicts | undefined
  /** Octets behind the last revision. */
  readonly unsignedTailBytes: number
}

/** Readers look for the end mark in the last 1,024 bytes (7.5.5); others are repaired. */
const MAX_TAIL_BYTES = 900

interface ReportContext extends Examination {
  /** Signatures whose bytes and values are right, by the number of their dictionary's object. */
  readonly intact: ReadonlyMap<number, FoundSignature>
  readonly infos: ReadonlyMap<ExaminedSignature, readonly InfoKey[]>
  /** Whether the file names a length that it did not have when it was first signed. */
  readonly growsLinearized: boolean
}

/** Both in the order of the file. */
export function reportSignatures(
  examination: Examination,
): Pick<ValidationReport, 'signatures' | 'documentTimestamps'> {
  const signatures = examination.examined.filter(({ found }) => !found.isDocumentTimeStamp)
  const infos = appearanceInfos(examination.document, signatures)
  const context = {
    ...examination,
    intact: intactSignatures(examination),
    infos,
    growsLinearized: isLinearizedLater(examination),
  }
  const reports = signatures.map((one, index) =>
    forgetting(one.revision, () => reportSignature(one, `S-${index + 1}`, context)),
  )
  return {
    signatures: withUntrustedCovers(examination.document, signatures, reports),
    documentTimestamps: examination.stamped.map((one, index) =>
      forgetting(one.signature.revision, () =>
        reportDocumentTimeStamp(one, `T-${index + 1}`, context),
      ),
    ),
  }
}

/**
 * Adds a finding to signatures that are followed by a visible one without a trust anchor: anyone
 * can make such a signature and cover what was signed with its appearance.
 *
 * @param reports on the signatures, in the same order
 */
function withUntrustedCovers(
  document: PdfDocument,
  signatures: readonly ExaminedSignature[],
  reports: readonly SignatureReport[],
): SignatureReport[] {
  const isTrusted = ({ certificateChain }: SignatureReport) =>
    certificateChain.at(-1)?.trustAnchor !== undefined
  const untrusted = signatures.filter((_, index) => !isTrusted(reports[index] as SignatureReport))
  if (untrusted.length === 0) return [...reports]
  const visible = visibleSignatures(document, signatures)
  const covering = untrusted.filter((one) => visible.has(one))
  return reports.map((report, index) => {
    const own = signatures[index] as ExaminedSignature
    if (!covering.some((one) => covers(one, own))) return report
    const keys = [...report.errors, ...report.warnings].map(({ key }) => key)
    return { ...report, ...conclude([...keys, 'COVERED_BY_UNTRUSTED']) }
  })
}

/** What was added after the first signature may be what makes the named length true. */
function isLinearizedLater({ examined }: Examination): boolean {
  const revisions = examined.flatMap(({ revision }) => revision ?? [])
  const [first] = revisions.sort((a, b) => a.end - b.end)
  return first !== undefined && growsLinearized(first.document)
}

function intactSignatures({ examined, stamped }: Examination): ReportContext['intact'] {
  const intact = [
    ...examined.filter(isIntact),
    ...stamped.filter(({ judged }) => judged.isIntact).map(({ signature }) => signature),
  ]
  return new Map(
    intact.flatMap(({ found, revision }) =>
      revision && found.isInForm && found.object !== undefined
        ? [[found.object, found] as const]
        : [],
    ),
  )
}

function reportSignature(
  examined: ExaminedSignature,
  id: string,
  context: ReportContext,
): SignatureReport {
  const { document, digests, trust, stamped, evidence } = context
  const { found, range } = examined
  const { dictionary, field } = found
  const signedDocument = examined.revision?.document ?? document
  const { certification } = readSignatureRules(signedDocument, dictionary, field.dictionary)
  return judgeSignature(examined, {
    id,
    fieldName: shownNameOf(found, document),
    trust,
    modifications: modificationsOf(examined, context),
    isCertification: certification !== undefined && isFirst(examined, context),
    provenBy: provenBy(examined, stamped, trust.validationTime),
    stampsOver: stampsOver(examined, stamped, trust.validationTime),
    digestOf: (hash) => range && digests.of(range, hash),
    longTerm: longTermOf(examined, stamped, evidence),
    shared: sharedFindings(examined, context),
    infos: context.infos.get(examined) ?? [],
    fileEnd: document.bytes.length,
  })
}

/** Only the first signed field certifies a document (ISO 32000-2, 12.8.2.2.1). */
function isFirst(one: ExaminedSignature, { examined }: Examination): boolean {
  const first = examined.find(({ found, revision }) => found.isInForm && revision)
  return first === undefined || first === one
}

function reportDocumentTimeStamp(
  { signature: examined, judged }: StampedDocument,
  id: string,
  context: ReportContext,
): DocumentTimeStampReport {
  const modifications = modificationsOf(examined, context)
  const { indication, subIndication, errors, warnings } = conclude([
    ...judged.conclusion.errors.map(({ key }) => key),
    ...judged.conclusion.warnings.map(({ key }) => key),
    ...examined.findings,
    ...sharedFindings(examined, context),
    ...modificationFindings(modifications, context.trust.permitsFormFilling),
  ])
  return {
    ...judged.report,
    type: 'document',
    id,
    fieldName: shownNameOf(examined.found, context.document),
    indication,
    ...(subIndication && { subIndication }),
    integrity: integrityReport(examined, context.document.bytes.length),
    modifications,
    errors,
    warnings,
  }
}

/** What cannot be read is a change; `path` says why. */
const notKnown = (path: 'revision' | 'limits' | 'syntax'): ModificationsReport => ({
  level: 'OTHER',
  changes: [{ object: 0, path, action: 'changed', permitted: false }],
})

function modificationsOf(
  { revision, found }: ExaminedSignature,
  { document, history, syntax, intact, trust }: ReportContext,
): ModificationsReport {
  if (!revision) return notKnown('revision')
  if (!history || !syntax) return notKnown('limits')
  try {
    const { dictionary, field } = found
    const rules = readSignatureRules(revision.document, dictionary, field.dictionary)
    const { permitsFormFilling } = trust
    const context = { document, history, syntax, intact, rules, permitsFormFilling }
    return judgeModifications(revision, context)
  } catch (error) {
    if (error instanceof PadesError) return notKnown('syntax')
    throw error
  }
}

/** What is found beside the signature itself. */
function sharedFindings(examined: ExaminedSignature, context: ReportContext): FindingKey[] {
  return [
    ...documentFindings(context),
    ...syntaxFindings(examined, context),
    ...fieldFindings(examined, context),
  ]
}

/** What readers may take differently in the signature, and in its revision when more follows it. */
function syntaxFindings(
  { revision, found }: ExaminedSignature,
  { syntax }: ReportContext,
): FindingKey[] {
  if (!revision || !syntax) return []
  const findings: FindingKey[] = []
  if (!isPlainlyWritten(found, revision.document, syntax.versions)) {
    findings.push('SIGNATURE_ODDLY_WRITTEN')
  }
  if (syntax.ambiguityOf(revision)) findings.push('SYNTAX_AMBIGUOUS')
  if (syntax.appendedFaultOf(revision)) findings.push('LATER_REVISION_AMBIGUOUS')
  return findings
}

/** About the document, whichever signature is asked about. */
function documentFindings(context: ReportContext): FindingKey[] {
  const { document, unsignedTailBytes } = context
  const findings: FindingKey[] = []
  if (context.growsLinearized) findings.push('LINEARIZED_LATER')
  if (unsignedTailBytes > 0) {
    const end = document.bytes.length - unsignedTailBytes
    findings.push('UNSIGNED_BYTES_AT_END')
    if (looksLikeRevision(document, end)) findings.push('REVISION_AT_END')
    if (unsignedTailBytes > MAX_TAIL_BYTES) findings.push('END_NOT_FOUND_BY_ALL')
  }
  if (!context.hasWholeStore) findings.push('TOO_MUCH_VALIDATION_DATA')
  if (document.encryption?.state === 'locked') findings.push('DOCUMENT_ENCRYPTED')
  if (document.repaired) findings.push('DOCUMENT_DAMAGED')
  return findings
}

/** About fields that cannot be distinguished. */
function fieldFindings({ found }: ExaminedSignature, { examined }: Examination): FindingKey[] {
  const findings: FindingKey[] = []
  const others = examined.filter((other) => other.found !== found).map((other) => other.found)
  if (others.some(({ field }) => field.name === found.field.name)) findings.push('NAMES_AMBIGUOUS')
  if (others.some(({ object }) => object !== undefined && object === found.object)) {
    findings.push('SIGNATURE_SHARED')
  }
  return findings
}
