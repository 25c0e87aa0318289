/** Reads the Qualifications extension of a service (ETSI TS 119 612, 5.5.9.2 and annex C). */
import { TrustedListError } from './errors.ts'
import type { Criterion, Qualification } from './model.ts'
import { childrenOf, type XmlElement } from './xml.ts'

export const SERVICE_EXTENSIONS =
  'http://uri.etsi.org/TrstSvc/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#'
export const ADDITIONAL_TYPES = 'http://uri.etsi.org/02231/v2/additionaltypes#'
const XADES = 'http://uri.etsi.org/01903/v1.3.2#'

/** Bits of KeyUsage by the names of the schema (RFC 5280, 4.2.1.3). */
const KEY_USAGE_BITS = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'crlSign',
  'encipherOnly',
  'decipherOnly',
]

const ASSERTIONS = ['all', 'atLeastOne', 'none'] as const

/** Qualifiers that restrict; they also apply when their criterion is unknown. */
export const RESTRICTING_QUALIFIERS: readonly string[] = [
  'NotQualified',
  'QCNoSSCD',
  'QCNoQSCD',
  'QCForLegalPerson',
]

const ETSI_URI = /^https?:\/\/uri\.etsi\.org\/(?:.*\/)?/

/** Returns a URI of ETSI without what precedes a name; anything else in angle brackets. */
export const etsiName = (uri: string, before: RegExp = ETSI_URI): string =>
  ETSI_URI.test(uri) ? uri.replace(before, '') : `<${uri}>`

const OID = /^\d+(?:\.\d+)+$/

/** Returns the dotted OIDs of `Identifier` elements, plain or with the prefix `urn:oid:`. */
function oidsOf(holders: readonly XmlElement[]): string[] {
  return holders.flatMap((holder) =>
    childrenOf(holder, XADES, 'Identifier').map(({ text }) =>
      text.trim().replace(/^urn:oid:/i, ''),
    ),
  )
}

const UNKNOWN: Criterion = { kind: 'unknown' }

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false }

function keyUsageOf(element: XmlElement): Criterion {
  const stated = childrenOf(element, SERVICE_EXTENSIONS, 'KeyUsageBit')
  const bits = stated.flatMap(({ attributes, text }) => {
    const bit = KEY_USAGE_BITS.indexOf(attributes.get('name') ?? '')
    const value = BOOLEANS[text.trim()]
    return bit < 0 || value === undefined ? [] : [{ bit, value }]
  })
  return bits.length === 0 || bits.length < stated.length ? UNKNOWN : { kind: 'keyUsage', bits }
}

function withOids(
  kind: 'policies' | 'extendedKeyUsage' | 'subjectAttributes',
  holders: readonly XmlElement[],
): Criterion {
  const oids = oidsOf(holders)
  const areRead = oids.length === holders.length && oids.every((oid) => OID.test(oid))
  return oids.length === 0 || !areRead ? UNKNOWN : { kind, oids }
}

function otherCriterion(element: XmlElement): Criterion {
  if (element.namespace !== ADDITIONAL_TYPES) return UNKNOWN
  const parts = (name: string) => childrenOf(element, ADDITIONAL_TYPES, name)
  if (element.name === 'ExtendedKeyUsage')
    return withOids('extendedKeyUsage', parts('KeyPurposeId'))
  if (element.name !== 'CertSubjectDNAttribute') return UNKNOWN
  return withOids('subjectAttributes', parts('AttributeOID'))
}

function criteriaOf(element: XmlElement): Criterion[] {
  if (element.name === 'Description') return []
  if (element.namespace !== SERVICE_EXTENSIONS) return [UNKNOWN]
  switch (element.name) {
    case 'KeyUsage':
      return [keyUsageOf(element)]
    case 'PolicySet':
      return [withOids('policies', childrenOf(element, SERVICE_EXTENSIONS, 'PolicyIdentifier'))]
    case 'CriteriaList':
      return [criteriaListOf(element)]
    case 'otherCriteriaList':
      return element.children.map(otherCriterion)
    default:
      return [UNKNOWN]
  }
}

function criteriaListOf(element: XmlElement): Criterion {
  const assert = ASSERTIONS.find((it) => it === element.attributes.get('assert'))
  const criteria = element.children.flatMap(criteriaOf)
  return assert === undefined ? UNKNOWN : { kind: 'list', assert, criteria }
}

/** What restricts does so in any spelling; what gives is spelled as the standard does. */
function qualifierOf(uri: string): string {
  const name = uri.slice(uri.lastIndexOf('/') + 1).toLowerCase()
  return RESTRICTING_QUALIFIERS.find((it) => it.toLowerCase() === name) ?? etsiName(uri)
}

function qualificationOf(element: XmlElement): Qualification {
  const [list, ...others] = childrenOf(element, SERVICE_EXTENSIONS, 'CriteriaList')
  if (!list || others.length > 0) {
    throw new TrustedListError('NOT_A_TRUSTED_LIST', 'a qualification has no criteria')
  }
  const uris = childrenOf(element, SERVICE_EXTENSIONS, 'Qualifiers')
    .flatMap((it) => childrenOf(it, SERVICE_EXTENSIONS, 'Qualifier'))
    .map((it) => it.attributes.get('uri') ?? '')
  return {
    qualifiers: uris.map((uri) => qualifierOf(uri.trim())),
    criterion: criteriaListOf(list),
  }
}

/**
 * Reads the qualifications of one `Extension` of a service; empty for another extension.
 *
 * @throws TrustedListError `NOT_A_TRUSTED_LIST`
 */
export function readQualifications(extension: XmlElement): Qualification[] {
  return childrenOf(extension, SERVICE_EXTENSIONS, 'Qualifications')
    .flatMap((it) => childrenOf(it, SERVICE_EXTENSIONS, 'QualificationElement'))
    .map(qualificationOf)
}
