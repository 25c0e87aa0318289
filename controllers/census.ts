/** Counts cases by phase, and finds the oldest case whose document is overdue. */
import { hasEnded } from '../domain/cases/lifecycle.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import { PHASES, type Phase } from '../domain/cases/status.ts'

/**
 * Returns when the last participant signed, in milliseconds since 1970; undefined while a signature
 * is missing, and after the end of the case. Signatures are counted and not verified, because every
 * resync counts all cases.
 */
function unfinishedSinceMs({ spec, status }: SignatureCase): number | undefined {
  const phase = status?.phase ?? 'NEW'
  if (hasEnded(phase)) return undefined
  const signedAtMs = new Map<string, number>()
  for (const { participantId, signedAt } of spec.signatures) {
    const ms = Date.parse(signedAt)
    if (!signedAtMs.has(participantId) && Number.isFinite(ms)) signedAtMs.set(participantId, ms)
  }
  const times = spec.definition.participants.map(({ id }) => signedAtMs.get(id))
  if (times.some((ms) => ms === undefined)) return undefined
  return Math.max(...(times as number[]))
}

/** One count of all cases. */
export class Census {
  readonly #counts = new Map<Phase, number>(PHASES.map((phase) => [phase, 0]))
  #oldestMs: number | undefined

  /** Counts one case. */
  add(signatureCase: SignatureCase): void {
    const phase = signatureCase.status?.phase ?? 'NEW'
    this.#counts.set(phase, (this.#counts.get(phase) ?? 0) + 1)
    const sinceMs = unfinishedSinceMs(signatureCase)
    if (sinceMs === undefined) return
    this.#oldestMs = Math.min(sinceMs, this.#oldestMs ?? sinceMs)
  }

  /** Counts finished cases that were not listed. */
  addFinished(counts: ReadonlyMap<Phase, number>): void {
    for (const [phase, count] of counts) this.#counts.set(phase, this.count(phase) + count)
  }

  /** Number of cases in a phase. */
  count(phase: Phase): number {
    return this.#counts.get(phase) ?? 0
  }

  /**
   * When the last participant of the oldest unfinished case signed, in milliseconds since 1970;
   * undefined when there is no such case.
   */
  get oldestMs(): number | undefined {
    return this.#oldestMs
  }
}
