/** Validates a PDF in the sandbox, and fetches the data that the sandbox lacks. */
import { Buffer } from 'node:buffer'
import { VERIFICATION_BUDGET_MS } from '../../domain/limits.ts'
import {
  SandboxBusyError,
  type SandboxValidation,
  type TrustedCertificate,
  type ValidationRequest,
  type ValidationVerdict,
} from '../../domain/ports/pdf-sandbox.ts'
import type { RevocationData } from '../../domain/ports/revocation.ts'
import { type TrustedLists } from '../../trusted-lists/index.ts'
import type { WorkerDeps } from '../deps.ts'
import { revocationDataFor } from '../pki/long-term.ts'
import { listedAnchors, type TrustDeps } from './trust.ts'

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

/**
 * Validates a document in rounds; each adds the data that the round before lacked.
 *
 * @param own anchors of the service
 * @returns the verdict of the last successful round
 */
export async function validateInRounds(
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
