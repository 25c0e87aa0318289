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

/** Returns the dotted OIDs of `Identifier` elements, plain or with the prefix `urn:oid:`. */
function oidsOf(holders: readonly XmlElement[]): string[] {
  return holders.flatMap((holder) =>
    childrenOf(holder, XADES, 'Identifier').map(({ text }) =>
      text.trim().replace(/^urn:oid:/i, ''),
    ),
  )
}

const UNKNOWN: Criterion = { kind: 'unknown' }

function keyUsageOf(element: XmlElement): Criterion {
  const bits = childrenOf(element, SERVICE_EXTENSIONS, 'KeyUsageBit').map((it) => ({
    bit: KEY_USAGE_BITS.indexOf(it.attributes.get('name') ?? ''),
    value: ['true', '1'].includes(it.text.trim()),
  }))
  return bits.length === 0 || bits.some(({ bit }) => bit < 0) ? UNKNOWN : { kind: 'keyUsage', bits }
}

function withOids(
  kind: 'policies' | 'extendedKeyUsage' | 'subjectAttributes',
  holders: readonly XmlElement[],
): Criterion {
  const oids = oidsOf(holders)
  return oids.length === 0 || oids.length !== holders.length ? UNKNOWN : { kind, oids }
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

function qualificationOf(element: XmlElement): Qualification {
  const [list, ...others] = childrenOf(element, SERVICE_EXTENSIONS, 'CriteriaList')
  if (!list || others.length > 0) {
    throw new TrustedListError('NOT_A_TRUSTED_LIST', 'a qualification has no criteria')
  }
  const uris = childrenOf(element, SERVICE_EXTENSIONS, 'Qualifiers')
    .flatMap((it) => childrenOf(it, SERVICE_EXTENSIONS, 'Qualifier'))
    .map((it) => it.attributes.get('uri') ?? '')
  return {
    qualifiers: uris.map((uri) => uri.slice(uri.lastIndexOf('/') + 1)),
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
