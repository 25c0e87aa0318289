/** Applies name constraints along a path (RFC 5280, 4.2.1.10 and 6.1.3 (b), (c)). */

import type { Certificate } from './certificate-reader.ts'
import { TAG } from './der.ts'
import { DerError, readDer } from './der-reader.ts'
import type { DerElement } from './der-reader.ts'
import { readGeneralName } from './general-names.ts'
import type { GeneralName } from './general-names.ts'
import { isConstrainedBy, isWithinSubtree } from './name-matching.ts'
import { nameAttributeValues } from './names.ts'
import { OID } from './object-identifiers.ts'

/** Subtrees of one certificate, and names of one; real ones have a few. */
const MAX_SUBTREES = 2_000
const MAX_NAMES = 1_000
/** Comparisons along one path. */
const MAX_COMPARISONS = 100_000

interface NameConstraints {
  readonly permitted: readonly GeneralName[]
  readonly excluded: readonly GeneralName[]
}

/** `minimum` is 0 and `maximum` is absent in every profile of RFC 5280. */
function readSubtrees(element: DerElement | undefined): GeneralName[] {
  const subtrees = element?.children ?? []
  if (subtrees.length > MAX_SUBTREES) throw new DerError('too many subtrees')
  return subtrees.map((subtree) => {
    const [base, minimum, ...rest] = subtree.as(TAG.sequence).children
    const isPlain = !minimum || (minimum.tag === TAG.context && minimum.content.join() === '0')
    if (!isPlain || rest.length > 0) throw new DerError('a subtree with a minimum or a maximum')
    return readGeneralName(base)
  })
}

/** @throws DerError when the extension cannot be read */
function readNameConstraints({ extensions }: Certificate): NameConstraints | undefined {
  const extension = extensions.get(OID.nameConstraints)
  if (!extension) return undefined
  const parts = readDer(extension.value).as(TAG.sequence).children
  if (parts.some(({ tag }) => tag !== PERMITTED && tag !== EXCLUDED)) {
    throw new DerError('not name constraints')
  }
  const within = (tag: number) => readSubtrees(parts.find((part) => part.tag === tag))
  return { permitted: within(PERMITTED), excluded: within(EXCLUDED) }
}

const PERMITTED = TAG.contextConstructed
const EXCLUDED = TAG.contextConstructed | 1
const EMPTY_SEQUENCE_BYTES = 2

/**
 * All names of a certificate, to which constraints apply: the subject when it is not empty, the
 * alternative names, and mail addresses of the subject when no alternative name is one.
 *
 * @throws DerError
 */
export function namesOf({ subject, extensions }: Certificate): GeneralName[] {
  const extension = extensions.get(OID.subjectAltName)
  const elements = extension ? readDer(extension.value).as(TAG.sequence).children : []
  if (elements.length > MAX_NAMES) throw new DerError('too many names')
  const names = elements.map(readGeneralName)
  if (subject.length > EMPTY_SEQUENCE_BYTES) names.push({ form: 'directoryName', value: subject })
  if (names.some(({ form }) => form === 'rfc822Name')) return names
  const mails = nameAttributeValues(subject, OID.emailAddress)
  return [...names, ...mails.map((value) => ({ form: 'rfc822Name' as const, value }))]
}

/**
 * Checks whether the names along a path are within the constraints of the authorities above them.
 *
 * @param path from the certificate up to the trust anchor; the constraints of the anchor count as
 *   well (RFC 5937, 3.2)
 * @throws DerError when constraints or names cannot be read, or no rule is known for them
 */
export function nameConstraintsHold(path: readonly Certificate[]): boolean {
  const above: NameConstraints[] = []
  let comparisons = 0
  const isWithin = (name: GeneralName, subtree: GeneralName) => {
    if (++comparisons > MAX_COMPARISONS) throw new DerError('too many name constraints')
    return isWithinSubtree(name, subtree)
  }
  const isAllowed = (name: GeneralName, { permitted, excluded }: NameConstraints) => {
    const relevant = permitted.filter((subtree) => isConstrainedBy(name, subtree))
    if (relevant.length > 0 && !relevant.some((subtree) => isWithin(name, subtree))) return false
    return !excluded.some((subtree) => isConstrainedBy(name, subtree) && isWithin(name, subtree))
  }
  for (const certificate of path.toReversed()) {
    const isExempt = certificate.selfIssued && certificate !== path[0]
    if (above.length > 0 && !isExempt) {
      const names = namesOf(certificate)
      if (!above.every((constraints) => names.every((name) => isAllowed(name, constraints)))) {
        return false
      }
    }
    const own = readNameConstraints(certificate)
    if (own) above.push(own)
  }
  return true
}
