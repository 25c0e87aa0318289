/** Reads length-prefixed messages from the standard input, while the whole process waits. */
import { Buffer } from 'node:buffer'
import { readSync } from 'node:fs'
import { LENGTH_BYTES } from './frames.ts'

const STDIN = 0

/** @returns the octets and free space behind them; undefined when the input ends before */
function take(length: number, room: number): Buffer | undefined {
  const taken = Buffer.alloc(length + room)
  for (let filled = 0; filled < length;) {
    const count = readSync(STDIN, taken, filled, length - filled, null)
    if (count === 0) return undefined
    filled += count
  }
  return taken
}

/**
 * Reads the next part. The event loop does not run meanwhile: what a reading left behind cannot
 * continue, and a reading that waits for nothing ends the process.
 *
 * @param room bytes of the buffer that stay free behind the part
 * @returns undefined when the input has ended
 */
export function readPart(room = 0): Buffer | undefined {
  const length = take(LENGTH_BYTES, 0)?.readUInt32BE(0)
  return length === undefined ? undefined : take(length, room)
}
