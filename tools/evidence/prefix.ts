/** Finds the earlier state of an appended file by the digest that it had. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

/** A file with more ends of revisions than this was not made by a PDF writer. */
const MAXIMUM_REVISION_ENDS = 10_000
const END_MARK = '%%EOF'
/** `%%EOF` may be followed by one end of line of up to two octets. */
const LINE_END_OCTETS = 2

function revisionEnds(file: Buffer): number[] {
  const ends: number[] = []
  let mark = file.indexOf(END_MARK)
  while (mark !== -1 && ends.length < MAXIMUM_REVISION_ENDS) {
    const end = mark + END_MARK.length
    for (let extra = 0; extra <= LINE_END_OCTETS; extra++) ends.push(end + extra)
    mark = file.indexOf(END_MARK, end)
  }
  return ends
}

/**
 * The length of the part of the file, from its start to the end of a revision, that has the digest.
 *
 * @param sha256 hex
 * @param likelyLengths octets; tried beside the ends of revisions
 * @returns undefined when no such part has it
 */
export function prefixWithDigest(
  bytes: Uint8Array,
  sha256: string,
  likelyLengths: readonly unknown[],
): number | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const known = likelyLengths.filter((length) => typeof length === 'number')
  const lengths = [...new Set([...known, ...revisionEnds(file), file.length])]
    .filter((length) => Number.isInteger(length) && length > 0 && length <= file.length)
    .sort((a, b) => a - b)
  const hash = createHash('sha256')
  let hashed = 0
  for (const length of lengths) {
    hash.update(file.subarray(hashed, length))
    hashed = length
    if (hash.copy().digest('hex') === sha256) return length
  }
  return undefined
}
