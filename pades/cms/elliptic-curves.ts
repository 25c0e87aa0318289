/**
 * Elliptic curves whose ECDSA values engines cannot verify, or not with every hash function (SEC 2,
 * 2; RFC 5639, 3), and the object identifiers of curves (RFC 5480, 2.1.1.1; RFC 5639, 4.1).
 */

/** Coefficients, order and base point of a curve in short Weierstrass form. */
export interface CurveParameters {
  readonly p: bigint
  readonly a: bigint
  readonly b: bigint
  readonly n: bigint
  readonly Gx: bigint
  readonly Gy: bigint
  readonly h: bigint
}

/** Names of curves as OpenSSL spells them, by dotted object identifier. */
export const CURVE_NAMES: Readonly<Record<string, string>> = {
  '1.2.840.10045.3.1.1': 'prime192v1',
  '1.2.840.10045.3.1.7': 'prime256v1',
  '1.3.132.0.10': 'secp256k1',
  '1.3.132.0.33': 'secp224r1',
  '1.3.132.0.34': 'secp384r1',
  '1.3.132.0.35': 'secp521r1',
  '1.3.36.3.3.2.8.1.1.1': 'brainpoolP160r1',
  '1.3.36.3.3.2.8.1.1.2': 'brainpoolP160t1',
  '1.3.36.3.3.2.8.1.1.3': 'brainpoolP192r1',
  '1.3.36.3.3.2.8.1.1.4': 'brainpoolP192t1',
  '1.3.36.3.3.2.8.1.1.5': 'brainpoolP224r1',
  '1.3.36.3.3.2.8.1.1.6': 'brainpoolP224t1',
  '1.3.36.3.3.2.8.1.1.7': 'brainpoolP256r1',
  '1.3.36.3.3.2.8.1.1.8': 'brainpoolP256t1',
  '1.3.36.3.3.2.8.1.1.9': 'brainpoolP320r1',
  '1.3.36.3.3.2.8.1.1.11': 'brainpoolP384r1',
  '1.3.36.3.3.2.8.1.1.12': 'brainpoolP384t1',
  '1.3.36.3.3.2.8.1.1.13': 'brainpoolP512r1',
  '1.3.36.3.3.2.8.1.1.14': 'brainpoolP512t1',
}

/** @param digits hexadecimal, the first ones first */
const join = (...digits: readonly string[]) => BigInt(`0x${digits.join('')}`)

/** Parameters of the curves, keyed by their names. */
export const CURVES: Readonly<Record<string, CurveParameters>> = {
  secp384r1: {
    p: join(
      'fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff',
      '0000000000000000ffffffff',
    ),
    a: join(
      'fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff',
      '0000000000000000fffffffc',
    ),
    b: join(
      'b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d',
      '8a2ed19d2a85c8edd3ec2aef',
    ),
    n: join(
      'ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db2',
      '48b0a77aecec196accc52973',
    ),
    Gx: join(
      'aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25d',
      'bf55296c3a545e3872760ab7',
    ),
    Gy: join(
      '3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce',
      '1d7e819d7a431d7c90ea0e5f',
    ),
    h: 1n,
  },
  secp521r1: {
    p: join(
      '1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
      'fffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    ),
    a: join(
      '1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
      'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc',
    ),
    b: join(
      '51953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e1561939',
      '51ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00',
    ),
    n: join(
      '1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868',
      '783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409',
    ),
    Gx: join(
      'c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e',
      '77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66',
    ),
    Gy: join(
      '11839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee7',
      '2995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650',
    ),
    h: 1n,
  },
  secp256k1: {
    p: 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn,
    a: 0x0n,
    b: 0x7n,
    n: 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n,
    Gx: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
    Gy: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
    h: 1n,
  },
  brainpoolP256r1: {
    p: 0xa9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5377n,
    a: 0x7d5a0975fc2c3057eef67530417affe7fb8055c126dc5c6ce94a4b44f330b5d9n,
    b: 0x26dc5c6ce94a4b44f330b5d9bbd77cbf958416295cf7e1ce6bccdc18ff8c07b6n,
    n: 0xa9fb57dba1eea9bc3e660a909d838d718c397aa3b561a6f7901e0e82974856a7n,
    Gx: 0x8bd2aeb9cb7e57cb2c4b482ffc81b7afb9de27e1e3bd23c23a4453bd9ace3262n,
    Gy: 0x547ef835c3dac4fd97f8461a14611dc9c27745132ded8e545c1d54c72f046997n,
    h: 1n,
  },
  brainpoolP256t1: {
    p: 0xa9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5377n,
    a: 0xa9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5374n,
    b: 0x662c61c430d84ea4fe66a7733d0b76b7bf93ebc4af2f49256ae58101fee92b04n,
    n: 0xa9fb57dba1eea9bc3e660a909d838d718c397aa3b561a6f7901e0e82974856a7n,
    Gx: 0xa3e8eb3cc1cfe7b7732213b23a656149afa142c47aafbc2b79a191562e1305f4n,
    Gy: 0x2d996c823439c56d7f7b22e14644417e69bcb6de39d027001dabe8f35b25c9ben,
    h: 1n,
  },
  brainpoolP320r1: {
    p: 0xd35e472036bc4fb7e13c785ed201e065f98fcfa6f6f40def4f92b9ec7893ec28fcd412b1f1b32e27n,
    a: 0x3ee30b568fbab0f883ccebd46d3f3bb8a2a73513f5eb79da66190eb085ffa9f492f375a97d860eb4n,
    b: 0x520883949dfdbc42d3ad198640688a6fe13f41349554b49acc31dccd884539816f5eb4ac8fb1f1a6n,
    n: 0xd35e472036bc4fb7e13c785ed201e065f98fcfa5b68f12a32d482ec7ee8658e98691555b44c59311n,
    Gx: 0x43bd7e9afb53d8b85289bcc48ee5bfe6f20137d10a087eb6e7871e2a10a599c710af8d0d39e20611n,
    Gy: 0x14fdd05545ec1cc8ab4093247f77275e0743ffed117182eaa9c77877aaac6ac7d35245d1692e8ee1n,
    h: 1n,
  },
  brainpoolP384r1: {
    p: join(
      '8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b412b1da197fb71123acd3a729',
      '901d1a71874700133107ec53',
    ),
    a: join(
      '7bc382c63d8c150c3c72080ace05afa0c2bea28e4fb22787139165efba91f90f8aa5814a',
      '503ad4eb04a8c7dd22ce2826',
    ),
    b: join(
      '4a8c7dd22ce28268b39b55416f0447c2fb77de107dcd2a62e880ea53eeb62d57cb439029',
      '5dbc9943ab78696fa504c11',
    ),
    n: join(
      '8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b31f166e6cac0425a7cf3ab6af',
      '6b7fc3103b883202e9046565',
    ),
    Gx: join(
      '1d1c64f068cf45ffa2a63a81b7c13f6b8847a3e77ef14fe3db7fcafe0cbd10e8e826e034',
      '36d646aaef87b2e247d4af1e',
    ),
    Gy: join(
      '8abe1d7520f9c2a45cb1eb8e95cfd55262b70b29feec5864e19c054ff99129280e464621',
      '7791811142820341263c5315',
    ),
    h: 1n,
  },
  brainpoolP384t1: {
    p: join(
      '8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b412b1da197fb71123acd3a729',
      '901d1a71874700133107ec53',
    ),
    a: join(
      '8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b412b1da197fb71123acd3a729',
      '901d1a71874700133107ec50',
    ),
    b: join(
      '7f519eada7bda81bd826dba647910f8c4b9346ed8ccdc64e4b1abd11756dce1d2074aa26',
      '3b88805ced70355a33b471ee',
    ),
    n: join(
      '8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b31f166e6cac0425a7cf3ab6af',
      '6b7fc3103b883202e9046565',
    ),
    Gx: join(
      '18de98b02db9a306f2afcd7235f72a819b80ab12ebd653172476fecd462aabffc4ff191b',
      '946a5f54d8d0aa2f418808cc',
    ),
    Gy: join(
      '25ab056962d30651a114afd2755ad336747f93475b7a1fca3b88f2b6a208ccfe46940858',
      '4dc2b2912675bf5b9e582928',
    ),
    h: 1n,
  },
  brainpoolP512r1: {
    p: join(
      'aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca703308717d4d9b00',
      '9bc66842aecda12ae6a380e62881ff2f2d82c68528aa6056583a48f3',
    ),
    a: join(
      '7830a3318b603b89e2327145ac234cc594cbdd8d3df91610a83441caea9863bc2ded5d5a',
      'a8253aa10a2ef1c98b9ac8b57f1117a72bf2c7b9e7c1ac4d77fc94ca',
    ),
    b: join(
      '3df91610a83441caea9863bc2ded5d5aa8253aa10a2ef1c98b9ac8b57f1117a72bf2c7b9',
      'e7c1ac4d77fc94cadc083e67984050b75ebae5dd2809bd638016f723',
    ),
    n: join(
      'aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330870553e5c41',
      '4ca92619418661197fac10471db1d381085ddaddb58796829ca90069',
    ),
    Gx: join(
      '81aee4bdd82ed9645a21322e9c4c6a9385ed9f70b5d916c1b43b62eef4d0098eff3b1f78',
      'e2d0d48d50d1687b93b97d5f7c6d5047406a5e688b352209bcb9f822',
    ),
    Gy: join(
      '7dde385d566332ecc0eabfa9cf7822fdf209f70024a57b1aa000c55b881f8111b2dcde49',
      '4a5f485e5bca4bd88a2763aed1ca2b2fa8f0540678cd1e0f3ad80892',
    ),
    h: 1n,
  },
  brainpoolP512t1: {
    p: join(
      'aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca703308717d4d9b00',
      '9bc66842aecda12ae6a380e62881ff2f2d82c68528aa6056583a48f3',
    ),
    a: join(
      'aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca703308717d4d9b00',
      '9bc66842aecda12ae6a380e62881ff2f2d82c68528aa6056583a48f0',
    ),
    b: join(
      '7cbbbcf9441cfab76e1890e46884eae321f70c0bcb4981527897504bec3e36a62bcdfa23',
      '04976540f6450085f2dae145c22553b465763689180ea2571867423e',
    ),
    n: join(
      'aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330870553e5c41',
      '4ca92619418661197fac10471db1d381085ddaddb58796829ca90069',
    ),
    Gx: join(
      '640ece5c12788717b9c1ba06cbc2a6feba85842458c56dde9db1758d39c0313d82ba5173',
      '5cdb3ea499aa77a7d6943a64f7a3f25fe26f06b51baa2696fa9035da',
    ),
    Gy: join(
      '5b534bd595f5af0fa2c892376c84ace1bb4e3019b71634c01131159cae03cee9d9932184',
      'beef216bd71df2dadf86a627306ecff96dbb8bace198b61e00f8b332',
    ),
    h: 1n,
  },
}
