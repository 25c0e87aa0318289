/**
 * Accepts signed lists: the list of lists from its anchors through the pivots, a national list from
 * its pointer (ETSI TS 119 615, 4.1 and 4.2).
 */
import { Buffer } from 'node:buffer'
import { TrustedListError } from './errors.ts'
import type { ListPointer, TrustedList } from './model.ts'
import { readTrustedList } from './read-list.ts'
import type { ListEvidence } from './snapshot.ts'
import { decodeXml, readXml } from './xml.ts'

const TYPE = 'http://uri.etsi.org/TrstSvc/TrustedList/TSLType/'
const LIST_OF_LISTS_TYPE = `${TYPE}EUlistofthelists`
export const NATIONAL_LIST_TYPE = `${TYPE}EUgeneric`
const LIST_MIME_TYPE = 'application/vnd.etsi.tsl+xml'
const LIST_OF_LISTS_TERRITORY = 'EU'

/** Tolerance for clocks of publishers that are ahead. */
const CLOCK_SKEW_MS = 60 * 60 * 1000
/** There has been less than one pivot per year so far. */
const MAXIMUM_PIVOTS = 50

/** Certificates that the Official Journal names as signers of the list of lists. */
export interface Anchors {
  /** DER. */
  certificates: readonly Uint8Array[]
  /**
   * URL of that publication as in the list of lists; older pivots are not needed. Absent: all
   * pivots are needed.
   */
  publication?: string
}

export interface ListFile {
  location: string
  octets: Uint8Array
}

/** Reads a file; throws when it does not exist. */
export type ReadList = (request: { location: string; territory: string }) => Promise<Uint8Array>

export interface AcceptedList {
  list: TrustedList
  evidence: ListEvidence
  octets: Uint8Array
}

/** Returns the pointers to XML lists of one type. */
export const pointersOf = ({ pointers }: TrustedList, type: string): ListPointer[] =>
  pointers.filter((it) => it.type === type && it.mimeType === LIST_MIME_TYPE)

const der = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))

interface Expected {
  type: string
  territory: string
  /** DER certificates that may sign it. */
  signers: readonly Uint8Array[]
  /** Evidence of the previously accepted list. */
  previous: ListEvidence | undefined
  now: Date
}

function assertExpected({ header }: TrustedList, { type, territory, previous, now }: Expected) {
  if (header.type !== type || header.territory !== territory) {
    throw new TrustedListError('WRONG_LIST', `${header.territory} ${header.type}`)
  }
  if (Date.parse(header.issueDate) > now.getTime() + CLOCK_SKEW_MS) {
    throw new TrustedListError('ISSUED_IN_FUTURE')
  }
  if (!previous) return
  const before = previous.header
  const isOlder =
    header.sequence < before.sequence ||
    (header.sequence === before.sequence && header.issueDate < before.issueDate)
  if (isOlder) throw new TrustedListError('SEQUENCE_WENT_BACK')
}

async function accept(file: ListFile, expected: Expected): Promise<AcceptedList> {
  const { location, octets } = file
  // Loaded with the first list, because most services read none.
  const { verifyListSignature } = await import('./list-signature.ts')
  const { root, signer, sha256 } = await verifyListSignature(octets, expected.signers)
  const list = readTrustedList(root)
  assertExpected(list, expected)
  const evidence: ListEvidence = {
    location,
    sha256,
    header: list.header,
    signer: { certificate: Buffer.from(signer.der).toString('base64'), sha256: signer.sha256 },
    verifiedAt: expected.now.toISOString(),
  }
  return { list, evidence, octets }
}

/**
 * Returns the URLs of the pivots between the anchors and the list of lists, oldest first. The list
 * of lists names them newest first, followed by the publications in the Official Journal.
 *
 * @throws TrustedListError `ANCHORS_SUPERSEDED`, `LIMIT_EXCEEDED`
 */
function pivotsNeeded({ informationUris }: TrustedList, { publication }: Anchors): string[] {
  const end = publication === undefined ? undefined : informationUris.indexOf(publication)
  if (end === -1) throw new TrustedListError('ANCHORS_SUPERSEDED')
  const pivots = informationUris.slice(0, end).filter((uri) => uri.endsWith('.xml'))
  if (pivots.length > MAXIMUM_PIVOTS) throw new TrustedListError('LIMIT_EXCEEDED', 'pivots')
  return pivots.reverse()
}

/** Returns the certificates that may sign the next list of lists. */
const nextSigners = ({ list }: AcceptedList) =>
  pointersOf(list, LIST_OF_LISTS_TYPE).flatMap(({ certificates }) => certificates.map(der))

/**
 * Accepts the list of lists: the oldest needed pivot is signed by an anchor; each further pivot and
 * the list itself are signed by a certificate that the previous pivot names.
 *
 * @param options `previous`: evidence of the previously accepted list; an older list is refused
 * @throws TrustedListError, and errors of `read`
 */
export async function acceptListOfLists(options: {
  file: ListFile
  read: ReadList
  anchors: Anchors
  previous: ListEvidence | undefined
  now: Date
}): Promise<{ listOfLists: AcceptedList; pivots: AcceptedList[] }> {
  const { file, read, anchors, previous, now } = options
  const type = LIST_OF_LISTS_TYPE
  const territory = LIST_OF_LISTS_TERRITORY
  // Not verified yet; only used to find out which pivots to read.
  const claimed = pivotsNeeded(readTrustedList(readXml(decodeXml(file.octets))), anchors)
  let signers = anchors.certificates
  const pivots: AcceptedList[] = []
  for (const location of claimed) {
    const octets = await read({ location, territory })
    const before = pivots.at(-1)?.evidence
    const pivot = await accept(
      { location, octets },
      { type, territory, signers, previous: before, now },
    )
    pivots.push(pivot)
    signers = nextSigners(pivot)
  }
  const newest = pivots.at(-1)?.evidence
  const known = [previous, newest].filter((it) => it !== undefined)
  const highest = known.sort((a, b) => b.header.sequence - a.header.sequence)[0]
  const listOfLists = await accept(file, { type, territory, signers, previous: highest, now })
  const stated = pivotsNeeded(listOfLists.list, anchors)
  if (stated.join(' ') !== claimed.join(' ')) throw new TrustedListError('SIGNATURE_WRONG')
  return { listOfLists, pivots }
}

/**
 * Accepts a national list that is signed by one of the certificates of its pointer.
 *
 * @throws TrustedListError
 */
export const acceptNationalList = (
  octets: Uint8Array,
  { location, territory, certificates }: ListPointer,
  previous: ListEvidence | undefined,
  now: Date,
): Promise<AcceptedList> =>
  accept(
    { location, octets },
    { type: NATIONAL_LIST_TYPE, territory, signers: certificates.map(der), previous, now },
  )
