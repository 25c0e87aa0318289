/**
 * Judges whether decoders make the same samples of a block (ISO/IEC 10918-1, annex A.3.3): some
 * wrap values that are far out of range, and others cut them off.
 */

const SIDE = 8
export const BLOCK_SIZE = SIDE * SIDE
/** libjpeg wraps values beyond 512; real images stay below 300. */
const HIGHEST_SAMPLE = 500
/** No coefficient adds more than this share of its value to a sample. */
const HIGHEST_SHARE = 0.25

/** Index of each coefficient in its block, in the order of the data (figure A.6). */
const ZIGZAG = Uint8Array.from([
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
  13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52,
  45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
])

/** Weight of coefficient `u` for sample `x`: `WAVES[x * 8 + u]`. */
const WAVES = Float32Array.from({ length: BLOCK_SIZE }, (_, index) => {
  const [x, u] = [Math.floor(index / SIDE), index % SIDE]
  return Math.cos(((2 * x + 1) * u * Math.PI) / 16) / (u === 0 ? Math.SQRT2 : 1) / 2
})
const rows = new Float32Array(BLOCK_SIZE)

/**
 * @param coefficients 64 in the order of the data, from `at` on
 * @param steps of the quantisation table, in the same order
 */
export function hasPlainSamples(coefficients: Int16Array, at: number, steps: Uint16Array): boolean {
  let sum = 0
  for (let k = 0; k < BLOCK_SIZE; k += 1) sum += Math.abs(coefficients[at + k]) * steps[k]
  return sum * HIGHEST_SHARE <= HIGHEST_SAMPLE || isInRange(coefficients, at, steps)
}

/** Transforms the block: first its rows, then the columns. */
function isInRange(coefficients: Int16Array, at: number, steps: Uint16Array): boolean {
  rows.fill(0)
  for (let k = 0; k < BLOCK_SIZE; k += 1) {
    const value = coefficients[at + k] * steps[k]
    if (value === 0) continue
    const row = ZIGZAG[k] & ~(SIDE - 1)
    const u = ZIGZAG[k] & (SIDE - 1)
    for (let x = 0; x < SIDE; x += 1) rows[row + x] += value * WAVES[x * SIDE + u]
  }
  for (let x = 0; x < SIDE; x += 1) {
    for (let y = 0; y < SIDE; y += 1) {
      let sample = 0
      for (let v = 0; v < SIDE; v += 1) sample += rows[v * SIDE + x] * WAVES[y * SIDE + v]
      if (Math.abs(sample) > HIGHEST_SAMPLE) return false
    }
  }
  return true
}
