/**
 * Times contenders side by side: alternating rounds after a warm-up, medians, and ratios between
 * them.
 */
import { performance } from 'node:perf_hooks'

const WARM_UP_ROUNDS = 3
const ROUNDS = 11

/** A timed function; a round that measures itself returns milliseconds. */
export type Contender = () => Promise<number | void> | number | void

/** Returns a quantile. @param share fraction of smaller values, from 0 to 1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}

async function time(contender: Contender): Promise<number> {
  const startedMs = performance.now()
  const own = await contender()
  return own ?? performance.now() - startedMs
}

/**
 * Runs every contender once in each round, in turn, so that disturbances of the machine affect all
 * of them.
 *
 * @returns milliseconds of one round, keyed by name; the median of {@link ROUNDS}
 */
export async function alternate<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[]
  const times = new Map(names.map((name) => [name, [] as number[]]))
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    for (const name of names) {
      const elapsedMs = await time(contenders[name])
      if (round >= WARM_UP_ROUNDS) times.get(name)?.push(elapsedMs)
    }
  }
  const medians = names.map((name) => [name, median(times.get(name) ?? [])] as const)
  return Object.fromEntries(medians) as Record<Name, number>
}

/**
 * Repeats work `count` times and counts it once, for work that is too short to measure.
 */
export function repeated(count: number, work: () => Promise<unknown> | unknown): Contender {
  return async () => {
    const startedMs = performance.now()
    for (let index = 0; index < count; index++) await work()
    return (performance.now() - startedMs) / count
  }
}
