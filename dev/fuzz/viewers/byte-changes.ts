/** Random changes of octets in what was appended to a signed document. */
import { Buffer } from 'node:buffer'
import type { Random } from '../../../test/fixtures/mutations.ts'
import { pick } from './attacker.ts'

const MAXIMUM_CHANGES = 4
const MAXIMUM_SLICE_BYTES = 60
/** Bytes that are significant to a parser. */
const SIGNIFICANT = '<>[](){}/%# \n\r\0\t0123456789Robjendstramxfn+-.'

/**
 * Changes some octets of a text.
 *
 * @param text Latin-1
 */
export function changeBytes(text: string, random: Random): string {
  let changed = text
  for (let left = 1 + random(MAXIMUM_CHANGES); left > 0; left--) {
    const at = random(Math.max(1, changed.length))
    const end = at + 1 + random(MAXIMUM_SLICE_BYTES)
    const [before, slice, after] = [
      changed.slice(0, at),
      changed.slice(at, end),
      changed.slice(end),
    ]
    const to = random(Math.max(1, changed.length))
    const significant = pick([...SIGNIFICANT], random)
    const flipped = String.fromCharCode((changed.charCodeAt(at) || 0) ^ (1 << random(8)))
    changed = pick(
      [
        before + flipped + changed.slice(at + 1),
        before + significant + changed.slice(at + 1),
        before + significant + changed.slice(at),
        before + changed.slice(at + 1),
        before + after,
        before + slice + slice + after,
        changed.slice(0, to) + slice + changed.slice(to),
      ],
      random,
    )
  }
  return changed
}

/** A part of one revision followed by the rest of another one. */
export function splice(one: Buffer, other: Buffer, random: Random): Buffer {
  const [a, b] = [random(one.length), random(other.length)]
  return Buffer.concat([one.subarray(0, a), other.subarray(b)])
}
