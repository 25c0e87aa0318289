/**
 * Accepts signed lists: the list of lists from its anchors over the pivots, a national list from
 * its pointer (ETSI TS 119 615, 4.1 and 4.2).
 */
import { Buffer } from 'node:buffer'
import { TrustedListError } from './errors.ts'
import { verifyListSignature } from './list-signature.ts'
import type { ListPointer, TrustedList } from './model.ts'
import { readTrustedList } from './read-list.ts'
import type { ListEvidence } from './snapshot.ts'
import { decodeXml, readXml } from './xml.ts'

const TYPE = 'http://uri.etsi.org/TrstSvc/TrustedList/TSLType/'
const LIST_OF_LISTS_TYPE = `${TYPE}EUlistofthelists`
export const NATIONAL_LIST_TYPE = `${TYPE}EUgeneric`
const LIST_MIME_TYPE = 'application/vnd.etsi.tsl+xml'
const LIST_OF_LISTS_TERRITORY = 'EU'

/** Clocks of those who publish may be ahead of ours by this. */
const CLOCK_SKEW_MS = 60 * 60 * 1000
/** There was less than one pivot in a year so far. */
const MAXIMUM_PIVOTS = 50

/** Certificates that the Official Journal names as signers of the list of lists. */
export interface Anchors {
  /** DER. */
  certificates: readonly Uint8Array[]
  /**
   * Address of that publication, as the list of lists names it: pivots older than it are not
   * needed. Without it all pivots are.
   */
  publication?: string
}

export interface ListFile {
  location: string
  octets: Uint8Array
}

/** Reads a file; it throws when there is none. */
export type ReadList = (request: { location: string; territory: string }) => Promise<Uint8Array>

export interface AcceptedList {
  list: TrustedList
  evidence: ListEvidence
  octets: Uint8Array
}

/** Pointers to lists in XML of one type. */
export const pointersOf = ({ pointers }: TrustedList, type: string): ListPointer[] =>
  pointers.filter((it) => it.type === type && it.mimeType === LIST_MIME_TYPE)

const der = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))

interface Expected {
  type: string
  territory: string
  /** DER certificates that may sign it. */
  signers: readonly Uint8Array[]
  /** The list that was accepted before. */
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
 * Addresses of the pivots that lie between the anchors and the list of lists, oldest first: it
 * names them, newest first, down to the publications in the Official Journal.
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

/** Who may sign the next list of lists, by this one. */
const nextSigners = ({ list }: AcceptedList) =>
  pointersOf(list, LIST_OF_LISTS_TYPE).flatMap(({ certificates }) => certificates.map(der))

/**
 * Accepts the list of lists: the oldest pivot that is needed is signed by an anchor, each further
 * one and the list itself by a certificate that the pivot before names.
 *
 * @param options `previous`: evidence of the list accepted before; an older list is refused
 * @throws TrustedListError, and what `read` throws
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
  // Not verified yet: only to know which pivots to ask for.
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
 * Accepts a national list that one of the certificates of its pointer signed.
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
