/** Validates every signature and document time-stamp of a PDF (EN 319 102-1, 5; EN 319 142-1). */

import { Buffer } from 'node:buffer'
import type { Certificate } from '../cms/certificate-reader.ts'
import { PathFinder } from '../cms/certification-path.ts'
import { PadesError } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { lockedError } from '../pdf/encryption/signing-rights.ts'
import { readDocument } from '../pdf/open.ts'
import type { RangeDigests } from './digests.ts'
import { judgeDocumentTimeStamps } from './document-time-stamps.ts'
import { historyOf } from './history.ts'
import { examineSignatures } from './integrity.ts'
import type { Lacking } from './lacking.ts'
import type { ValidationReport } from './report.ts'
import { endOfLastRevision } from './revisions.ts'
import type { Revision } from './revisions.ts'
import { addSecondOpinion } from './second-opinion.ts'
import type { Brief } from './second-opinion.ts'
import { evidenceFrom } from './second-evidence.ts'
import { evidenceIn, readSecurityStore } from './security-store-reader.ts'
import { findSignatures, inOrder } from './signature-fields.ts'
import { reportSignatures } from './signature-reports.ts'
import { findStraySignatures } from './stray-signatures.ts'
import { summarise } from './summary.ts'
import { judgeSyntax } from './syntax.ts'
import type { SyntaxVerdicts } from './syntax.ts'
import { Anchors } from './trust-anchors.ts'
import { trustOf } from './validation-context.ts'
import type { ValidationOptions } from './validation-context.ts'

/** A report, and the data that callers need to extend it. */
export interface Validation {
  readonly report: ValidationReport
  /** Data whose absence left questions open. */
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
 * A signature passes only when a second, independent library comes to the same result.
 *
 * @param bytes the PDF; not changed
 * @throws PadesError `NOT_A_PDF`, `DAMAGED`, `ENCRYPTED`, `TOO_MANY_OBJECTS`, `LIMIT_EXCEEDED` when
 *   the document cannot be read, `BAD_CERTIFICATE` for a trust anchor
 */
export async function validate(bytes: Uint8Array, options: ValidationOptions): Promise<Validation> {
  const { reports, brief, sumUp } = validateBytes(bytes, { ...options, digestedFrom: 0 })
  return sumUp(await addSecondOpinion(reports, brief))
}

/**
 * As {@link validate}, for a rehearsal, which makes and reads digests without what was there
 * before: of others' signatures it learns nothing. The second library is not asked.
 *
 * @param start offset from which octets count in digests
 */
export async function validateBehind(
  bytes: Uint8Array,
  options: ValidationOptions,
  start: number,
): Promise<Validation> {
  const { reports, sumUp } = validateBytes(bytes, { ...options, digestedFrom: start })
  return sumUp(reports)
}

type Reports = Pick<ValidationReport, 'signatures' | 'documentTimestamps'>

/** What our own reader finds, and what remains to be done. */
interface OwnFindings {
  readonly reports: Reports
  readonly brief: Brief
  readonly sumUp: (reports: Reports) => Validation
}

interface OwnOptions extends ValidationOptions {
  /** Octets before this offset do not count in digests. */
  digestedFrom: number
}

function validateBytes(bytes: Uint8Array, options: OwnOptions): OwnFindings {
  const paths = new PathFinder()
  const anchors = new Anchors(options.trustAnchors, paths)
  try {
    return readDocument(bytes, (document) => validateDocument(document, options, anchors, paths))
  } catch (error) {
    if (!(error instanceof PadesError) || error.code !== 'DAMAGED') throw error
    // What cannot be read for want of a key looks damaged.
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    throw file.includes('/Encrypt') ? new PadesError('ENCRYPTED') : error
  }
}

/**
 * In this order, because each step asks what the one before found:
 *
 * 1. find the signatures and check their bytes, whatever their signer: format, signing certificate,
 *    value (EN 319 102-1, 5.2.2, 5.2.3, 5.2.7);
 * 2. bring together whom and what to believe (5.2.4);
 * 3. judge document time-stamps, the newest first: each proves that those before it existed (5.4,
 *    5.6.2.3);
 * 4. report on each signature: its chain at the time that is proven for it (5.2.6, 5.5), and what
 *    later revisions changed (ISO 32000-2, 12.8.2);
 * 5. ask the second judge, unless this is a rehearsal, and sum up.
 *
 * A file of two signatures S-1, S-2 and a document time-stamp T-1 has three revisions: T-1 is
 * judged at the time of validation, S-1 and S-2 at the time of T-1 if that passed; to the report
 * on S-1 belongs what S-2 and T-1 changed.
 */
function validateDocument(
  document: PdfDocument,
  options: OwnOptions,
  anchors: Anchors,
  paths: PathFinder,
): OwnFindings {
  const { validationTime, digestedFrom, policy } = options
  const store = readSecurityStore(document, paths)
  const inForm = findSignatures(document)
  const found = inOrder([...inForm, ...findStraySignatures(document, inForm)])
  // Without its key, an encrypted document may hide its form; silence would look like "unsigned".
  const { encryption } = document
  if (encryption?.state === 'locked' && found.length === 0) throw lockedError(encryption)
  const context = { anchors: anchors.certificates, paths, digestedFrom }
  const { examined, digests } = examineSignatures(document, found, context)
  const trust = trustOf(options, anchors, paths, { store, examined })
  const stamped = judgeDocumentTimeStamps(examined, digests, trust)
  const revisions = examined.flatMap(({ revision }) => revision ?? [])
  const ends = revisions.map(({ end }) => end)
  const evidence = evidenceIn(document, trust)
  const syntax = syntaxOf(document, revisions)
  const history = syntax && historyOf(document, revisions, syntax)
  const unsignedTailBytes = document.bytes.length - endOfLastRevision(document, ends)
  const reports = reportSignatures({
    document,
    digests,
    trust,
    examined,
    stamped,
    evidence,
    hasWholeStore: store?.isWhole ?? true,
    history,
    syntax,
    unsignedTailBytes,
  })
  const { permitsFormFilling } = trust
  const certificates = paths.shared(sha256sOf(reports))
  return {
    reports,
    brief: {
      examined,
      digests,
      certificates,
      evidence: evidenceFrom(trust),
      authorityChecks: trust.authorityChecks,
    },
    sumUp: (final) => ({
      report: summarise(
        { document, digests, validationTime, unsignedTailBytes, permitsFormFilling, policy },
        final,
      ),
      lacking: trust.lacking,
      certificates,
      revisions: digestsAt([...ends, document.bytes.length], digests),
    }),
  }
}

/** Undefined when there is too much to read. */
function syntaxOf(
  document: PdfDocument,
  revisions: readonly Revision[],
): SyntaxVerdicts | undefined {
  try {
    return judgeSyntax(document, revisions)
  } catch (error) {
    if (error instanceof PadesError) return undefined
    throw error
  }
}

/** SHA-256 of all certificates that reports name. */
function sha256sOf({ signatures, documentTimestamps }: Reports): Set<string> {
  const reports = [...signatures, ...signatures.flatMap((one) => one.timestamps)]
  const chains = [...reports, ...documentTimestamps].flatMap((one) => one.certificateChain)
  return new Set(chains.map(({ sha256 }) => sha256))
}

const digestsAt = (ends: readonly number[], digests: RangeDigests): RevisionDigest[] =>
  [...new Set(ends)].map((end) => ({
    end,
    sha256: Buffer.from(digests.prefix(end, 'sha256')).toString('hex'),
  }))
