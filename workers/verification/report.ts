/**
 * Validates a PDF in the sandbox, fetches the data that the sandbox lacks, and completes the report
 * with facts that are not in the document.
 */
import { Buffer } from 'node:buffer'
import { issuedKey } from '../../domain/cases/keys.ts'
import {
  REMARKS,
  type CoreReport,
  type Remark,
  type ValidationReport,
} from '../../domain/contract/validation-report.ts'
import { VERIFICATION_BUDGET_MS } from '../../domain/limits.ts'
import {
  SandboxBusyError,
  type SandboxValidation,
  type TrustedCertificate,
  type ValidationRequest,
  type ValidationVerdict,
} from '../../domain/ports/pdf-sandbox.ts'
import type { RevocationData } from '../../domain/ports/revocation.ts'
import type { VerificationRefusal } from '../../domain/verification.ts'
import { type Certificate, readCertificate } from '../../pades/index.ts'
import {
  qualifySignature,
  qualifyTimeStamp,
  snapshotState,
  type TrustedLists,
} from '../../trusted-lists/index.ts'
import type { WorkerDeps } from '../deps.ts'
import { readWorkerResult } from '../../application/store/stored-results.ts'
import { revocationDataFor } from '../pki/long-term.ts'
import {
  AnchorSources,
  listedAnchors,
  serviceAnchors,
  loadTrustedLists,
  type TrustDeps,
} from './trust.ts'

export type ReportDeps = TrustDeps &
  Pick<WorkerDeps, 'sandbox' | 'revocation' | 'issuers' | 'keyring' | 'alarm' | 'now' | 'timers'>

/**
 * Rounds: with the service's roots, with anchors of the trusted lists, with certificates of issuers
 * that the document lacks, with revocation data.
 */
const MAXIMUM_ROUNDS = 4
/** Paths of one document that are completed; real documents lack one issuer. */
const MAXIMUM_COMPLETED_PATHS = 3
/** Time reserved for one more validation when authorities are slow. */
const LAST_ROUND_MS = 6_000
/** Limit of signed revisions to look up, newest first. */
const MAXIMUM_REVISIONS = 100

const NOTHING: RevocationData = { revocationLists: [], ocspResponses: [] }

/** Data from outside the document; it grows from round to round. */
interface Known {
  anchors: readonly TrustedCertificate[]
  revocationData: RevocationData
  /** Certificates of issuers, as DER; absent before they were asked for. */
  intermediates?: readonly Uint8Array[]
}

/** Returns the result, or undefined when it takes too long. */
async function within<T>(
  work: Promise<T>,
  timeMs: number,
  { timers }: Pick<WorkerDeps, 'timers'>,
): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const cancel = timers.after(Math.max(timeMs, 0), () => resolve(undefined))
  try {
    return await Promise.race([work, late])
  } finally {
    cancel()
  }
}

/** Fetches the missing data; undefined when none of it is available. */
async function learn(
  { lacking }: SandboxValidation,
  known: Known,
  lists: TrustedLists | undefined,
  timeMs: number,
  deps: ReportDeps,
): Promise<Known | undefined> {
  const isNew = ({ certificate }: TrustedCertificate) =>
    known.anchors.every((anchor) => !sameOctets(anchor.certificate, certificate))
  const anchors = listedAnchors(lacking.anchors, lists).filter(isNew)
  if (anchors.length > 0) return { ...known, anchors: [...known.anchors, ...anchors] }
  if (!known.intermediates) {
    const paths = await completedPaths(lacking.anchors, timeMs, deps)
    const above = listedAnchors(paths, lists).filter(isNew)
    const intermediates = paths.flat()
    const completed = { ...known, intermediates, anchors: [...known.anchors, ...above] }
    if (intermediates.length > 0) return completed
  }
  if (lacking.revocation.length === 0 || known.revocationData !== NOTHING) return undefined
  const asked = revocationDataFor(lacking.revocation, deps)
  // Awaited below; avoids an unhandled rejection. A late answer is ignored.
  asked.catch(() => undefined)
  const revocationData = await within(asked, timeMs, deps)
  const isNothing =
    !revocationData ||
    revocationData.revocationLists.length + revocationData.ocspResponses.length === 0
  return isNothing ? undefined : { ...known, revocationData }
}

/**
 * Fetches what is missing above paths that end at no anchor. Anybody can write addresses into a
 * certificate: few are asked, and the egress guard judges each.
 */
async function completedPaths(
  paths: readonly (readonly Uint8Array[])[],
  timeMs: number,
  deps: ReportDeps,
): Promise<readonly (readonly Uint8Array[])[]> {
  const { issuers } = deps
  if (!issuers) return []
  const tops = new Map(
    paths.flatMap((path) => path.slice(-1)).map((top) => [Buffer.from(top).toString('hex'), top]),
  )
  const asked = Promise.all(
    [...tops.values()].slice(0, MAXIMUM_COMPLETED_PATHS).map((top) => issuers.above(top)),
  )
  // Awaited below; avoids an unhandled rejection. A late answer is ignored.
  asked.catch(() => undefined)
  return (await within(asked, timeMs, deps)) ?? []
}

const sameOctets = (a: Uint8Array, b: Uint8Array) =>
  a.length === b.length && a.every((octet, index) => octet === b[index])

/**
 * Has the sandbox validate the document once more.
 *
 * @returns undefined when a later round takes too long; the earlier rounds then count
 * @throws SandboxBusyError when the first round takes too long, so nothing is known about the
 *   document
 */
async function nextVerdict(
  pdf: Uint8Array,
  request: ValidationRequest,
  timeMs: number,
  round: number,
  { sandbox }: ReportDeps,
): Promise<ValidationVerdict | undefined> {
  try {
    return await sandbox.validate(pdf, request, timeMs)
  } catch (error) {
    if (round > 0 && error instanceof SandboxBusyError) return undefined
    throw error
  }
}

/** @returns the verdict of the last successful round */
async function validated(
  pdf: Uint8Array,
  own: readonly TrustedCertificate[],
  lists: TrustedLists | undefined,
  deps: ReportDeps,
): Promise<ValidationVerdict> {
  const deadlineMs = deps.timers.nowMs() + VERIFICATION_BUDGET_MS
  const leftMs = () => deadlineMs - deps.timers.nowMs()
  let known: Known | undefined = { anchors: own, revocationData: NOTHING }
  let last: ValidationVerdict = { outcome: 'unreadable' }
  for (let round = 0; known && round < MAXIMUM_ROUNDS; round++) {
    const request = {
      trustAnchors: known.anchors,
      revocationData: known.revocationData,
      ...(known.intermediates && { intermediates: known.intermediates }),
      validationTime: deps.now(),
    }
    const verdict = await nextVerdict(pdf, request, leftMs(), round, deps)
    if (verdict?.outcome !== 'validated') return round === 0 && verdict ? verdict : last
    last = verdict
    known = await learn(verdict.validation, known, lists, leftMs() - LAST_ROUND_MS, deps)
  }
  return last
}

const endOf = ([, , start = 0, length = 0]: readonly number[]) => start + length

/**
 * Finds the newest revision that this service issued (never by a name) and in which a signature of
 * this service is valid.
 *
 * @returns the offset behind the revision; undefined when there is none
 */
async function findIssuedEnd(
  { signatures }: Pick<ValidationReport, 'signatures'>,
  { revisions }: SandboxValidation,
  deps: Pick<ReportDeps, 'objects' | 'keyring' | 'alarm'>,
): Promise<number | undefined> {
  const ends = signatures.flatMap(({ indication, certificateChain, integrity }) => {
    const isOwn = certificateChain.at(-1)?.trustAnchor?.source === 'service-root'
    return isOwn && indication === 'TOTAL_PASSED' ? [endOf(integrity.byteRange)] : []
  })
  const newestFirst = [...revisions].sort((a, b) => b.end - a.end).slice(0, MAXIMUM_REVISIONS)
  for (const { end, sha256 } of newestFirst) {
    if (!ends.some((signed) => signed <= end)) continue
    const entry = await readWorkerResult(issuedKey(sha256), { object: 'issued' }, deps)
    if (entry?.value) return end
  }
  return undefined
}

/** What the summary says first: the file is not exactly what was signed, or what was issued. */
function remarksOn(
  { document }: Pick<CoreReport, 'document'>,
  issuedEnd: number | undefined,
): Remark[] {
  const { size, unsignedTailBytes } = document
  const isEarlier = issuedEnd !== undefined && issuedEnd < size - unsignedTailBytes
  return [
    ...(unsignedTailBytes > 0 ? (['BYTES_AFTER_LAST_REVISION'] as const) : []),
    ...(isEarlier ? (['ISSUED_EARLIER'] as const) : []),
  ]
}

type CoreSignature = CoreReport['signatures'][number]
type CoreTimeStamp = Pick<
  CoreReport['documentTimestamps'][number],
  'certificateChain' | 'productionTime'
>

/**
 * Adds to a report the sources of the trust anchors, and what the trusted lists say about
 * signatures.
 */
class Annotator {
  readonly #sources: AnchorSources
  readonly #lists: TrustedLists | undefined
  readonly #certificates: ReadonlyMap<string, Certificate>

  constructor(
    validation: SandboxValidation,
    own: readonly TrustedCertificate[],
    lists: TrustedLists | undefined,
  ) {
    this.#sources = new AnchorSources(own, lists)
    this.#lists = lists
    this.#certificates = new Map(
      validation.certificates.map(readCertificate).map((one) => [one.sha256, one]),
    )
  }

  signature(signature: CoreSignature): ValidationReport['signatures'][number] {
    const at = new Date(signature.bestSignatureTime)
    return {
      ...signature,
      certificateChain: this.#chain(signature, 'signature', at),
      qualification: this.#qualification(signature, at),
      timestamps: signature.timestamps.map((one) => this.timeStamp(one)),
    }
  }

  timeStamp<T extends CoreTimeStamp>(timeStamp: T): T {
    const at = new Date(timeStamp.productionTime ?? 0)
    const [certificate, ...issuers] = this.#chainOf(timeStamp)
    const qualification =
      certificate && this.#lists
        ? qualifyTimeStamp(certificate, issuers, this.#lists, at)
        : ('NA' as const)
    const certificateChain = this.#chain(timeStamp, 'time-stamp', at)
    return { ...timeStamp, certificateChain, qualification }
  }

  #qualification(signature: CoreSignature, bestSignatureTime: Date) {
    const [certificate, ...issuers] = this.#chainOf(signature)
    if (!certificate || !this.#lists) return { level: 'NA' }
    const { indication } = signature
    const asked = { certificate, issuers, indication, bestSignatureTime }
    return qualifySignature(asked, this.#lists)
  }

  #chainOf({ certificateChain }: Pick<CoreTimeStamp, 'certificateChain'>): Certificate[] {
    return certificateChain.flatMap(({ sha256 }) => this.#certificates.get(sha256) ?? [])
  }

  #chain(
    { certificateChain }: Pick<CoreTimeStamp, 'certificateChain'>,
    purpose: 'signature' | 'time-stamp',
    at: Date,
  ) {
    return certificateChain.map((certificate) =>
      certificate.trustAnchor
        ? { ...certificate, trustAnchor: this.#sources.of(certificate.sha256, purpose, at) }
        : certificate,
    )
  }
}

/** A report with the certificates (DER) of its chains, or why there is no report. */
export type Reported =
  | { report: ValidationReport; certificates: readonly Uint8Array[] }
  | { refusal: VerificationRefusal }

/**
 * Returns the report on a PDF, or why there is none.
 *
 * @throws Error when the sandbox, a key or a store fails
 */
export async function reportOn(pdf: Uint8Array, deps: ReportDeps): Promise<Reported> {
  const [own, lists] = await Promise.all([serviceAnchors(deps), loadTrustedLists(deps)])
  const verdict = await validated(pdf, own, lists, deps)
  if (verdict.outcome === 'not-a-pdf') return { refusal: 'NOT_A_PDF' }
  if (verdict.outcome === 'unreadable') return { refusal: 'UNREADABLE_DOCUMENT' }
  const { validation } = verdict
  const annotator = new Annotator(validation, own, lists)
  const signatures = validation.report.signatures.map((one) => annotator.signature(one))
  const issuedEnd = await findIssuedEnd({ signatures }, validation, deps)
  const remarks = remarksOn(validation.report, issuedEnd).map((code) => ({
    code,
    message: REMARKS[code],
  }))
  const report: ValidationReport = {
    ...validation.report,
    summary: { ...validation.report.summary, ...(remarks.length > 0 ? { remarks } : {}) },
    issuedByService: issuedEnd !== undefined,
    signatures,
    documentTimestamps: validation.report.documentTimestamps.map((one) => annotator.timeStamp(one)),
    ...(lists && { trustedLists: snapshotState(lists.snapshot, deps.now()) }),
  }
  return { report, certificates: validation.certificates }
}
