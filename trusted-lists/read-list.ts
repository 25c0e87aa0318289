/** Converts the signed content of a trusted list to the model (ETSI TS 119 612, clause 5). */
import { TrustedListError } from './errors.ts'
import type { ListHeader, ListPointer, Service, ServiceState, TrustedList } from './model.ts'
import {
  ADDITIONAL_TYPES,
  etsiName,
  readQualifications,
  SERVICE_EXTENSIONS,
} from './read-qualifications.ts'
import { childrenOf, type XmlElement } from './xml.ts'

/** Increased when the same list gives other services; unchanged lists are then read again. */
export const READER_VERSION = 2

const TSL = 'http://uri.etsi.org/02231/v2#'
const XML_LANGUAGE = '{http://www.w3.org/XML/1998/namespace}lang'

/** The largest list has about 600 services. */
const MAXIMUM_SERVICES = 20_000
/** One state for each change since the service started. */
const MAXIMUM_STATES = 200
const MAXIMUM_POINTERS = 500
const MAXIMUM_CERTIFICATES = 100

const notAList = (detail: string) => new TrustedListError('NOT_A_TRUSTED_LIST', detail)

const one = (element: XmlElement, name: string): XmlElement | undefined => {
  const [child, ...others] = childrenOf(element, TSL, name)
  if (others.length > 0) throw notAList(`duplicate ${name}`)
  return child
}

function needed(element: XmlElement, name: string): XmlElement {
  const child = one(element, name)
  if (!child) throw notAList(`${name} is missing`)
  return child
}

const all = (element: XmlElement | undefined, ...path: string[]): XmlElement[] =>
  path.reduce<XmlElement[]>(
    (found, name) => found.flatMap((it) => childrenOf(it, TSL, name)),
    element ? [element] : [],
  )

const text = (element: XmlElement) => element.text.trim()

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

function instant(element: XmlElement): string {
  const value = text(element)
  const milliseconds = DATE_TIME.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(milliseconds)) throw notAList(`${element.name} is not a valid time`)
  return new Date(milliseconds).toISOString()
}

/** Returns the English name, or else the first one. */
function named(element: XmlElement | undefined): string {
  const names = all(element, 'Name')
  const english = names.find(({ attributes }) => attributes.get(XML_LANGUAGE) === 'en')
  const name = english ?? names[0]
  return name ? text(name) : ''
}

const lastPart = (uri: string) => uri.slice(uri.lastIndexOf('/') + 1)

function headerOf(scheme: XmlElement): ListHeader {
  const version = Number(text(needed(scheme, 'TSLVersionIdentifier')))
  if (version !== 5 && version !== 6) throw new TrustedListError('UNKNOWN_VERSION')
  const sequence = text(needed(scheme, 'TSLSequenceNumber'))
  if (!/^[1-9]\d{0,9}$/.test(sequence)) throw notAList('invalid sequence number')
  const nextUpdate = all(one(scheme, 'NextUpdate'), 'dateTime')[0]
  return {
    version,
    sequence: Number(sequence),
    type: text(needed(scheme, 'TSLType')),
    territory: text(needed(scheme, 'SchemeTerritory')),
    issueDate: instant(needed(scheme, 'ListIssueDateTime')),
    ...(nextUpdate && { nextUpdate: instant(nextUpdate) }),
  }
}

function certificatesOf(identities: readonly XmlElement[]): string[] {
  const certificates = identities
    .flatMap((identity) => all(identity, 'DigitalId', 'X509Certificate'))
    .map((certificate) => certificate.text.replace(/\s/g, ''))
  if (certificates.length > MAXIMUM_CERTIFICATES) {
    throw new TrustedListError('LIMIT_EXCEEDED', 'certificates')
  }
  return [...new Set(certificates)]
}

function pointerOf(element: XmlElement): ListPointer {
  const information = all(element, 'AdditionalInformation', 'OtherInformation')
  const stated = (namespace: string, name: string) => {
    const found = information.flatMap((it) => childrenOf(it, namespace, name))[0]
    return found && text(found)
  }
  const mimeType = stated(ADDITIONAL_TYPES, 'MimeType')
  return {
    location: text(needed(element, 'TSLLocation')),
    type: stated(TSL, 'TSLType') ?? '',
    territory: stated(TSL, 'SchemeTerritory') ?? '',
    ...(mimeType !== undefined && { mimeType }),
    certificates: certificatesOf(
      all(element, 'ServiceDigitalIdentities', 'ServiceDigitalIdentity'),
    ),
  }
}

/** Extensions that are processed, or that do not concern certificates (5.5.9.1, 5.5.9.3). */
function isKnown({ name, namespace }: XmlElement): boolean {
  const known: Readonly<Record<string, readonly string[]>> = {
    [TSL]: ['AdditionalServiceInformation', 'ExpiredCertsRevocationInfo'],
    [SERVICE_EXTENSIONS]: ['Qualifications'],
    [ADDITIONAL_TYPES]: ['TakenOverBy'],
  }
  return known[namespace]?.includes(name) ?? false
}

function stateOf(element: XmlElement): ServiceState {
  const extensions = all(element, 'ServiceInformationExtensions', 'Extension')
  const since = needed(element, 'StatusStartingTime')
  const isCritical = ({ attributes }: XmlElement) =>
    !['false', '0'].includes(attributes.get('Critical')?.trim() ?? 'false')
  const usages = extensions
    .flatMap((it) => all(it, 'AdditionalServiceInformation', 'URI'))
    .map((uri) => lastPart(text(uri)))
  return {
    type: etsiName(text(needed(element, 'ServiceTypeIdentifier')), /^.*Svctype\//),
    status: etsiName(text(needed(element, 'ServiceStatus'))),
    since: instant(since),
    usages: [...new Set(usages)],
    qualifications: extensions.flatMap(readQualifications),
    hasUnknownCritical: extensions.some((it) => isCritical(it) && !it.children.every(isKnown)),
  }
}

function serviceOf(element: XmlElement, provider: string): Service {
  const current = needed(element, 'ServiceInformation')
  const history = all(one(element, 'ServiceHistory'), 'ServiceHistoryInstance')
  if (history.length > MAXIMUM_STATES) throw new TrustedListError('LIMIT_EXCEEDED', 'history')
  const state = stateOf(current)
  const former = history.map(stateOf).filter(({ since }) => since < state.since)
  return {
    provider,
    name: named(one(current, 'ServiceName')),
    certificates: certificatesOf(all(current, 'ServiceDigitalIdentity')),
    // What contradicts the current state does not count; the sort keeps the order of the list.
    states: [state, ...former.sort((a, b) => (a.since < b.since ? 1 : a.since > b.since ? -1 : 0))],
  }
}

function servicesOf(root: XmlElement): Service[] {
  const providers = all(root, 'TrustServiceProviderList', 'TrustServiceProvider')
  const services = providers.flatMap((provider) => {
    const name = named(all(provider, 'TSPInformation', 'TSPName')[0])
    return all(provider, 'TSPServices', 'TSPService').map((it) => serviceOf(it, name))
  })
  if (services.length > MAXIMUM_SERVICES) throw new TrustedListError('LIMIT_EXCEEDED', 'services')
  return services
}

/**
 * Reads a trusted list of version 5 or 6.
 *
 * @param root signed content, from `verifyListSignature`
 * @throws TrustedListError `NOT_A_TRUSTED_LIST`, `UNKNOWN_VERSION`, `LIMIT_EXCEEDED`
 */
export function readTrustedList(root: XmlElement): TrustedList {
  if (root.name !== 'TrustServiceStatusList' || root.namespace !== TSL) {
    throw notAList('unexpected root element')
  }
  const scheme = needed(root, 'SchemeInformation')
  const pointers = all(one(scheme, 'PointersToOtherTSL'), 'OtherTSLPointer')
  if (pointers.length > MAXIMUM_POINTERS) throw new TrustedListError('LIMIT_EXCEEDED', 'pointers')
  return {
    header: headerOf(scheme),
    informationUris: all(scheme, 'SchemeInformationURI', 'URI')
      .filter(({ attributes }) => attributes.get(XML_LANGUAGE) === 'en')
      .map(text),
    pointers: pointers.map(pointerOf),
    services: servicesOf(root),
  }
}
