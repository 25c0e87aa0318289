/** Keeps every measured latency, so that percentiles are exact. */

/** What is timed, in the order of a case. */
export const STAGES = {
  create: 'from the intended start of the case to the answer of POST /cases',
  accepted: 'from the intended start of the upload to a case that can be signed',
  sign: 'from the intended start of a signature to its answer',
  done: 'from the answer to the last signature to DONE',
  webhook: 'from the time in the event to its arrival at the tenant',
} as const
export type Stage = keyof typeof STAGES

interface Sample {
  /** Milliseconds after the start of the run. */
  startedMs: number
  latencyMs: number
}

interface Quantiles {
  count: number
  /** Milliseconds. */
  p50: number
  p90: number
  p99: number
  p999: number
  maximum: number
}

/** One interval of the run. */
interface Interval {
  /** Milliseconds after the start of the run. */
  fromMs: number
  p50: number
  p99: number
}

/** The smallest value that at least this share of the values does not exceed (nearest rank). */
function rank(sorted: readonly number[], share: number): number {
  const index = Math.max(0, Math.ceil(sorted.length * share) - 1)
  return sorted[index] ?? Number.NaN
}

const inOrder = (samples: readonly Sample[]) =>
  Float64Array.from(samples, ({ latencyMs }) => latencyMs).toSorted()

export class Samples {
  readonly #samples = new Map<Stage, Sample[]>()

  /** @param startedMs intended start, in milliseconds after the start of the run */
  add(stage: Stage, startedMs: number, latencyMs: number): void {
    const known = this.#samples.get(stage)
    if (known) known.push({ startedMs, latencyMs })
    else this.#samples.set(stage, [{ startedMs, latencyMs }])
  }

  quantiles(stage: Stage): Quantiles {
    const sorted = [...inOrder(this.#samples.get(stage) ?? [])]
    const [p50, p90, p99, p999, maximum] = [0.5, 0.9, 0.99, 0.999, 1].map((share) =>
      rank(sorted, share),
    ) as [number, number, number, number, number]
    return { count: sorted.length, p50, p90, p99, p999, maximum }
  }

  /** Quantiles over time; intervals without a sample are left out. */
  overTime(stage: Stage, intervalMs: number): Interval[] {
    const groups = new Map<number, Sample[]>()
    for (const sample of this.#samples.get(stage) ?? []) {
      const fromMs = Math.floor(sample.startedMs / intervalMs) * intervalMs
      groups.set(fromMs, [...(groups.get(fromMs) ?? []), sample])
    }
    return [...groups]
      .sort(([a], [b]) => a - b)
      .map(([fromMs, samples]) => {
        const sorted = [...inOrder(samples)]
        return { fromMs, p50: rank(sorted, 0.5), p99: rank(sorted, 0.99) }
      })
  }
}
