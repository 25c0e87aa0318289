/** Decides whether a request that a tenant chose may connect to an address. */
import ipaddr from 'ipaddr.js'
import { FORBIDDEN_RANGES, GLOBAL_UNICAST_IPV6 } from './address-ranges.ts'
import { readEmbeddedIpv4 } from './embedded-ipv4.ts'

/** For URLs that the operator chose: everything except ranges that are never allowed. */
export const ANYWHERE: readonly string[] = ['0.0.0.0/0', '::/0']

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

export type Verdict =
  /** The normalised address to connect to. */
  | { allowed: true; address: string }
  /** `range` is the purpose of the address. */
  | { allowed: false; range: string }

const parsedRanges = FORBIDDEN_RANGES.map(({ name, ranges, allowable }) => ({
  name,
  allowable,
  ranges: ranges.map((range): Range => ipaddr.parseCIDR(range)),
}))
const globalUnicastIpv6: Range = ipaddr.parseCIDR(GLOBAL_UNICAST_IPV6)

function isWithin(address: Address, [network, bits]: Range): boolean {
  if (address instanceof ipaddr.IPv4) {
    return network instanceof ipaddr.IPv4 && address.match(network, bits)
  }
  return network instanceof ipaddr.IPv6 && address.match(network, bits)
}

function parseRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Ranges that are refused wherever a translator might find them. */
const ALWAYS_REFUSED = new Set(['metadata service'])
/** Also refused at every position where a translator of the local network might look. */
const REFUSED_BY_TRANSLATORS = new Set(['metadata service', 'link-local', 'loopback'])

/** The forbidden ranges that contain the address; the first one is reported. */
const rangesOf = (address: Address) =>
  parsedRanges.filter(({ ranges }) => ranges.some((range) => isWithin(address, range)))

/**
 * The range of an embedded IPv4 address that no IPv6 address may carry, even when it is allowed.
 */
function hiddenRange(address: ipaddr.IPv6): string | undefined {
  const { possible, isLocalNat64 } = readEmbeddedIpv4(address)
  const refused = isLocalNat64 ? REFUSED_BY_TRANSLATORS : ALWAYS_REFUSED
  return possible.flatMap(rangesOf).find(({ name }) => refused.has(name))?.name
}

/**
 * Fails closed: invalid and unassigned IPv6 addresses are forbidden. An IPv6 address that carries
 * an IPv4 address is allowed only when both are.
 */
export class EgressPolicy {
  readonly #allowed: readonly Range[]

  /**
   * @param allowed addresses and CIDR ranges that are allowed although they are not public
   * @throws Error when one of them is neither
   */
  constructor(allowed: readonly string[]) {
    this.#allowed = allowed.map(parseRange)
  }

  /** @param text an address as returned by a resolver */
  judge(text: string): Verdict {
    if (!ipaddr.isValid(text)) return { allowed: false, range: 'no address' }
    const address = ipaddr.parse(text)
    if (address instanceof ipaddr.IPv6 && address.zoneId !== undefined) {
      return { allowed: false, range: 'scoped' }
    }
    const itself = this.#judgeItself(address)
    if (!itself.allowed || address instanceof ipaddr.IPv4) return itself
    const hidden = hiddenRange(address)
    if (hidden !== undefined) return { allowed: false, range: hidden }
    const carried = readEmbeddedIpv4(address).carried.map((one) => this.#judgeItself(one))
    return carried.find(({ allowed }) => !allowed) ?? itself
  }

  #judgeItself(address: Address): Verdict {
    const holds = (range: Range) => isWithin(address, range)
    const forbidden = rangesOf(address)
    const insurmountable = forbidden.find(({ allowable }) => !allowable)
    if (insurmountable) return { allowed: false, range: insurmountable.name }
    if (!this.#allowed.some(holds)) {
      if (forbidden[0]) return { allowed: false, range: forbidden[0].name }
      const isPublic = address.kind() === 'ipv4' || holds(globalUnicastIpv6)
      if (!isPublic) return { allowed: false, range: 'not given out' }
    }
    return { allowed: true, address: address.toString() }
  }
}
