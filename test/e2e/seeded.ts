/** Chance that can be repeated: a test prints its seed and takes it back. */

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The seed of this run: from the environment, or a new one. */
export function seedOf(environment: Readonly<Record<string, string | undefined>>): number {
  const given = Number(environment.SEED)
  return Number.isInteger(given) && environment.SEED ? given : Math.floor(Math.random() * 2 ** 31)
}
