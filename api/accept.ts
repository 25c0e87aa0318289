/** Reads the header `Accept` (RFC 9110, 12.5.1). */
import { mediaTypeOf } from '../domain/media-types.ts'

/** A weight from 0 to 1 with at most three decimals (RFC 9110, 12.4.2). */
const WEIGHT = /^\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/i
const HAS_WEIGHT = /^\s*q\s*=/i

/** Weight of one media range: 1 without a weight, 0 with one that is not valid. */
function weightOf(range: string): number {
  const given = range
    .split(';')
    .slice(1)
    .find((part) => HAS_WEIGHT.test(part))
  return given === undefined ? 1 : Number(WEIGHT.exec(given)?.[1] ?? 0)
}

/** Returns the weights of the header `Accept` by media range; a range with 0 is not acceptable. */
export function acceptWeights(accept: string): ReadonlyMap<string, number> {
  return new Map(accept.split(',').map((range) => [mediaTypeOf(range), weightOf(range)]))
}
