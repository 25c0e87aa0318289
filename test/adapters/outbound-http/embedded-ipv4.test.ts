import ipaddr from 'ipaddr.js'
import t from 'tap'
import { readEmbeddedIpv4 } from '../../../adapters/outbound-http/embedded-ipv4.ts'

const carriedBy = (address: string) =>
  readEmbeddedIpv4(ipaddr.IPv6.parse(address)).carried.map(String)

/** Each form of an IPv6 address that carries 192.0.2.33. */
const FORMS: Readonly<Record<string, string>> = {
  'IPv4-mapped': '::ffff:192.0.2.33',
  'IPv4-translated': '::ffff:0:c000:221',
  'IPv4-compatible': '::192.0.2.33',
  NAT64: '64:ff9b::192.0.2.33',
  'NAT64 of the local network': '64:ff9b:1::192.0.2.33',
  '6to4': '2002:c000:221::1',
  'the server of Teredo': '2001:0:c000:221::',
  'the client of Teredo': '2001:0:0:0:0:0:3fff:fdde',
  'ISATAP with a local address': 'fe80::5efe:192.0.2.33',
  'ISATAP with a global address': '2001:db8::200:5efe:192.0.2.33',
}

for (const [name, address] of Object.entries(FORMS)) {
  t.test(`${name}: the IPv4 address is found`, async (t) => {
    t.ok(carriedBy(address).includes('192.0.2.33'), carriedBy(address).join())
  })
}

t.test('other addresses carry none', async (t) => {
  for (const address of ['::', '::1', '2a00:1450::c000:221', 'fe80::1']) {
    t.same(carriedBy(address), [], address)
  }
})

t.test('the positions of a network-specific prefix are those of RFC 6052, 2.2', async (t) => {
  const possible = (address: string) =>
    readEmbeddedIpv4(ipaddr.IPv6.parse(address)).possible.map(String)
  for (const address of [
    '2001:db8:c000:221::',
    '2001:db8:1c0:2:21::',
    '2001:db8:122:c000:2:2100::',
    '2001:db8:122:3c0:0:221::',
    '2001:db8:122:344:c0:2:2100::',
    '2001:db8:122:344::192.0.2.33',
  ]) {
    t.ok(possible(address).includes('192.0.2.33'), address)
  }
})
