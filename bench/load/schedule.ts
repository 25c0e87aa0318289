/** Decides when cases arrive, before the first one starts (an open loop: Schroeder, 2006). */

/** Multiplier, increment and modulus of Numerical Recipes' linear congruential generator. */
const [MULTIPLIER, INCREMENT, MODULUS] = [1_664_525, 1_013_904_223, 2 ** 32]
const SEED = 19
const MS_PER_SECOND = 1_000

/**
 * Independent arrivals (a Poisson process), the same in every run. Several can come at almost the
 * same time, as those of real tenants do.
 *
 * @param rate mean number in a second
 * @returns milliseconds after the start, in rising order; at least one
 */
export function arrivalTimes(rate: number, durationMs: number): number[] {
  let state = SEED
  const times: number[] = []
  for (let atMs = 0; atMs < durationMs;) {
    times.push(atMs)
    state = (Math.imul(state, MULTIPLIER) + INCREMENT) >>> 0
    atMs += (-Math.log(1 - state / MODULUS) * MS_PER_SECOND) / rate
  }
  return times
}
