/**
 * Address ranges that are not part of the public internet: IANA's special-purpose registries (RFC
 * 6890), and the metadata services of clouds.
 */

export interface AddressRange {
  /** Purpose of the addresses. */
  name: string
  ranges: readonly string[]
  /**
   * Whether an operator may allow the range. Ranges that lead to credentials of the machine, or
   * that carry an IPv4 address past the rules for IPv4, are never allowed.
   */
  allowable: boolean
}

const METADATA: AddressRange = {
  name: 'metadata service',
  ranges: [
    '169.254.169.254/32',
    '169.254.169.252/32',
    '169.254.170.2/32',
    '169.254.170.23/32',
    '169.254.42.42/32',
    '100.100.100.200/32',
    '168.63.129.16/32',
    '192.0.0.192/32',
    'fd00:ec2::23/128',
    'fd00:ec2::254/128',
    'fd20:ce::254/128',
    'fd00:42::42/128',
    'fd00:c1::a9fe:a9fe/128',
  ],
  allowable: false,
}

/**
 * The first range that contains an address is reported. Link-local addresses are never allowed,
 * because most metadata services use them.
 */
export const FORBIDDEN_RANGES: readonly AddressRange[] = [
  METADATA,
  { name: 'IPv4-mapped', ranges: ['::ffff:0:0/96'], allowable: false },
  { name: 'IPv4-translated', ranges: ['::ffff:0:0:0/96'], allowable: false },
  { name: '6to4', ranges: ['2002::/16', '192.88.99.0/24'], allowable: false },
  { name: 'Teredo', ranges: ['2001::/32'], allowable: false },
  { name: 'NAT64', ranges: ['64:ff9b::/96', '64:ff9b:1::/48'], allowable: true },
  { name: 'unspecified', ranges: ['0.0.0.0/8', '::/128'], allowable: true },
  { name: 'loopback', ranges: ['127.0.0.0/8', '::1/128'], allowable: true },
  { name: 'IPv4-compatible', ranges: ['::/96'], allowable: true },
  { name: 'private', ranges: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'], allowable: true },
  { name: 'carrier-grade NAT', ranges: ['100.64.0.0/10'], allowable: true },
  { name: 'link-local', ranges: ['169.254.0.0/16', 'fe80::/10'], allowable: false },
  { name: 'unique local', ranges: ['fc00::/7'], allowable: true },
  { name: 'site-local', ranges: ['fec0::/10'], allowable: true },
  {
    name: 'documentation',
    ranges: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
    allowable: true,
  },
  { name: 'benchmarking', ranges: ['198.18.0.0/15', '2001:2::/48'], allowable: true },
  { name: 'IETF protocols', ranges: ['192.0.0.0/24', '2001::/23'], allowable: true },
  {
    name: 'AS112 and AMT',
    ranges: ['192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24', '2620:4f:8000::/48'],
    allowable: true,
  },
  { name: 'broadcast', ranges: ['255.255.255.255/32'], allowable: true },
  { name: 'multicast', ranges: ['224.0.0.0/4', 'ff00::/8'], allowable: true },
  { name: 'reserved', ranges: ['240.0.0.0/4'], allowable: true },
]

/** The only part of IPv6 that is assigned for the public internet (RFC 4291, 2.4). */
export const GLOBAL_UNICAST_IPV6 = '2000::/3'
