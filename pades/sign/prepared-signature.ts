/** What is handed from "the digest is made" to "the signature came back" (ISO 32000-2, 12.8.1). */
import { Buffer } from 'node:buffer'

import type { HashName } from '../cms/algorithms.ts'
import { PadesError } from '../errors.ts'
import type { IncrementalUpdate, Revision } from '../pdf/incremental-update.ts'
import type { ByteRange } from './request.ts'
import type { RunningDigests } from './running-digests.ts'
import { byteRangeSource, type SignatureDictionarySource } from './signature-dictionary.ts'

/**
 * A revision whose signature is missing: plain data that can be kept or sent while the key signs
 * elsewhere.
 */
export interface PreparedSignature {
  readonly fieldName: string
  readonly byteRange: ByteRange
  /** Octets of DER that fit into `/Contents`; the file holds two digits of each. */
  readonly holeBytes: number
  readonly hash: HashName
  /** Over the byte range, lower-case hexadecimal. */
  readonly messageDigest: string
  readonly revision: Revision
}

/** A revision that is closed and whose signature dictionary begins at `sourceStart` of the file. */
export interface UnsignedRevision {
  readonly fieldName: string
  readonly hash: HashName
  readonly source: SignatureDictionarySource
  readonly sourceStart: number
  readonly revision: Revision
}

/**
 * Writes the byte range into a revision, and digests all of the file but the hole.
 *
 * @param digests over the bytes before the revision
 */
export function prepareSignature(
  update: IncrementalUpdate,
  digests: RunningDigests,
  { fieldName, hash, source, sourceStart, revision }: UnsignedRevision,
): PreparedSignature {
  const holeStart = sourceStart + source.contentsAt
  const holeEnd = sourceStart + source.contentsEnd
  const byteRange = [0, holeStart, holeEnd, revision.end - holeEnd] as const
  const text = byteRangeSource(byteRange)
  const rangeStart = sourceStart + source.byteRangeAt
  update.view(rangeStart, rangeStart + text.length).set(Buffer.from(text, 'latin1'))
  const digest = digests.digestWith(
    hash,
    update.view(revision.start, holeStart),
    update.view(holeEnd, revision.end),
  )
  return Object.freeze({
    fieldName,
    byteRange: Object.freeze(byteRange),
    holeBytes: (holeEnd - holeStart - 2) / 2,
    hash,
    messageDigest: Buffer.from(digest).toString('hex'),
    revision: Object.freeze(revision),
  })
}

/**
 * Fills the hole that {@link prepareSignature} left; what is not needed of it stays zero.
 *
 * @param cms DER, at most `prepared.holeBytes` octets
 * @throws PadesError `HOLE_TOO_SMALL` - reserve more and prepare again
 */
export function fillSignature(
  update: IncrementalUpdate,
  prepared: PreparedSignature,
  cms: Uint8Array,
): void {
  if (cms.length > prepared.holeBytes) throw new PadesError('HOLE_TOO_SMALL')
  const digits = Buffer.from(Buffer.from(cms).toString('hex'), 'latin1')
  const start = prepared.byteRange[1] + 1
  update.view(start, start + digits.length).set(digits)
}
