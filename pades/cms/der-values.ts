/** Reads values of ASN.1 elements: numbers, identifiers, bits and texts (ITU-T X.690, 8). */

import { Buffer } from 'node:buffer'
import { TAG } from './der.ts'
import { DerError, type DerElement } from './der-reader.ts'

/** Larger arcs, times 128, may lose digits as a double. */
const MAX_EXACT_ARC = 2 ** 45

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
