/** The canary of a worker: a small document that it reads, seals, time-stamps and validates. */
import { composeDocument, PadesError, signDocument } from '../pades/index.ts'
import { canAnotherSign, decodeCanary, mergeCanary } from '../domain/canary.ts'
import { CANARY_KEY } from '../domain/cases/keys.ts'
import type { CanaryResult, WorkerCanary } from '../domain/cases/results.ts'
import { describeError } from '../domain/describe-error.ts'
import { encodeJson } from '../domain/json-object.ts'
import { KeyRefusedError } from '../domain/ports/signing.ts'
import { readCanary } from './canary-reading.ts'
import type { WorkerDeps } from './deps.ts'
import { readFreshOutput, withoutSandbox } from './finalise/own-output.ts'
import { sealingRequest } from './finalise/sealing.ts'
import { SEAL_NAME } from './finalise/signers.ts'
import type { LongTermDeps } from './pki/long-term.ts'

export type CanaryDeps = LongTermDeps & Pick<WorkerDeps, 'objects' | 'log' | 'sandbox'>

/** Limit in characters; error messages contain long key names. */
const REASON_LENGTH = 500
/** Other workers write `canary.json`, too. If a result cannot be stored, the next one will be. */
const MAXIMUM_LOST_RACES = 8

export interface CanaryRun {
  own: WorkerCanary
  /** The error of a failed canary. */
  error?: unknown
  /** Whether another worker can sign; absent when that is unknown. */
  canAnotherSign?: boolean
}

/** Reads before it asks for a key: a key service that hangs says nothing about the sandbox. */
async function sealCanary(deps: CanaryDeps, onRead: () => void): Promise<void> {
  const createdAt = deps.now()
  const document = await composeDocument({
    language: 'en',
    title: 'Canary',
    author: SEAL_NAME,
    createdAt,
    blocks: [{ kind: 'paragraph', text: createdAt.toISOString() }],
    attachments: [],
  })
  await readCanary(deps.sandbox, document)
  onRead()
  const sealed = await signDocument(document, { signers: [], ...(await sealingRequest(deps)) })
  await readFreshOutput(sealed, document.length, withoutSandbox(deps))
}

async function seal(
  deps: CanaryDeps,
  onRead = () => {},
): Promise<Pick<CanaryRun, 'own' | 'error'>> {
  try {
    await sealCanary(deps, onRead)
    return { own: { outcome: 'passed', at: deps.now().toISOString() } }
  } catch (error) {
    const { type, message } = describeError(error)
    const reason = `${type}: ${message}`.slice(0, REASON_LENGTH)
    const hasCode = error instanceof PadesError || error instanceof KeyRefusedError
    const code = hasCode ? { code: error.code } : {}
    return { own: { outcome: 'failed', at: deps.now().toISOString(), reason, ...code }, error }
  }
}

/** Checks whether this process can seal now, without storing the result. */
export async function tryCanary(deps: CanaryDeps): Promise<WorkerCanary> {
  const { own, error } = await seal(deps)
  if (error) deps.log.warn({ err: error }, 'canary failed: signing is not available')
  return own
}

/**
 * Adds this worker's result to those of the other workers.
 *
 * @returns the results of all workers, or undefined when they could not be stored
 */
async function publishCanary(
  own: WorkerCanary,
  workerId: string,
  { objects, now }: CanaryDeps,
): Promise<CanaryResult | undefined> {
  for (let lost = 0; lost <= MAXIMUM_LOST_RACES; lost++) {
    const stored = await objects.get(CANARY_KEY)
    const before = stored && decodeCanary(stored)
    const merged = mergeCanary(before, workerId, own, now().getTime())
    const options = { contentType: 'application/json', generation: stored?.generation }
    if (await objects.compareAndSwap(CANARY_KEY, encodeJson(merged), options)) return merged
  }
  return undefined
}

/**
 * Runs the canary of a worker and stores the result. If storing fails, the error is logged and the
 * worker uses its own result.
 *
 * @param onRead called when the sandbox has read the document
 */
export async function runCanary(
  deps: CanaryDeps,
  workerId: string,
  onRead?: () => void,
): Promise<CanaryRun> {
  const run = await seal(deps, onRead)
  try {
    const all = await publishCanary(run.own, workerId, deps)
    if (!all) return run
    return { ...run, canAnotherSign: canAnotherSign(all, workerId, deps.now().getTime()) }
  } catch (error) {
    deps.log.warn({ err: error }, 'the canary result could not be stored')
    return run
  }
}

/**
 * Reads whether another worker can sign, without a canary of this one.
 *
 * @returns undefined when that is unknown
 */
export async function askForAnother(
  { objects, now }: Pick<CanaryDeps, 'objects' | 'now'>,
  workerId: string,
): Promise<boolean | undefined> {
  try {
    const stored = await objects.get(CANARY_KEY)
    const all = stored && decodeCanary(stored)
    return all && canAnotherSign(all, workerId, now().getTime())
  } catch {
    return undefined
  }
}
