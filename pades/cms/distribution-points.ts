/**
 * Which revocation list is about which certificate: distribution points of certificates and of
 * lists (RFC 5280, 4.2.1.13, 5.2.5 and 6.3.3 (b)).
 */

import { Buffer } from 'node:buffer'
import type { Certificate } from './certificate-reader.ts'
import { compareOctets, sequence, TAG } from './der.ts'
import { DerError, readDer } from './der-reader.ts'
import { readNamedBits } from './der-values.ts'
import type { DerElement } from './der-reader.ts'
import { relativeNameKeys } from './name-matching.ts'
import { OID } from './object-identifiers.ts'

/** Points of one certificate, and names of one point; real ones have a few. */
const MAX_POINTS = 100
const MAX_NAMES = 100

/** Bits of ReasonFlags (4.2.1.13): 1, keyCompromise, to 8, aACompromise. */
export const ALL_REASONS: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 8])

/** Where lists about a certificate, or a list itself, are published. */
interface DistributionPoint {
  /** Names as they are compared; undefined when the point has none. */
  readonly names: ReadonlySet<string> | undefined
  readonly reasons: ReadonlySet<number>
  /** Names of those who issue the list, when it is not the issuer of the certificate. */
  readonly listIssuers: ReadonlySet<string> | undefined
}

/** What a list says about its own scope. */
export interface ListScope extends Pick<DistributionPoint, 'names' | 'reasons'> {
  readonly onlyUsers: boolean
  readonly onlyAuthorities: boolean
  readonly onlyAttributeCertificates: boolean
  /** Whether it has entries of other authorities. */
  readonly isIndirect: boolean
}

/** A Name as it is compared. @throws DerError */
export const nameKey = (name: Uint8Array): string => `name ${relativeNameKeys(name).join()}`

const DIRECTORY_NAME = TAG.contextConstructed | 4

function generalNameKeys(elements: readonly DerElement[]): ReadonlySet<string> {
  if (elements.length > MAX_NAMES) throw new DerError('too many names of a distribution point')
  return new Set(
    elements.map((element) =>
      element.tag === DIRECTORY_NAME
        ? nameKey(element.child(0).encoded)
        : Buffer.from(element.encoded).toString('hex'),
    ),
  )
}

/**
 * The names of a DistributionPointName; a relative name is put below the issuer of the list.
 *
 * @param issuers DER names of those who issue the list
 */
function pointNames(
  element: DerElement | undefined,
  issuers: readonly Uint8Array[],
): ReadonlySet<string> | undefined {
  if (!element) return undefined
  const name = element.child(0)
  if (name.tag === TAG.contextConstructed) return generalNameKeys(name.children)
  const relative = Buffer.from(name.as(TAG.contextConstructed | 1).encoded)
  relative[0] = TAG.set
  return new Set(
    issuers.map((issuer) => nameKey(sequence(readDer(issuer).content, new Uint8Array(relative)))),
  )
}

const part = (parts: readonly DerElement[], tag: number) => parts.find((one) => one.tag === tag)

/** ReasonFlags, whose tag is implicit. */
function readReasons(element: DerElement | undefined): ReadonlySet<number> {
  if (!element) return ALL_REASONS
  const bits = Buffer.from(element.encoded)
  bits[0] = TAG.bitString
  return readNamedBits(readDer(bits))
}

/** Points of a certificate; without the extension, its issuer is the point (6.3.3). */
function pointsOf({ extensions, issuer }: Certificate): DistributionPoint[] {
  const extension = extensions.get(OID.crlDistributionPoints)
  if (!extension) {
    const names = new Set([nameKey(issuer)])
    return [{ names, reasons: ALL_REASONS, listIssuers: undefined }]
  }
  const points = readDer(extension.value).as(TAG.sequence).children
  if (points.length > MAX_POINTS) throw new DerError('too many distribution points')
  return points.map((point) => {
    const parts = point.as(TAG.sequence).children
    const others = part(parts, TAG.contextConstructed | 2)?.children
    const directory = others?.filter(({ tag }) => tag === DIRECTORY_NAME)
    const issuers = directory?.map((one) => one.child(0).encoded) ?? [issuer]
    return {
      names: pointNames(part(parts, TAG.contextConstructed), issuers),
      reasons: readReasons(part(parts, TAG.context | 1)),
      listIssuers: others && generalNameKeys(others),
    }
  })
}

/**
 * Reads an issuingDistributionPoint.
 *
 * @param value DER inside the OCTET STRING
 * @param issuer DER name of the issuer of the list
 * @throws DerError
 */
export function readListScope(value: Uint8Array, issuer: Uint8Array): ListScope {
  const parts = readDer(value).as(TAG.sequence).children
  const isSet = (number: number) =>
    part(parts, TAG.context | number)?.content.some(Boolean) ?? false
  return {
    names: pointNames(part(parts, TAG.contextConstructed), [issuer]),
    reasons: readReasons(part(parts, TAG.context | 3)),
    onlyUsers: isSet(1),
    onlyAuthorities: isSet(2),
    isIndirect: isSet(4),
    onlyAttributeCertificates: isSet(5),
  }
}

const EVERYTHING: ListScope = {
  names: undefined,
  reasons: ALL_REASONS,
  onlyUsers: false,
  onlyAuthorities: false,
  onlyAttributeCertificates: false,
  isIndirect: false,
}

const share = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].some((one) => b.has(one))

/**
 * For which reasons a list covers a certificate (6.3.3 (b) to (d)); none when it is not about it.
 *
 * @param list its issuer (DER name) and what it says of its scope
 * @throws DerError when a distribution point of the certificate cannot be read
 */
export function reasonsCovered(
  { issuer, scope = EVERYTHING }: { issuer: Uint8Array; scope: ListScope | undefined },
  certificate: Certificate,
): ReadonlySet<number> {
  const { authority } = certificate.basicConstraints
  const isExcluded =
    scope.onlyAttributeCertificates ||
    (scope.onlyUsers && authority) ||
    (scope.onlyAuthorities && !authority)
  if (isExcluded) return new Set()
  const listIssuer = nameKey(issuer)
  const isOwn = compareOctets(issuer, certificate.issuer) === 0
  const covered = pointsOf(certificate)
    .filter(({ names, listIssuers }) => {
      const isIssuer = listIssuers ? scope.isIndirect && listIssuers.has(listIssuer) : isOwn
      const own = names ?? listIssuers
      return isIssuer && (!scope.names || (own !== undefined && share(scope.names, own)))
    })
    .flatMap(({ reasons }) => [...reasons].filter((reason) => scope.reasons.has(reason)))
  return new Set(covered)
}
