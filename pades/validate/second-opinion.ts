/**
 * Asks the second judge about every signature and time-stamp, and notes where it does not confirm
 * what our own reader says. It never makes a verdict better.
 */

import type { Certificate } from '../cms/certificate-reader.ts'
import type { PathProblem } from '../cms/path-problems.ts'
import { conclude } from '../findings.ts'
import type { FindingKey } from '../findings.ts'
import type {
  ContainerToJudge,
  JudgedContainer,
  PathToJudge,
} from '../second-judge/judge-document.ts'
import type { Evidence } from '../second-judge/revocation.ts'
import type { RangeDigests } from './digests.ts'
import { CADES, LEGACY } from './integrity.ts'
import type { ExaminedSignature } from './integrity.ts'
import { authorityKey } from './time-stamps.ts'
import type { AuthorityCheck } from './time-stamps.ts'
import type {
  DocumentTimeStampReport,
  IntegrityReport,
  SecondOpinionReport,
  SignatureReport,
  TimeStampReport,
  ValidationReport,
} from './report.ts'

type Reports = Pick<ValidationReport, 'signatures' | 'documentTimestamps'>

/** What the second judge is given. */
export interface Brief {
  /** In the order of the file. */
  readonly examined: readonly ExaminedSignature[]
  readonly digests: RangeDigests
  /** Those that the reports name. */
  readonly certificates: readonly Certificate[]
  readonly evidence: Evidence
  readonly authorityChecks: ReadonlyMap<string, AuthorityCheck>
}

/** After these there is no path to confirm, or no time at which. */
const PATH_PROBLEMS: ReadonlySet<string> = new Set<
  PathProblem | 'TIME_STAMP_OUTSIDE_VALIDITY' | 'TIME_STAMPS_OUT_OF_ORDER'
>([
  'TIME_STAMP_OUTSIDE_VALIDITY',
  'TIME_STAMPS_OUT_OF_ORDER',
  'NO_CERTIFICATE_CHAIN_FOUND',
  'CERTIFICATE_NOT_YET_VALID',
  'CERTIFICATE_EXPIRED',
  'ISSUER_OUTSIDE_VALIDITY',
  'ISSUER_IS_NO_AUTHORITY',
  'PATH_TOO_LONG',
  'KEY_USAGE_FORBIDS',
  'UNKNOWN_CRITICAL_EXTENSION',
  'NAME_CONSTRAINTS_NOT_MET',
  'POLICY_CONSTRAINTS_NOT_MET',
])

/** Loaded when first needed: pkijs takes longer to load than most documents to validate. */
const loadJudge = () => import('../second-judge/judge-document.ts')

/** The same reports, with the second opinion and what it changes. */
export async function addSecondOpinion(reports: Reports, brief: Brief): Promise<Reports> {
  const { examined, evidence } = brief
  const containers = examined.map((one) => ({ one, report: reportOn(one, reports, examined) }))
  const asked = containers.filter(({ one }) => isJudged(one))
  if (asked.length === 0) return reports
  const { judgeDocument } = await loadJudge()
  const judged = await judgeDocument(
    asked.map(({ one, report }) => containerOf(one, report, brief)),
    evidence,
  )
  const opinions = new Map(asked.map(({ report }, index) => [report, judged[index]]))
  const documentTimestamps = reports.documentTimestamps.map((report) =>
    withOpinion(report, opinions.get(report), valueOf(report)),
  )
  const isTimeDoubted = documentTimestamps.some(isDoubted)
  const signatures = reports.signatures.map((report) => {
    const own = signatureWithOpinion(report, opinions.get(report))
    // A document time-stamp may prove when the signature existed.
    return isTimeDoubted ? withFinding(own) : own
  })
  return { signatures, documentTimestamps }
}

/** Other kinds of signatures never pass, nor do those with content of their own. */
const isJudged = ({ found, range, signedData }: ExaminedSignature) =>
  range !== undefined &&
  (found.isDocumentTimeStamp || signedData?.content === undefined) &&
  (found.isDocumentTimeStamp || found.subFilter === CADES || found.subFilter === LEGACY)

function reportOn(
  one: ExaminedSignature,
  { signatures, documentTimestamps }: Reports,
  examined: readonly ExaminedSignature[],
): SignatureReport | DocumentTimeStampReport {
  const { isDocumentTimeStamp } = one.found
  const alike = examined.filter(({ found }) => found.isDocumentTimeStamp === isDocumentTimeStamp)
  const reports = isDocumentTimeStamp ? documentTimestamps : signatures
  return reports[alike.indexOf(one)]
}

function containerOf(
  { found, range }: ExaminedSignature,
  report: SignatureReport | DocumentTimeStampReport,
  { digests, certificates, authorityChecks }: Brief,
): ContainerToJudge {
  const byDigest = new Map(certificates.map((one) => [one.sha256, one.der]))
  const isSignature = 'level' in report
  const time = isSignature ? report.bestSignatureTime : report.productionTime
  const timestamps = isSignature ? report.timestamps : []
  return {
    kind: isSignature ? 'signature' : 'document-time-stamp',
    contents: found.contents,
    digestOf: (hash) => range && digests.of(range, hash),
    path: pathOf(report, time, { byDigest, authorityChecks }),
    timeStampPaths: timestamps.map((one) =>
      pathOf(one, one.productionTime, { byDigest, authorityChecks }),
    ),
  }
}

interface Known {
  readonly byDigest: ReadonlyMap<string, Uint8Array>
  readonly authorityChecks: Brief['authorityChecks']
}

/** The path of a report, when our own reader has found it good. */
function pathOf(
  report: SignatureReport | TimeStampReport,
  time: string | undefined,
  { byDigest, authorityChecks }: Known,
): PathToJudge | undefined {
  const { certificateChain, errors } = report
  const isGood = certificateChain.at(-1)?.trustAnchor !== undefined
  if (!isGood || !time || errors.some(({ key }) => PATH_PROBLEMS.has(key))) return undefined
  const ders = certificateChain.flatMap(({ sha256 }) => byDigest.get(sha256) ?? [])
  if (ders.length !== certificateChain.length) return undefined
  const at = new Date(time)
  const { good, at: checkedAt } =
    'revocation' in report
      ? { good: goodIn(report), at }
      : (authorityChecks.get(authorityKey(certificateChain[0]?.sha256, time)) ?? { at })
  const checked = certificateChain.map(({ sha256 }) => good?.has(sha256) ?? false)
  const acceptsUnchecked = report.indication === 'TOTAL_PASSED'
  return { certificates: ders, at, checked, checkedAt, acceptsUnchecked }
}

const goodIn = ({ revocation }: SignatureReport): ReadonlySet<string> =>
  new Set(
    revocation
      .filter(({ status }) => status === 'good')
      .map(({ certificateSha256 }) => certificateSha256),
  )

function signatureWithOpinion(
  report: SignatureReport,
  judged: JudgedContainer | undefined,
): SignatureReport {
  if (!judged) return report
  const timestamps = report.timestamps.map((one, index) =>
    withOpinion(one, judged.timeStamps[index], valueOf(one)),
  )
  const own = { ...withOpinion(report, judged, report.integrity), timestamps }
  return timestamps.some(isDoubted) ? withFinding(own) : own
}

type Value = Pick<IntegrityReport, 'digestMatch' | 'signatureValueValid'>

/** Findings that say that the value of a time-stamp is wrong. */
const WRONG_VALUE: ReadonlySet<FindingKey> = new Set<FindingKey>([
  'TIME_STAMP_IMPRINT_DIFFERS',
  'DIGEST_DIFFERS',
  'SIGNATURE_VALUE_WRONG',
])

/** What our own reader says of a time-stamp; nothing where it is of no use for other reasons. */
function valueOf({ indication, errors }: TimeStampReport): Value {
  if (indication === 'TOTAL_PASSED') return { digestMatch: true, signatureValueValid: true }
  return errors.some(({ key }) => WRONG_VALUE.has(key)) ? { signatureValueValid: false } : {}
}

type AnyReport = SignatureReport | TimeStampReport | DocumentTimeStampReport

/** Adds an opinion to a report, and the finding where it does not confirm the report. */
function withOpinion<T extends AnyReport>(
  report: T,
  judged: Omit<JudgedContainer, 'timeStamps'> | undefined,
  ours: Value,
): T {
  // A token that the second judge does not find is one that it does not confirm.
  const { value, path, revocation } = judged ?? { value: 'unknown' as const }
  const secondOpinion: SecondOpinionReport = {
    value,
    ...(path && { path }),
    ...(revocation && { revocation }),
  }
  const opinions = [value, path ?? 'right', revocation === 'wrong' ? 'wrong' : 'right']
  const own = { ...report, secondOpinion }
  // What passes needs the second judge; elsewhere only a contradiction is worth a finding.
  const isLacking = report.indication === 'TOTAL_PASSED' && opinions.includes('unknown')
  const isContradicted = contradicts(value, ours) || opinions.slice(1).includes('wrong')
  return isLacking || isContradicted ? withFinding(own) : own
}

function contradicts(
  value: SecondOpinionReport['value'],
  { digestMatch, signatureValueValid }: Value,
): boolean {
  if (digestMatch === false || signatureValueValid === false) return value === 'right'
  return digestMatch === true && signatureValueValid === true && value === 'wrong'
}

const FINDING = 'SECOND_JUDGE_DISAGREES'

const isDoubted = ({ errors }: AnyReport) => errors.some(({ key }) => key === FINDING)

/** The same report with the finding; `TOTAL_FAILED` remains so. */
function withFinding<T extends AnyReport>(report: T): T {
  const keys = [...report.errors, ...report.warnings].map(({ key }) => key)
  return { ...report, ...conclude([...keys, FINDING]) }
}
