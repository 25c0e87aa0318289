/** Whether the objects of a case are to be erased now, and its resource after them. Pure. */
import {
  dueErasure,
  erasureOf,
  orderOf,
  type Keeping,
  type Tombstone,
} from '../../domain/cases/erasure.ts'
import { hasEnded } from '../../domain/cases/lifecycle.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { Erasure } from '../../domain/cases/status.ts'
import { dueWebhooks } from '../../domain/cases/webhooks.ts'
import { ERASED_RESOURCE_LIFE_MS } from '../../domain/limits.ts'
import type { Observation } from './observation.ts'
import { planned, type PlannedJob } from './pending-jobs.ts'

export interface ErasureWork {
  /** What the next status says about the erasure. */
  erasure?: Erasure
  /** The erasure order; it is stored before the job is added. */
  order?: Tombstone
  jobs: PlannedJob[]
  /** Everything is erased, and the retention time of the resource is over. */
  isOver: boolean
  wakeAtMs?: number
}

const NOTHING: ErasureWork = { jobs: [], isOver: false }

/** A sound trail is sealed before the erasure, so that it can be proven afterwards. */
function pendingSeal({ key, sealedHead, isSealRefused, recorded }: Observation): PlannedJob[] {
  if (isSealRefused) return []
  return (sealedHead?.sequence ?? 0) < recorded.size ? [planned('trail-seal', key)] : []
}

/** For how long the case is kept: the receipt of a webhook comes right after its last attempt. */
function keepingOf(observation: Observation): Partial<Keeping> {
  const { signatureCase, accepted, receipts, retentionDays } = observation
  const attemptsMs = dueWebhooks(signatureCase, accepted).flatMap(
    ({ eventId }) => receipts.get(eventId) ?? [],
  )
  return {
    ...(retentionDays === undefined ? {} : { retentionDays }),
    ...(attemptsMs.length > 0 ? { lastAttemptMs: Math.max(...attemptsMs) } : {}),
  }
}

/** Once decided it stays: objects may be gone. */
function known({ signatureCase, tombstone }: Observation): Erasure | undefined {
  return tombstone ? erasureOf(tombstone) : signatureCase.status?.erasure
}

function goingOn(observation: Observation, erasure: Erasure): ErasureWork {
  const { key, tombstone, hasLeftovers = false, nowMs, signatureCase } = observation
  if (erasure.erasedAt === undefined || hasLeftovers) {
    const order = tombstone ? {} : { order: orderOf(key, erasure) }
    return { erasure, ...order, jobs: [planned('retention', key)], isOver: false }
  }
  const seal = pendingSeal(observation)
  if (seal.length > 0) return { erasure, jobs: seal, isOver: false }
  const wakeAtMs = Date.parse(erasure.erasedAt) + ERASED_RESOURCE_LIFE_MS
  if (nowMs < wakeAtMs) return { erasure, jobs: [], isOver: false, wakeAtMs }
  const isOver = signatureCase.metadata.deletionTimestamp === undefined
  return { erasure, jobs: [], isOver }
}

/**
 * @param signatureCase with its next status
 * @param hasPendingWork whether other work has to be done first
 */
export function erasureWork(
  observation: Observation,
  { status }: SignatureCase,
  hasPendingWork: boolean,
): ErasureWork {
  if (!status || !hasEnded(status.phase)) return NOTHING
  const before = known(observation)
  if (hasPendingWork) return before ? { ...NOTHING, erasure: before } : NOTHING
  if (before) return goingOn(observation, before)
  const { signatureCase, nowMs } = observation
  const rule = dueErasure(signatureCase, keepingOf(observation), nowMs)
  if (!rule) return NOTHING
  const seal = pendingSeal(observation)
  if (seal.length > 0) return { ...NOTHING, jobs: seal }
  return goingOn(observation, { ...rule, decidedAt: new Date(nowMs).toISOString() })
}
