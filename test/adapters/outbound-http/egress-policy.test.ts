import t from 'tap'
import { EgressPolicy } from '../../../adapters/outbound-http/egress-policy.ts'

/** The edges of each range, and what is in between where that has a name of its own. */
const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  'metadata service': [
    '169.254.169.254',
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
  'link-local': ['169.254.0.0', '169.254.170.2', '169.254.255.255', 'fe80::1', 'febf::1'],
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
