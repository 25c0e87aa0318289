/** Reads DER, and BER where real files use it, with bounds on depth and size (ITU-T X.690). */

import { Buffer } from 'node:buffer'
import { compareOctets, TAG } from './der.ts'

const MAX_DEPTH = 40
/** Elements read at one level; the largest real CMS has a few hundred. */
const MAX_CHILDREN = 20_000
/** Larger arcs, times 128, may lose digits as a double. */
const MAX_EXACT_ARC = 2 ** 45

/** The bytes are not the ASN.1 that was expected; callers turn it into a result or a PadesError. */
export class DerError extends Error {
  override name = 'DerError'
}

interface Extent {
  contentStart: number
  contentEnd: number
  end: number
}

function extentOf(source: Uint8Array, start: number, limit: number, depth: number): Extent {
  if (depth > MAX_DEPTH) throw new DerError('nested too deeply')
  if (start + 2 > limit) throw new DerError('ends too early')
  if ((source[start] & 0x1f) === 0x1f) throw new DerError('tag number above 30')
  const first = source[start + 1]
  if (first === 0x80) return indefiniteExtent(source, start, limit, depth)
  let contentStart = start + 2
  let length = first
  if (first > 0x80) {
    const octets = first & 0x7f
    if (octets > 6) throw new DerError('length too large')
    if (contentStart + octets > limit) throw new DerError('ends too early')
    length = 0
    for (let i = 0; i < octets; i++) length = length * 256 + source[contentStart++]
  }
  const end = contentStart + length
  if (end > limit) throw new DerError('longer than what holds it')
  return { contentStart, contentEnd: end, end }
}

function indefiniteExtent(source: Uint8Array, start: number, limit: number, depth: number): Extent {
  if ((source[start] & 0x20) === 0) throw new DerError('primitive of indefinite length')
  let at = start + 2
  for (let count = 0; count < MAX_CHILDREN; count++) {
    if (at + 2 > limit) throw new DerError('ends too early')
    if (source[at] === 0 && source[at + 1] === 0) {
      return { contentStart: start + 2, contentEnd: at, end: at + 2 }
    }
    at = extentOf(source, at, limit, depth + 1).end
  }
  throw new DerError('too many elements')
}

/** One element of ASN.1 in the bytes that hold it; what is inside is read when asked for. */
export class DerElement {
  readonly source: Uint8Array
  readonly start: number
  readonly contentStart: number
  readonly contentEnd: number
  readonly end: number
  readonly depth: number
  #children: DerElement[] | undefined

  constructor(source: Uint8Array, start: number, limit: number, depth: number) {
    const extent = extentOf(source, start, limit, depth)
    this.source = source
    this.start = start
    this.contentStart = extent.contentStart
    this.contentEnd = extent.contentEnd
    this.end = extent.end
    this.depth = depth
  }

  /** The identifier octet. */
  get tag(): number {
    return this.source[this.start]
  }

  /** Tag, length and content. */
  get encoded(): Uint8Array {
    return this.source.subarray(this.start, this.end)
  }

  /** The content octets, not copied. */
  get content(): Uint8Array {
    return this.source.subarray(this.contentStart, this.contentEnd)
  }

  /** @throws DerError when the content is not a series of elements */
  get children(): readonly DerElement[] {
    if (this.#children) return this.#children
    if ((this.tag & 0x20) === 0) throw new DerError('a primitive has no elements')
    const children: DerElement[] = []
    for (let at = this.contentStart; at < this.contentEnd;) {
      if (children.length >= MAX_CHILDREN) throw new DerError('too many elements')
      const child = new DerElement(this.source, at, this.contentEnd, this.depth + 1)
      children.push(child)
      at = child.end
    }
    this.#children = children
    return children
  }

  /** @throws DerError when there is no such element */
  child(index: number): DerElement {
    const child = this.children[index]
    if (!child) throw new DerError(`element ${index} is missing`)
    return child
  }

  /** This element, when its tag is the expected one. @throws DerError */
  as(tag: number): DerElement {
    if (this.tag !== tag) throw new DerError(`tag ${this.tag} where ${tag} was expected`)
    return this
  }
}

/**
 * Reads one element that fills `bytes`.
 *
 * @param trailingZeros accept zero octets after it, as the `/Contents` of a PDF signature has
 * @throws DerError
 */
export function readDer(bytes: Uint8Array, trailingZeros = false): DerElement {
  const element = new DerElement(bytes, 0, bytes.length, 0)
  for (let i = element.end; i < bytes.length; i++) {
    if (!trailingZeros || bytes[i] !== 0) throw new DerError('bytes after the end')
  }
  return element
}

/** Reads the element that `bytes` begins with, whatever follows it. @throws DerError */
export const readFirstElement = (bytes: Uint8Array) => new DerElement(bytes, 0, bytes.length, 0)

/** OBJECT IDENTIFIER as dotted decimals. @throws DerError */
export function readObjectIdentifier(element: DerElement): string {
  const octets = element.as(TAG.objectIdentifier).content
  if (octets.length === 0 || octets.length > 64) throw new DerError('bad object identifier')
  if (octets[octets.length - 1] & 0x80) throw new DerError('bad object identifier')
  let text = ''
  let arc = 0
  for (const octet of octets) {
    // Arcs that no double represents exactly are rare, and arithmetic on BigInt is slow.
    if (arc > MAX_EXACT_ARC) return readLongIdentifier(octets)
    arc = arc * 128 + (octet & 0x7f)
    if (octet & 0x80) continue
    text += text === '' ? firstArcs(arc) : `.${arc}`
    arc = 0
  }
  return text
}

/** The first number of the encoding holds two arcs (X.690, 8.19.4). */
function firstArcs(value: number): string {
  const first = value < 80 ? Math.floor(value / 40) : 2
  return `${first}.${value - first * 40}`
}

function readLongIdentifier(octets: Uint8Array): string {
  const arcs: bigint[] = []
  let arc = 0n
  for (const octet of octets) {
    arc = arc * 128n + BigInt(octet & 0x7f)
    if (octet & 0x80) continue
    if (arcs.length > 0) arcs.push(arc)
    else if (arc < 80n) arcs.push(arc / 40n, arc % 40n)
    else arcs.push(2n, arc - 80n)
    arc = 0n
  }
  return arcs.join('.')
}

/** Octets of an INTEGER, unchanged (two's complement). @throws DerError */
export function readInteger(element: DerElement): Uint8Array {
  const octets = element.as(TAG.integer).content
  if (octets.length === 0) throw new DerError('empty integer')
  return octets
}

/** A small non-negative INTEGER. @throws DerError */
export function readSmallInteger(element: DerElement): number {
  const octets = readInteger(element)
  if (octets.length > 6 || octets[0] & 0x80) throw new DerError('integer out of range')
  return octets.reduce((value, octet) => value * 256 + octet, 0)
}

/** @throws DerError */
export function readBoolean(element: DerElement): boolean {
  const { content } = element.as(TAG.boolean)
  if (content.length !== 1) throw new DerError('bad boolean')
  return content[0] !== 0
}

/** Content of an OCTET STRING, put together when BER cut it into pieces. @throws DerError */
export function readOctetString(element: DerElement): Uint8Array {
  if (element.tag === TAG.octetString) return element.content
  element.as(TAG.octetString | 0x20)
  return Buffer.concat(element.children.map(readOctetString))
}

/**
 * Content of a BIT STRING. Bits that its first octet counts as unused read as zero, as with OpenSSL
 * (X.690, 8.6.2): a certificate in Italy's trusted list has others.
 *
 * @throws DerError
 */
export function readBitString(element: DerElement): Uint8Array {
  const { content } = element.as(TAG.bitString)
  const [unusedBits] = content
  if (unusedBits === undefined || unusedBits > 7) throw new DerError('bad bit string')
  if (unusedBits === 0) return content.subarray(1)
  if (content.length === 1) throw new DerError('bad bit string')
  const octets = Uint8Array.from(content.subarray(1))
  octets[octets.length - 1] &= 0xff << unusedBits
  return octets
}

/** Numbers of the bits that are set, the first bit being 0. @throws DerError */
export function readNamedBits(element: DerElement): ReadonlySet<number> {
  const { content } = element.as(TAG.bitString)
  const bits = new Set<number>()
  if (content.length === 0 || content.length > 9) throw new DerError('bad bit string')
  for (let i = 0; i < (content.length - 1) * 8; i++) {
    if (content[1 + (i >> 3)] & (0x80 >> (i & 7))) bits.add(i)
  }
  return bits
}

const DIGIT_0 = 0x30
const ZULU = 0x5a
const POINT = 0x2e
const COMMA = 0x2c
const MAX_FRACTION_DIGITS = 9

const isDigit = (octet: number): boolean => octet >= DIGIT_0 && octet <= DIGIT_0 + 9

/** A decimal number of `count` digits. @throws DerError */
function readDigits(octets: Uint8Array, at: number, count: number): number {
  let value = 0
  for (let index = at; index < at + count; index++) {
    if (!isDigit(octets[index])) throw new DerError('bad time')
    value = value * 10 + octets[index] - DIGIT_0
  }
  return value
}

/** Milliseconds of the fraction of a second between two offsets. @throws DerError */
function readFraction(octets: Uint8Array, at: number, end: number): number {
  if (at === end) return 0
  const digits = end - at - 1
  const isSeparated = octets[at] === POINT || octets[at] === COMMA
  if (!isSeparated || digits < 1 || digits > MAX_FRACTION_DIGITS) throw new DerError('bad time')
  return Math.floor((readDigits(octets, at + 1, digits) / 10 ** digits) * 1000)
}

/**
 * UTCTime or GeneralizedTime, both in UTC. Lists of revocations have thousands: it makes nothing
 * but the result.
 *
 * @throws DerError
 */
export function readTime(element: DerElement): Date {
  const { content: octets, tag } = element
  const isShort = tag === TAG.utcTime
  const end = octets.length - 1
  if ((!isShort && tag !== TAG.generalizedTime) || octets[end] !== ZULU)
    throw new DerError('bad time')
  const yearDigits = isShort ? 2 : 4
  const year = readDigits(octets, 0, yearDigits)
  const month = readDigits(octets, yearDigits, 2)
  const day = readDigits(octets, yearDigits + 2, 2)
  const hour = readDigits(octets, yearDigits + 4, 2)
  const minute = readDigits(octets, yearDigits + 6, 2)
  const at = yearDigits + 8
  const hasSeconds = isDigit(octets[at])
  const second = hasSeconds ? readDigits(octets, at, 2) : 0
  const afterSeconds = hasSeconds ? at + 2 : at
  if (isShort && afterSeconds !== end) throw new DerError('bad time')
  const milliseconds = readFraction(octets, afterSeconds, end)
  const century = isShort ? (year < 50 ? 2000 : 1900) : 0
  const time = new Date(0)
  time.setUTCFullYear(century + year, month - 1, day)
  time.setUTCHours(hour, minute, second, milliseconds)
  if (time.getUTCMonth() !== month - 1 || time.getUTCDate() !== day || hour > 23 || minute > 59) {
    throw new DerError('bad time')
  }
  return time
}

/** Text of any string type of X.680 that names use. @throws DerError */
export function readText(element: DerElement): string {
  const { content, tag } = element
  switch (tag) {
    case TAG.utf8String:
      return new TextDecoder('utf-8').decode(content)
    case TAG.printableString:
    case TAG.ia5String:
    case TAG.visibleString:
    case TAG.teletexString:
      return Buffer.from(content).toString('latin1')
    case TAG.bmpString:
      return new TextDecoder('utf-16be').decode(content)
    default:
      throw new DerError('not a text')
  }
}

/**
 * Whether an element is DER and not just BER: shortest definite lengths, primitive strings, sorted
 * SETs, `TRUE` as 0xFF, shortest integers.
 *
 * @throws DerError when something in it is not even BER
 */
export function isDer(element: DerElement): boolean {
  const { tag, content } = element
  const contentLength = content.length
  const headerLength = element.contentStart - element.start
  if (element.end !== element.contentEnd) return false
  if (headerLength !== shortestHeader(contentLength)) return false
  if ((tag & 0xc0) === 0 && (tag & 0x20) !== 0 && tag !== TAG.sequence && tag !== TAG.set) {
    return false
  }
  if (tag === TAG.boolean) return contentLength === 1 && (content[0] === 0 || content[0] === 255)
  if (tag === TAG.integer) return contentLength > 0 && isShortestInteger(content)
  if ((tag & 0x20) === 0) return true
  const { children } = element
  for (let i = 0; i < children.length; i++) {
    if (!isDer(children[i])) return false
    if (tag !== TAG.set || i === 0) continue
    if (compareOctets(children[i - 1].encoded, children[i].encoded) > 0) return false
  }
  return true
}

function shortestHeader(length: number): number {
  if (length < 0x80) return 2
  let octets = 0
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets++
  return 2 + octets
}

function isShortestInteger(content: Uint8Array): boolean {
  if (content.length === 1) return true
  const signs = ((content[0] << 1) | (content[1] >> 7)) & 0x1ff
  return signs !== 0 && signs !== 0x1ff
}
