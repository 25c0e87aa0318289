/** Revocation data inside a CMS (RFC 5652, 10.2.1; RFC 5940; ISO 32000-2, 12.8.3.3.2). */

import { TAG } from './der.ts'
import { readObjectIdentifier } from './der-values.ts'
import type { DerElement } from './der-reader.ts'
import { OID } from './object-identifiers.ts'
import type { RevocationData } from './revocation.ts'
import type { Attributes } from './signed-data-reader.ts'

/** Lists and answers that one CMS may carry. */
const MAX_PIECES = 200

const NOTHING: RevocationData = { revocationLists: [], ocspResponses: [] }

/** What does not have the structure that it must have proves nothing. */
function leniently(read: () => RevocationData): RevocationData {
  try {
    return read()
  } catch {
    return NOTHING
  }
}

const encodedOf = (elements: readonly DerElement[]) =>
  elements.slice(0, MAX_PIECES).map(({ encoded }) => encoded)

/** The `crls` of a SignedData: lists, and OCSP answers as another format of revocation data. */
export function revocationChoices(set: DerElement | undefined): RevocationData {
  return leniently(() => {
    const elements = (set?.children ?? []).slice(0, MAX_PIECES)
    const isOther = ({ tag }: DerElement) => tag === (TAG.contextConstructed | 1)
    return {
      revocationLists: encodedOf(elements.filter((element) => !isOther(element))),
      ocspResponses: encodedOf(
        elements.filter(isOther).flatMap(({ children: [format, answer] }) => {
          const isOcsp = format && readObjectIdentifier(format) === OID.revocationInfoOcsp
          return isOcsp && answer ? [answer] : []
        }),
      ),
    }
  })
}

/** The signed attribute `adbe-revocationInfoArchival`. */
export function archivedRevocation(attributes: Attributes | undefined): RevocationData {
  return leniently(() => {
    const [archive] = attributes?.values.get(OID.revocationInfoArchival) ?? []
    const within = (index: number) =>
      archive?.children.find(({ tag }) => tag === (TAG.contextConstructed | index))?.child(0)
        .children ?? []
    return { revocationLists: encodedOf(within(0)), ocspResponses: encodedOf(within(1)) }
  })
}
