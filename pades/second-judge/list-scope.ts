/** Decides which certificates a revocation list is about (RFC 5280, 6.3.3 (b) to (e) and (i)). */

import { Buffer } from 'node:buffer'
import { BasicConstraints, RelativeDistinguishedNames, stringPrep } from 'pkijs'
import type { Certificate, CertificateRevocationList, Extension } from 'pkijs'
import { elementsOf, firstElement } from './elements.ts'
import type { Element } from './elements.ts'

const BASIC_CONSTRAINTS = '2.5.29.19'
const DISTRIBUTION_POINTS = '2.5.29.31'
const ISSUING_DISTRIBUTION_POINT = '2.5.29.28'
const CERTIFICATE_ISSUER = '2.5.29.29'
/** Bits 1 to 8 of ReasonFlags (4.2.1.13) in the two octets of the BIT STRING. */
export const ALL_REASONS = 0x7f80
/** The bit of certificateHold, the seventh of ReasonFlags (RFC 5280, 4.2.1.13). */
export const HOLD_REASON = 0x0200

/** Tags of the fields of both kinds of distribution points. */
const NAME = 0xa0
const RELATIVE_NAME = 0xa1
const DIRECTORY_NAME = 0xa4
const SEQUENCE = 0x30

/** Where a list is published, as a certificate or a list has it. */
interface Point {
  /** Undefined when it has none. */
  readonly names: ReadonlySet<string> | undefined
  readonly reasons: number
}

interface CertificatePoint extends Point {
  /** Who issues the list, when it is not the issuer of the certificate. */
  readonly listIssuers: ReadonlySet<string> | undefined
}

const partOf = (parts: readonly Element[], tag: number) => parts.find((one) => one.tag === tag)
const isSet = (parts: readonly Element[], tag: number) =>
  partOf(parts, tag)?.content.some(Boolean) ?? false

const valueOf = (extensions: readonly Extension[] | undefined, type: string) =>
  extensions?.find(({ extnID }) => extnID === type)?.extnValue.valueBlock.valueHexView

/** The name as it is compared: without case and repeated spaces. */
const nameKey = ({ typesAndValues }: RelativeDistinguishedNames): string =>
  typesAndValues
    .map(({ type, value }) => {
      const text: unknown = value.valueBlock.value
      const octets = () => Buffer.from(value.toBER()).toString('hex')
      return JSON.stringify([type, typeof text === 'string' ? stringPrep(text) : { der: octets() }])
    })
    .join()

const readName = (der: Uint8Array) =>
  RelativeDistinguishedNames.fromBER(Uint8Array.from(der).buffer)

const namesOf = (elements: readonly Element[]): ReadonlySet<string> =>
  new Set(
    elements.map(({ tag, content, encoded }) =>
      tag === DIRECTORY_NAME ? nameKey(readName(content)) : Buffer.from(encoded).toString('hex'),
    ),
  )

/** Content of a DistributionPointName; what is relative is put below the issuers of the list. */
function pointNames(
  field: Element | undefined,
  issuers: readonly string[],
): ReadonlySet<string> | undefined {
  if (!field) return undefined
  const { tag, content } = firstElement(field.content)
  if (tag !== RELATIVE_NAME) return namesOf(elementsOf(content))
  // A Name is a sequence of sets; this is the content of one set.
  const below = Buffer.concat([headOf(0x31, content.length), content])
  const relative = nameKey(readName(Buffer.concat([headOf(SEQUENCE, below.length), below])))
  return new Set(issuers.map((issuer) => `${issuer},${relative}`))
}

/** Identifier and length octets of an element of at most 65,535 octets. */
const headOf = (tag: number, length: number): Buffer =>
  Buffer.of(tag, 0x82, Math.floor(length / 256), length % 256)

/** ReasonFlags, whose first octet counts unused bits; all reasons when absent. */
function reasonsOf(field: Element | undefined): number {
  if (!field) return ALL_REASONS
  const [, first = 0, second = 0] = field.content
  return ((first << 8) | second) & ALL_REASONS
}

function pointsOf({ extensions, issuer }: Certificate): CertificatePoint[] {
  const value = valueOf(extensions, DISTRIBUTION_POINTS)
  const issuerKey = nameKey(issuer)
  if (!value) {
    return [{ names: new Set([issuerKey]), reasons: ALL_REASONS, listIssuers: undefined }]
  }
  return elementsOf(firstElement(value).content).map(({ content }) => {
    const parts = elementsOf(content)
    const others = partOf(parts, 0xa2)
    const listIssuers = others && namesOf(elementsOf(others.content))
    return {
      names: pointNames(partOf(parts, NAME), listIssuers ? [...listIssuers] : [issuerKey]),
      reasons: reasonsOf(partOf(parts, 0x81)),
      listIssuers,
    }
  })
}

const scopeOf = ({ crlExtensions }: CertificateRevocationList): readonly Element[] => {
  const value = valueOf(crlExtensions?.extensions, ISSUING_DISTRIBUTION_POINT)
  return value ? elementsOf(firstElement(value).content) : []
}

/** pkijs parses an extension when its value is read, so others are left alone. */
const isAuthority = ({ extensions }: Certificate): boolean =>
  extensions?.some(
    (one) =>
      one.extnID === BASIC_CONSTRAINTS &&
      one.parsedValue instanceof BasicConstraints &&
      one.parsedValue.cA,
  ) ?? false

/**
 * For which reasons a list covers a certificate, as a mask; 0 when it is not about it.
 *
 * @throws RangeError for a structure that is not DER
 */
export function reasonsInScope(list: CertificateRevocationList, certificate: Certificate): number {
  const scope = scopeOf(list)
  const [onlyUsers, onlyAuthorities] = [isSet(scope, 0x81), isSet(scope, 0x82)]
  const isExcluded = isSet(scope, 0x85) || (isAuthority(certificate) ? onlyUsers : onlyAuthorities)
  if (isExcluded) return 0
  const listIssuer = nameKey(list.issuer)
  const names = pointNames(partOf(scope, NAME), [listIssuer])
  const isOfOthers = isSet(scope, 0x84)
  const isOwn = list.issuer.isEqual(certificate.issuer)
  const covered = pointsOf(certificate)
    .filter((point) => {
      const isIssuer = point.listIssuers ? isOfOthers && point.listIssuers.has(listIssuer) : isOwn
      const own = point.names ?? point.listIssuers
      return isIssuer && (!names || [...names].some((name) => own?.has(name)))
    })
    .reduce((mask, { reasons }) => mask | reasons, 0)
  return covered & reasonsOf(partOf(scope, 0x83))
}

/** Whether a list may have entries of other issuers' certificates. */
export const isIndirect = (list: CertificateRevocationList): boolean => isSet(scopeOf(list), 0x84)

/** The issuer that the extensions of an entry name (5.3.3). */
export function certificateIssuer(
  extensions: readonly Extension[],
): RelativeDistinguishedNames | undefined {
  const value = valueOf(extensions, CERTIFICATE_ISSUER)
  const names = value ? elementsOf(firstElement(value).content) : []
  const directory = partOf(names, DIRECTORY_NAME)
  return directory && readName(directory.content)
}
