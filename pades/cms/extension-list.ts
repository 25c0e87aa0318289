/** Reads the extensions of revocation lists, their entries and other structures (RFC 5280, 4.1). */

import { TAG } from './der.ts'
import { type DerElement, DerError } from './der-reader.ts'
import { readBoolean, readObjectIdentifier, readOctetString } from './der-values.ts'

const MAX_EXTENSIONS = 100

/** One extension, not yet interpreted. */
export interface Extension {
  readonly type: string
  readonly critical: boolean
  readonly value: Uint8Array
}

/**
 * Reads `Extensions`.
 *
 * @param element absent where there are none
 * @param tag of an implicit type
 * @throws DerError
 */
export function readExtensions(
  element: DerElement | undefined,
  tag: number = TAG.sequence,
): Extension[] {
  const parts = element?.as(tag).children ?? []
  if (parts.length > MAX_EXTENSIONS) throw new DerError('too many extensions')
  return parts.map((part) => {
    const second = part.child(1)
    const isMarked = second.tag === TAG.boolean
    return {
      type: readObjectIdentifier(part.child(0)),
      critical: isMarked && readBoolean(second),
      value: readOctetString(isMarked ? part.child(2) : second),
    }
  })
}
