/** Finds IPv4 addresses in an IPv6 address to which a translator or tunnel would connect. */
import ipaddr from 'ipaddr.js'

type Octets = readonly number[]

const IPV6_OCTETS = 16
const COMPLEMENT = 0xff
/** Positions of the IPv4 address after a prefix of 32 to 64 or of 96 bits (RFC 6052, 2.2). */
const TRANSLATED_AT: readonly Octets[] = [
  [4, 5, 6, 7],
  [5, 6, 7, 9],
  [6, 7, 9, 10],
  [7, 9, 10, 11],
  [9, 10, 11, 12],
  [12, 13, 14, 15],
]
const LAST_FOUR: Octets = [12, 13, 14, 15]

interface Form {
  /** Octets at the start of the address, or from `at` on. */
  prefix: Octets
  at?: number
  /** Positions of the octets of each IPv4 address. */
  carries: readonly Octets[]
}

const FORMS: readonly Form[] = [
  // IPv4-mapped (RFC 4291, 2.5.5.2), IPv4-translated (RFC 2765, 2.1).
  { prefix: [...zeros(10), 0xff, 0xff], carries: [LAST_FOUR] },
  { prefix: [...zeros(8), 0xff, 0xff, 0, 0], carries: [LAST_FOUR] },
  // NAT64: the well-known prefix (RFC 6052, 2.1).
  { prefix: [0, 0x64, 0xff, 0x9b, ...zeros(8)], carries: [LAST_FOUR] },
  // 6to4 (RFC 3056, 2).
  { prefix: [0x20, 0x02], carries: [[2, 3, 4, 5]] },
  // Teredo (RFC 4380, 4): the server; the client is read below.
  { prefix: [0x20, 0x01, 0, 0], carries: [[4, 5, 6, 7]] },
  // ISATAP (RFC 5214, 6.1), with a local and with a global IPv4 address.
  { prefix: [0, 0, 0x5e, 0xfe], at: 8, carries: [LAST_FOUR] },
  { prefix: [2, 0, 0x5e, 0xfe], at: 8, carries: [LAST_FOUR] },
]
const COMPATIBLE: Octets = zeros(12)
const TEREDO: Octets = [0x20, 0x01, 0, 0]
/** NAT64: the prefix for local use (RFC 8215), which may use any of the positions above. */
const LOCAL_NAT64: Octets = [0, 0x64, 0xff, 0x9b, 0, 1]
/** `::` and `::1` carry no IPv4 address. */
const LARGEST_SPECIAL = 1

function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0)
}

const startsWith = (octets: Octets, prefix: Octets, at = 0) =>
  prefix.every((octet, index) => octets[at + index] === octet)

const pick = (octets: Octets, positions: Octets) => positions.map((at) => octets[at] ?? 0)
const isNothing = (octets: Octets) => octets.every((octet) => octet === 0)

function carriedBy(octets: Octets): Octets[] {
  const carried = FORMS.filter(({ prefix, at }) => startsWith(octets, prefix, at)).flatMap(
    ({ carries }) => carries.map((positions) => pick(octets, positions)),
  )
  const last = pick(octets, LAST_FOUR)
  if (startsWith(octets, TEREDO)) carried.push(last.map((octet) => octet ^ COMPLEMENT))
  const isSpecial = isNothing(octets.slice(0, -1)) && Number(octets.at(-1)) <= LARGEST_SPECIAL
  if (startsWith(octets, COMPATIBLE) && !isSpecial) carried.push(last)
  if (startsWith(octets, LOCAL_NAT64) && !isNothing(last)) carried.push(last)
  return carried
}

export interface EmbeddedIpv4 {
  carried: ipaddr.IPv4[]
  /** Where a translator with a network-specific prefix would look (RFC 6052, 2.2). */
  possible: ipaddr.IPv4[]
  /** Whether the prefix shows that a translator of the local network is used. */
  isLocalNat64: boolean
}

/** @param address without a zone */
export function readEmbeddedIpv4(address: ipaddr.IPv6): EmbeddedIpv4 {
  const octets: Octets = address.toByteArray()
  if (octets.length !== IPV6_OCTETS) throw new RangeError('an IPv6 address has 16 octets')
  const toAddress = (four: Octets) => new ipaddr.IPv4([...four])
  return {
    carried: carriedBy(octets).map(toAddress),
    possible: TRANSLATED_AT.map((positions) => toAddress(pick(octets, positions))),
    isLocalNat64: startsWith(octets, LOCAL_NAT64),
  }
}
