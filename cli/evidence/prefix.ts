/** Finds an earlier revision of a file by its digest. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

/** Limit of revisions; real PDF files have fewer. */
const MAXIMUM_REVISION_ENDS = 10_000
const END_MARK = '%%EOF'
/** An end-of-line marker of up to two bytes may follow `%%EOF`. */
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
 * Finds the revision with the digest. Returns its length from the start of the file.
 *
 * @param sha256 hex
 * @param likelyLengths bytes; additional lengths to try
 * @returns undefined when no revision has the digest
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
