/** Closes a revision whose signature dictionary fills one field (ISO 32000-2, 12.8.1). */
import { Buffer } from 'node:buffer'

import type { HashName } from '../cms/algorithms.ts'
import { PadesError } from '../errors.ts'
import type { IncrementalUpdate, Revision } from '../pdf/incremental-update.ts'
import type { PlannedField } from './plan.ts'
import { fillSignature, prepareSignature } from './prepared-signature.ts'
import type { ByteRange } from './request.ts'
import type { RunningDigests } from './running-digests.ts'
import { type SignatureDictionarySource, widgetSource } from './signature-dictionary.ts'

/** The second try knows the size of the first token; the third is for authorities that change. */
const MAX_HOLE_TRIES = 3
const REVISION_ID_BYTES = 16

/** A file that grows, and the digests of it. */
export interface Writing {
  readonly update: IncrementalUpdate
  readonly digests: RunningDigests
}

/** What goes into a signature dictionary. */
export interface Filling {
  readonly fieldName: string
  /** Number of the signature dictionary. */
  readonly dictionary: number
  readonly hash: HashName
  /** Called again at every attempt: the previous attempt shows how much room is needed. */
  sourceOf(): SignatureDictionarySource
  /** @returns DER of `/Contents` */
  signContents(messageDigest: Uint8Array): Promise<Uint8Array>
}

export interface FilledField {
  readonly byteRange: ByteRange
  /** Offset after the revision. */
  readonly endOffset: number
  /** Octets of `/Contents` with their padding. */
  readonly contents: Uint8Array
}

/** Sixteen bytes that follow from all the bytes before: no other revision has them. */
const revisionId = (digests: RunningDigests): Uint8Array =>
  digests.digestWith('sha256').subarray(0, REVISION_ID_BYTES)

/** Closes the current revision, and takes it into the digests. */
export function closeRevision({ update, digests }: Writing): Revision {
  const revision = update.endRevision(revisionId(digests))
  digests.update(update.view(revision.start, revision.end))
  return revision
}

/**
 * Writes the field anew.
 *
 * @param appearance number of the form that it shows
 * @returns the number for its signature dictionary
 */
export function writeSignedField(
  { update }: Writing,
  { fieldName, name, field, place }: PlannedField,
  appearance?: number,
): number {
  const signature = update.reserve()
  const { rect: rectangle, page } = place
  const shown = appearance === undefined ? {} : { appearance }
  const source = widgetSource({ fieldName, label: name, rectangle, page, signature, ...shown })
  update.put(field, 0, source)
  return signature
}

/** The same with strings encrypted as the document demands; Contents never is (7.6.2). */
function encryptedSource(
  update: IncrementalUpdate,
  number: number,
  { source, byteRangeAt, contentsAt, contentsEnd }: SignatureDictionarySource,
): SignatureDictionarySource {
  const owner = { number, generation: 0 }
  const before = update.withEncryptedStrings(owner, source.slice(0, byteRangeAt))
  const shift = before.length - byteRangeAt
  return {
    source: `${before}${source.slice(byteRangeAt)}`,
    byteRangeAt: byteRangeAt + shift,
    contentsAt: contentsAt + shift,
    contentsEnd: contentsEnd + shift,
  }
}

/**
 * Writes the signature dictionary, closes the revision and fills the hole. What turns out larger
 * than the place for it is made anew with more room.
 *
 * @throws PadesError `HOLE_TOO_SMALL`
 */
export async function closeWithContents(
  { update, digests }: Writing,
  filling: Filling,
): Promise<FilledField> {
  const { fieldName, dictionary, hash } = filling
  const id = revisionId(digests)
  const mark = update.mark()
  for (let tries = 0; tries < MAX_HOLE_TRIES; tries += 1) {
    const source = encryptedSource(update, dictionary, filling.sourceOf())
    const sourceStart = update.putAsIs(dictionary, 0, source.source)
    const revision = update.endRevision(id)
    const prepared = prepareSignature(update, digests, {
      fieldName,
      hash,
      source,
      sourceStart,
      revision,
    })
    const encoded = await filling.signContents(Buffer.from(prepared.messageDigest, 'hex'))
    if (encoded.length <= prepared.holeBytes) {
      fillSignature(update, prepared, encoded)
      digests.update(update.view(revision.start, revision.end))
      const contents = new Uint8Array(prepared.holeBytes)
      contents.set(encoded)
      return { byteRange: prepared.byteRange, endOffset: revision.end, contents }
    }
    update.rewind(mark)
  }
  throw new PadesError('HOLE_TOO_SMALL')
}
