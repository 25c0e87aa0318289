import t from 'tap'
import { EgressPolicy } from '../../../adapters/outbound-http/egress-policy.ts'

/** The edges of each range, and what is in between where that has a name of its own. */
const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  'metadata service': [
    '169.254.169.254',
    '169.254.169.252',
    '169.254.170.2',
    '169.254.170.23',
    '169.254.42.42',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
  ],
  loopback: ['127.0.0.0', '127.0.0.1', '127.255.255.255', '::1'],
  private: [
    '10.0.0.0',
    '10.255.255.255',
    '172.16.0.0',
    '172.31.255.255',
    '192.168.0.0',
    '192.168.255.255',
  ],
  'carrier-grade NAT': ['100.64.0.0', '100.127.255.255'],
  'link-local': ['169.254.0.0', '169.254.171.2', '169.254.255.255', 'fe80::1', 'febf::1'],
  'unique local': ['fc00::1', 'fd00::1', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'site-local': ['fec0::1', 'feff::1'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::FFFF:7F00:1'],
  'IPv4-translated': ['::ffff:0:127.0.0.1', '::ffff:0:808:808'],
  'IPv4-compatible': ['::7f00:1', '::808:808'],
  '6to4': ['2002:7f00:1::1', '2002:808:808::', '192.88.99.1'],
  Teredo: ['2001::1', '2001:0:808:808::f7f7:f7f7'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::808:808', '64:ff9b:1::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  reserved: ['240.0.0.1', '255.255.255.254'],
  broadcast: ['255.255.255.255'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.255', '2001:db8::1', '3fff::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  unspecified: ['0.0.0.0', '0.255.255.255', '::'],
  'IETF protocols': ['192.0.0.1', '192.0.0.255', '2001:1::1', '2001:1ff::1', '2001:20::1'],
  'AS112 and AMT': ['192.31.196.1', '192.52.193.1', '192.175.48.1', '2620:4f:8000::1'],
  'not given out': ['1::1', '100::1', '5f00::1', '4000::1', 'fbff::1', 'fe00::1'],
}

for (const [range, addresses] of Object.entries(FORBIDDEN)) {
  t.test(`nothing is sent to an address that is ${range}`, async (t) => {
    const policy = new EgressPolicy([])
    for (const address of addresses) {
      t.strictSame(policy.judge(address), { allowed: false, range }, address)
    }
  })
}

t.test('public addresses are allowed, those next to a forbidden range among them', async (t) => {
  const policy = new EgressPolicy([])
  for (const address of [
    '1.0.0.0',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2000::1',
    '2001:200::1',
    '2001:db7:ffff::1',
    '2001:db9::1',
    '2003::1',
    '2606:4700:4700::1111',
    '3ffe:ffff::1',
  ]) {
    t.strictSame(policy.judge(address), { allowed: true, address }, address)
  }
})

t.test('what cannot be read, or only on this machine, is forbidden', async (t) => {
  const policy = new EgressPolicy(['0.0.0.0/0', '::/0'])
  for (const text of ['', ' ', 'localhost', '1.2.3.4.5', '256.1.1.1', ':::', '[::1]', '1.1.1.1 ']) {
    t.strictSame(policy.judge(text), { allowed: false, range: 'no address' }, text)
  }
  t.strictSame(policy.judge('fe80::1%eth0'), { allowed: false, range: 'scoped' })
  t.strictSame(policy.judge('2606:4700::1%lo'), { allowed: false, range: 'scoped' })
})

t.test('the address to connect to is the one that was judged, however it was spelt', async (t) => {
  const policy = new EgressPolicy([])
  t.strictSame(policy.judge('0x08.8.8.8'), { allowed: true, address: '8.8.8.8' })
  t.strictSame(policy.judge('010.8.8.8'), { allowed: true, address: '8.8.8.8' })
  t.strictSame(policy.judge('2606:4700:0:0::1'), { allowed: true, address: '2606:4700::1' })
  for (const text of ['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0x7f.1']) {
    t.strictSame(policy.judge(text), { allowed: false, range: 'loopback' }, text)
  }
})

t.test('an operator may allow addresses and ranges, and nothing beside them', async (t) => {
  const policy = new EgressPolicy(['127.0.0.1', '10.1.0.0/16', 'fd12::/16', '::1'])
  const allowed = (address: string) => policy.judge(address).allowed
  t.ok(['127.0.0.1', '10.1.2.3', 'fd12::7', '::1', '8.8.8.8'].every(allowed))
  t.notOk(['127.0.0.2', '10.2.0.0', 'fd13::1', '::2', '::ffff:127.0.0.1'].some(allowed))
})

t.test('no range allows metadata services or a way around the rules for IPv4', async (t) => {
  const policy = new EgressPolicy(['0.0.0.0/0', '::/0'])
  t.ok(policy.judge('127.0.0.1').allowed)
  for (const name of [
    'metadata service',
    'link-local',
    'IPv4-mapped',
    'IPv4-translated',
    '6to4',
    'Teredo',
  ]) {
    for (const address of FORBIDDEN[name] ?? []) t.notOk(policy.judge(address).allowed, address)
  }
})

t.test('a list with something else in it is refused', async (t) => {
  for (const text of ['', 'localhost', '10.0.0.0/33', '::1/129', '10.0.0.0/-1', '10.0.0.0/']) {
    t.throws(() => new EgressPolicy([text]), text)
  }
})

/** The last 32 bits of an IPv6 address that carries an IPv4 address. */
const tail = (ipv4: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
  return [(a << 8) | b, (c << 8) | d].map((part) => part.toString(16)).join(':')
}
const complement = (ipv4: string) =>
  ipv4
    .split('.')
    .map((octet) => 255 - Number(octet))
    .join('.')

/** Every spelling of an IPv4 address in IPv6 that a translator or tunnel reads. */
function spellings(ipv4: string): Record<string, string> {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
  const hex = (high: number, low: number) => ((high << 8) | low).toString(16)
  return {
    mapped: `::ffff:${ipv4}`,
    'mapped, in hex': `::ffff:${tail(ipv4)}`,
    translated: `::ffff:0:${tail(ipv4)}`,
    compatible: `::${tail(ipv4)}`,
    NAT64: `64:ff9b::${tail(ipv4)}`,
    'NAT64, dotted': `64:ff9b::${ipv4}`,
    'NAT64 for local use, 96 bits': `64:ff9b:1:fffe::${tail(ipv4)}`,
    'NAT64 for local use, 64 bits': `64:ff9b:1:1:${hex(0, a)}:${hex(b, c)}:${hex(d, 0)}:0`,
    'NAT64 for local use, 56 bits': `64:ff9b:1:${hex(1, a)}:${hex(0, b)}:${hex(c, d)}::`,
    'NAT64 for local use, 48 bits': `64:ff9b:1:${hex(a, b)}:${hex(0, c)}:${hex(d, 0)}::`,
    '6to4': `2002:${tail(ipv4)}::1`,
    'Teredo server': `2001:0:${tail(ipv4)}:0:1:f7f7:f7f7`,
    'Teredo client': `2001:0:808:808:0:1:${tail(complement(ipv4))}`,
    ISATAP: `fd12::5efe:${tail(ipv4)}`,
    'ISATAP, public': `2606:4700::200:5efe:${tail(ipv4)}`,
  }
}

/** Where a translator with a prefix of its own network finds the address (RFC 6052, 2.2). */
function ownPrefixes(ipv4: string): Record<string, string> {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
  const hex = (high: number, low: number) => ((high << 8) | low).toString(16)
  return {
    '32 bits': `2a00:1450:${tail(ipv4)}::`,
    '40 bits': `2a00:1450:${hex(1, a)}:${hex(b, c)}:${hex(0, d)}::`,
    '48 bits': `2a00:1450:1:${hex(a, b)}:${hex(0, c)}:${hex(d, 0)}::`,
    '56 bits': `2a00:1450:1:${hex(1, a)}:${hex(0, b)}:${hex(c, d)}::`,
    '64 bits': `2a00:1450:1:1:${hex(0, a)}:${hex(b, c)}:${hex(d, 0)}:0`,
    '96 bits': `2a00:1450:1:1::${tail(ipv4)}`,
  }
}

/** Addresses of AWS (instances, containers, pods), Google, Azure, Alibaba, Oracle and Scaleway. */
const METADATA_IPV4 = [
  ...['169.254.169.254', '169.254.170.2', '169.254.170.23', '169.254.169.252'],
  ...['168.63.129.16', '100.100.100.200', '192.0.0.192', '169.254.42.42'],
]

const WIDE_RANGES = {
  'NAT64 alone': ['64:ff9b::/96', '64:ff9b:1::/48'],
  'all of IPv6': ['::/0'],
  everything: ['0.0.0.0/0', '::/0'],
}

for (const [name, ranges] of Object.entries(WIDE_RANGES)) {
  t.test(`no spelling leads to metadata services when the operator allows ${name}`, async (t) => {
    const policy = new EgressPolicy(ranges)
    for (const ipv4 of ['169.254.169.254', '169.254.170.2', '169.254.0.1', '100.100.100.200']) {
      t.notOk(policy.judge(ipv4).allowed, ipv4)
      for (const [how, address] of Object.entries(spellings(ipv4))) {
        t.notOk(policy.judge(address).allowed, `${how}: ${address}`)
      }
    }
    for (const ipv4 of METADATA_IPV4) {
      for (const [how, address] of Object.entries(ownPrefixes(ipv4))) {
        t.same(
          policy.judge(address),
          { allowed: false, range: 'metadata service' },
          `${how}: ${address}`,
        )
      }
    }
    for (const address of ['fd00:ec2::254', 'fd00:ec2:0:0::254', 'fd20:ce::254']) {
      t.notOk(policy.judge(address).allowed, address)
    }
  })
}

t.test('an exact address does not allow a metadata service either', async (t) => {
  for (const address of ['169.254.169.254', 'fd00:ec2::254', '64:ff9b::a9fe:a9fe']) {
    t.notOk(new EgressPolicy([address]).judge(address).allowed, address)
  }
})

t.test('a range of IPv6 does not allow the forbidden IPv4 addresses in it', async (t) => {
  for (const ranges of [WIDE_RANGES['NAT64 alone'], WIDE_RANGES['all of IPv6']]) {
    const policy = new EgressPolicy(ranges)
    for (const ipv4 of ['127.0.0.1', '0.0.0.0', '0.0.0.1', '10.0.0.1', '192.168.1.1']) {
      // At other places than the last 32 bits, private addresses cannot be distinguished from a
      // prefix.
      const certain = Object.entries(spellings(ipv4)).filter(
        ([how]) => ipv4.startsWith('127') || !/(48|56|64) bits/.test(how),
      )
      for (const [how, address] of certain) {
        if (ipv4.startsWith('0.') && /^(compatible|NAT64 for local)/.test(how)) continue
        t.notOk(policy.judge(address).allowed, `${how}: ${address}`)
      }
    }
  }
})

t.test('a translated address is allowed when the operator allows both of its parts', async (t) => {
  const nat64 = new EgressPolicy(['64:ff9b::/96', '64:ff9b:1:fffe::/96', '10.1.0.0/16'])
  const allowed = (address: string) => nat64.judge(address).allowed
  t.ok(allowed('64:ff9b::8.8.8.8'), 'a public address')
  t.ok(allowed('64:ff9b:1:fffe::8.8.8.8'), 'with the prefix for local use')
  t.ok(allowed('64:ff9b::10.1.2.3'), 'an allowed private address')
  t.notOk(allowed('64:ff9b::10.2.0.1'), 'another private address')
  t.ok(new EgressPolicy(['::/0']).judge('::1').allowed, 'IPv6 itself')
  t.ok(new EgressPolicy(['0.0.0.0/0', '::/0']).judge('64:ff9b::7f00:1').allowed, 'both loopback')
})
