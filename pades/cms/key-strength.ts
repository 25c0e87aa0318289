/** Which keys are still considered secure (ETSI TS 119 312). */

import { modulusBits } from './public-key.ts'
import type { PublicKeyKind } from './public-key.ts'

/** `unknown`: nothing is known against it, nor for it. */
export type Strength = 'strong' | 'weak' | 'unknown'

const MIN_RSA_BITS = 2048
/** Curves on which a discrete logarithm costs at least 2^128 steps. */
const STRONG_CURVES: ReadonlySet<string> = new Set([
  'prime256v1',
  'secp384r1',
  'secp521r1',
  'brainpoolP256r1',
  'brainpoolP320r1',
  'brainpoolP384r1',
  'brainpoolP512r1',
  'brainpoolP256t1',
  'brainpoolP384t1',
  'brainpoolP512t1',
])

/** Curves on which it costs less. */
const WEAK_CURVES: ReadonlySet<string> = new Set([
  'prime192v1',
  'secp224r1',
  'brainpoolP160r1',
  'brainpoolP160t1',
  'brainpoolP192r1',
  'brainpoolP192t1',
  'brainpoolP224r1',
  'brainpoolP224t1',
])

export const strengthIf = (isStrong: boolean): Strength => (isStrong ? 'strong' : 'weak')

/** With exponent 1, anybody can make values; no key pair has an even one (RFC 8017, 3.1). */
const isExponent = (octets: Uint8Array): boolean => {
  const last = octets.at(-1) ?? 0
  return (last & 1) === 1 && (last > 1 || octets.length > 1)
}

/** How strong a key is. */
export function keyStrength(key: PublicKeyKind): Strength {
  if (key.type === 'rsa') {
    return strengthIf(modulusBits(key) >= MIN_RSA_BITS && isExponent(key.exponent))
  }
  if (key.type === 'ec') {
    if (key.curve !== undefined && WEAK_CURVES.has(key.curve)) return 'weak'
    return key.curve !== undefined && STRONG_CURVES.has(key.curve) ? 'strong' : 'unknown'
  }
  if (key.type === 'unknown') return 'unknown'
  return strengthIf(key.type !== 'dsa')
}
