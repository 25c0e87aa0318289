/** Conditions of a case: its progress, and the faults that the controller found. */
import { reasonOfTrailFault } from '../../domain/audit/fault.ts'
import { askedErasure } from '../../domain/cases/erasure.ts'
import { SETTLED } from '../../domain/cases/finished.ts'
import { hasEnded, TRANSITIONS, type CaseView } from '../../domain/cases/lifecycle.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { findTimeFault, isCreatedInFuture } from '../../domain/cases/stated-times.ts'
import type { CaseStatus, Erasure, Phase } from '../../domain/cases/status.ts'
import type { Condition } from '../../domain/resources.ts'
import { MAXIMUM_REASON_LENGTH } from '../../domain/limits.ts'
import type { KeyRefusal } from '../../domain/ports/signing.ts'
import type { Observation } from './observation.ts'
import { hasPendingWork, type PendingWork } from './pending-work.ts'

/**
 * A fault that a case can have. `find` returns a sentence, or undefined when the case does not have
 * it.
 */
interface Check {
  name: string
  /** The condition that becomes True while the case has the fault. */
  condition: 'Invalid' | 'SignatureIgnored'
  /** While the fault lasts, the controller does nothing for the case. */
  blocks: boolean
  find(observation: Observation): string | undefined
}

/** In this order: a condition shows its first fault. */
const CHECKS: readonly Check[] = [
  {
    name: 'specBreaksSchema',
    condition: 'Invalid',
    blocks: true,
    find: ({ specFault }) => specFault,
  },
  {
    name: 'createdInFuture',
    condition: 'Invalid',
    blocks: true,
    find({ signatureCase, specFault, nowMs }) {
      if (specFault !== undefined || !isCreatedInFuture(signatureCase, nowMs)) return undefined
      return 'spec/creation/at is in the future'
    },
  },
  {
    name: 'erasedBefore',
    condition: 'Invalid',
    blocks: true,
    find({ tombstone, signatureCase }) {
      if (!tombstone || hasEnded(signatureCase.status?.phase ?? 'NEW')) return undefined
      return 'a case with this id was erased; a new case needs a new id'
    },
  },
  {
    name: 'trailBroken',
    condition: 'Invalid',
    blocks: false,
    find: ({ trailFault }) => trailFault && reasonOfTrailFault(trailFault),
  },
  {
    name: 'documentDigestDiffers',
    condition: 'Invalid',
    blocks: false,
    find({ accepted, signatureCase }) {
      const sha256 = signatureCase.status?.document?.sha256
      if (sha256 === undefined) return undefined
      const other = accepted.find(({ documentSha256 }) => documentSha256 !== sha256)
      return (
        other &&
        `participant ${other.participantId} signed a document that is not the document of the case`
      )
    },
  },
  {
    name: 'statedTimeOutOfBounds',
    condition: 'Invalid',
    blocks: false,
    find: ({ signatureCase, specFault, nowMs }) =>
      specFault === undefined ? findTimeFault(signatureCase, nowMs) : undefined,
  },
  {
    name: 'signatureNotGenuine',
    condition: 'SignatureIgnored',
    blocks: false,
    find({ accepted, signatureCase, specFault }) {
      if (specFault !== undefined) return undefined
      const counted = new Set(accepted.map(({ factId }) => factId))
      const ignored = signatureCase.spec.signatures.find(({ factId }) => !counted.has(factId))
      return (
        ignored && `signature ${ignored.factId} is ignored: not signed by the API, or a second one`
      )
    },
  },
]

/** Whether a fault keeps the service from doing anything for the case. */
export function isBlocked(observation: Observation): boolean {
  return CHECKS.some(({ blocks, find }) => blocks && find(observation) !== undefined)
}

/**
 * Whether no reconcile has succeeded yet. The status may still report failures of the controller.
 */
export function isUntouched({ status }: Pick<SignatureCase, 'status'>): boolean {
  return status === undefined || status.observedGeneration === 0
}

/** Whether the previous reconcile found a blocking fault. */
export function wasBlocked({ conditions }: CaseStatus): boolean {
  const blocking = CHECKS.filter(({ blocks }) => blocks).map(({ name }) => name)
  return conditions.some(({ reason, status }) => status === 'True' && blocking.includes(reason))
}

type Finding = Omit<Condition, 'lastTransitionTime'>

const truth = (value: boolean) => (value ? 'True' : 'False') as Condition['status']

function faults(observation: Observation): Finding[] {
  const findings = new Map<string, Finding>()
  for (const { name, condition, find } of CHECKS) {
    const message = find(observation)
    if (message === undefined || findings.has(condition)) continue
    const shortened = message.slice(0, MAXIMUM_REASON_LENGTH)
    findings.set(condition, { type: condition, status: 'True', reason: name, message: shortened })
  }
  return [...findings.values()]
}

/** Reasons of conditions about the phase, as `kubectl describe` shows them. */
const PHASE_REASONS: Readonly<Record<Phase, string>> = {
  NEW: 'AwaitingDocument',
  IN_PROGRESS: 'AwaitingSignatures',
  DONE: 'Completed',
  UPLOAD_REJECTED: 'UploadRejected',
  EXPIRED: 'Expired',
  CANCELLED: 'Cancelled',
  FAILED: 'Failed',
}

/** What a case that has not ended waits for. */
function awaited(phase: Phase, isFinalising: boolean): string {
  if (phase === 'NEW') return 'its document'
  return isFinalising ? 'its signed PDF' : 'signatures'
}

function progress(phase: Phase, pending: PendingWork, view: CaseView): Finding[] {
  const total = view.participants.length
  const signed = view.participants.filter(({ signature }) => signature).length
  const ended = hasEnded(phase)
  const settled = ended && !hasPendingWork(pending)
  const isFinalising = phase === 'IN_PROGRESS' && view.everyoneSigned
  const reason = isFinalising ? 'Finalising' : PHASE_REASONS[phase]
  return [
    {
      type: 'EveryoneSigned',
      status: truth(view.everyoneSigned),
      reason: view.everyoneSigned ? 'AllSigned' : 'SignaturesMissing',
      message: `${signed} of ${total} participants have signed`,
    },
    {
      type: 'Done',
      status: truth(phase === 'DONE'),
      reason,
      message:
        phase === 'DONE' ? 'the signed PDF and the evidence PDF are ready' : `the case is ${phase}`,
    },
    {
      type: 'Ended',
      status: truth(ended),
      reason,
      message: ended
        ? `the case ended as ${phase}`
        : `the case waits for ${awaited(phase, isFinalising)}`,
    },
    {
      type: SETTLED,
      status: truth(settled),
      reason: settled ? 'NothingPending' : 'WorkPending',
      message: settled
        ? 'all audit entries, mails and webhooks are done'
        : 'audit entries, mails or webhooks are pending or may follow',
    },
  ]
}

const KEY_REASONS: Readonly<Record<KeyRefusal, string>> = {
  SIGNING_KEY_DENIED: 'SigningKeyDenied',
  SIGNING_KEY_DISABLED: 'SigningKeyDisabled',
  SIGNING_KEY_MISSING: 'SigningKeyMissing',
  SIGNING_CREDENTIALS_REFUSED: 'SigningCredentialsRefused',
}

/** Reports a delay only while the job is still needed: a job that failed may have ended since. */
function delay({ failing, keyRefusal }: Observation, { jobs }: PendingWork): Finding[] {
  if (!jobs.some(({ kind }) => kind === failing)) return []
  const delayed = { type: 'Delayed', status: 'True' } as const
  if (keyRefusal) {
    const message = `${keyRefusal.message}; the service retries every minute`
    const reason = KEY_REASONS[keyRefusal.code]
    return [{ ...delayed, reason, message: message.slice(0, MAXIMUM_REASON_LENGTH) }]
  }
  const message = `the job ${failing} fails repeatedly and is retried every minute, see the log`
  return [{ ...delayed, reason: 'JobFailing', message }]
}

const byRule = ({ rule, retentionDays }: Erasure) =>
  rule === 'annotation'
    ? 'as requested by the annotation'
    : `${retentionDays} days after the end of the case`

/** Returns undefined when the erasure of the case is neither requested nor due. */
function erasing(
  { signatureCase }: Observation,
  phase: Phase,
  erasure: Erasure | undefined,
): Pick<Finding, 'status' | 'reason' | 'message'> | undefined {
  const status = 'False'
  if (erasure?.erasedAt !== undefined) {
    const message = `documents and personal values were erased, ${byRule(erasure)}`
    return { status: 'True', reason: 'Erased', message }
  }
  if (erasure) {
    const message = `documents and personal values are being erased, ${byRule(erasure)}`
    return { status, reason: 'Erasing', message }
  }
  const asked = askedErasure(signatureCase)
  if (asked === 'mistaken') {
    const message = 'the value of the annotation is not the id of the case; nothing is erased'
    return { status, reason: 'IdMismatch', message }
  }
  if (asked === undefined) return undefined
  if (hasEnded(phase)) {
    const message = 'the erasure waits until mails, webhooks and the seal of the trail are done'
    return { status, reason: 'WorkPending', message }
  }
  const { waitsFor } = TRANSITIONS[phase]
  const message = `the erasure waits for the end of the case, which waits for ${waitsFor}`
  return { status, reason: 'NotEnded', message }
}

/**
 * Conditions of the next status. A condition keeps its `lastTransitionTime` while its status stays
 * the same.
 *
 * @param going the pending work of the case and its view in the next status; absent while a fault
 *   blocks the case
 */
export function conditionsOf(
  observation: Observation,
  phase: Phase,
  going?: { pending: PendingWork; view: CaseView },
): Condition[] {
  const erased = erasing(observation, phase, going?.pending.erasure)
  const findings = [
    ...faults(observation),
    ...(going ? delay(observation, going.pending) : []),
    ...(going ? progress(phase, going.pending, going.view) : []),
    ...(erased ? [{ type: 'Erased', ...erased }] : []),
  ]
  const previous = observation.signatureCase.status?.conditions ?? []
  const now = new Date(observation.nowMs).toISOString()
  return findings.map((finding) => {
    const before = previous.find(({ type }) => type === finding.type)
    const since = before?.status === finding.status ? before.lastTransitionTime : now
    return { ...finding, lastTransitionTime: since }
  })
}
