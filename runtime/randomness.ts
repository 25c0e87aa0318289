/** Random values of a process, from the random generator of `node:crypto`. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto'

const SECRET_BYTES = 32
/** The largest limit of `randomInt`. */
const STEPS = 2 ** 48 - 1

/** Random values that the API takes as dependencies. */
export const RANDOMNESS = {
  randomUuid: (): string => randomUUID(),
  /** @returns 256 bits in base64url */
  randomSecret: (): string => randomBytes(SECRET_BYTES).toString('base64url'),
  /** @returns an integer from 0 to below the limit */
  randomInt: (limit: number): number => randomInt(limit),
}

/** @returns a number from 0 to below 1 */
export const randomShare = (): number => randomInt(STEPS) / STEPS
