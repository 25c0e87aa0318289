/**
 * Verifies signature values, also where the engine's own cryptography cannot: Deno refuses RSA keys
 * above 4,096 bits and Brainpool curves, and takes short digests on long curves for wrong.
 */

import { Buffer } from 'node:buffer'
import { constants, createHash, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { ecdsa, weierstrass } from '@noble/curves/abstract/weierstrass.js'
import type { ECDSA } from '@noble/curves/abstract/weierstrass.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { CURVES } from './elliptic-curves.ts'
import { modulusBits } from './public-key.ts'
import type { CurveKey, PublicKeyKind, RsaKey } from './public-key.ts'
import { verifyPkcs1, verifyPss } from './rsa-verification.ts'

/** A signature scheme and its hash function. */
export interface ValueScheme {
  readonly family: 'rsa' | 'rsa-pss' | 'ec' | 'dsa' | 'ed25519' | 'ed448'
  /** Name in `node:crypto`; EdDSA has its own. */
  readonly hash: string
  /** Salt of PSS in octets. */
  readonly saltBytes: number | undefined
}

/** A key, as its encoding says and as the engine takes it. */
export interface VerificationKey {
  readonly kind: PublicKeyKind
  /** @throws Error of the engine when it does not know the kind of key */
  readonly engineKey: () => KeyObject
}

/** Right values of this number are remembered. */
const MAX_RIGHT_VALUES = 1_000
/**
 * Digests of right values with all that they depend on. Both judges of a document ask for the same
 * ones, and authorities' certificates come with one document after another.
 */
const rightValues = new Set<string>()

/** Values of longer keys are not verified, because they cost too much time. */
const MAX_RSA_BITS = 16_384
/** FIPS 186-5, A.1.1: exponents are below 2^256. One of 3,072 bits takes 24 times as long. */
const MAX_EXPONENT_OCTETS = 32

/**
 * Verifies a signature value.
 *
 * @returns undefined when it cannot be determined, because neither the engine nor the library
 *   supports the key or the scheme; false as well for a key of another kind than the scheme needs
 */
export function verifyValue(
  scheme: ValueScheme,
  key: VerificationKey,
  data: Uint8Array,
  signature: Uint8Array,
): boolean | undefined {
  const { kind } = key
  if (kind.type === 'unknown') return undefined
  if (!keyFits(kind, scheme)) return false
  if (kind.type === 'rsa' && !isAffordable(kind)) return undefined
  const name = nameOf(scheme, kind, data, signature)
  if (name !== undefined && rightValues.has(name)) return true
  const verdict = verifyOnce(scheme, key, data, signature)
  if (verdict === true && name !== undefined) remember(name)
  return verdict
}

/**
 * Verifies a signature value for another process, which then need not verify it.
 *
 * @returns its name for {@link rememberRightValues}; undefined when it is not right, or when its
 *   key has no name
 */
export const nameOfRightValue = (
  scheme: ValueScheme,
  key: VerificationKey,
  data: Uint8Array,
  signature: Uint8Array,
): string | undefined =>
  verifyValue(scheme, key, data, signature) === true
    ? nameOf(scheme, key.kind, data, signature)
    : undefined

const isAffordable = (key: RsaKey): boolean =>
  modulusBits(key) <= MAX_RSA_BITS && key.exponent.length <= MAX_EXPONENT_OCTETS

function verifyOnce(
  scheme: ValueScheme,
  key: VerificationKey,
  data: Uint8Array,
  signature: Uint8Array,
): boolean | undefined {
  const { kind } = key
  const byEngine = verifyByEngine(scheme, key, data, signature)
  if (byEngine === true || (byEngine === false && !mayBeMistaken(scheme, kind))) return byEngine
  return verifyByLibrary(scheme, kind, data, signature) ?? byEngine
}

/**
 * Digest of all that the verdict depends on. Lengths before each part keep parts from being taken
 * for others.
 *
 * @returns undefined for a key that its kind does not describe completely
 */
function nameOf(
  { family, hash, saltBytes }: ValueScheme,
  kind: PublicKeyKind,
  data: Uint8Array,
  signature: Uint8Array,
): string | undefined {
  const parts = partsOf(kind)
  if (!parts) return undefined
  const digest = createHash('sha256').update(JSON.stringify([family, hash, saltBytes ?? null]))
  for (const part of [...parts, data, signature]) digest.update(` ${part.length} `).update(part)
  return digest.digest('base64')
}

/** Keys for PSS can restrict it, and keys of other kinds are not read. */
function partsOf(kind: PublicKeyKind): Uint8Array[] | undefined {
  if (kind.type === 'ec' && kind.curve !== undefined) return [Buffer.from(kind.curve), kind.point]
  if (kind.type === 'rsa' && !kind.isForPss) return [kind.modulus, kind.exponent]
  return undefined
}

/** Takes values for right that a trusted process has verified; see {@link nameOfRightValue}. */
export function rememberRightValues(names: readonly string[]): void {
  for (const name of names) remember(name)
}

/**
 * Forgets all values, so that repeated measurements do the same work.
 *
 * @returns how many there were
 */
export function forgetRightValues(): number {
  const count = rightValues.size
  rightValues.clear()
  return count
}

function remember(name: string): void {
  const [oldest] = rightValues
  if (rightValues.size >= MAX_RIGHT_VALUES && oldest !== undefined) rightValues.delete(oldest)
  rightValues.add(name)
}

/** Whether a key is of the kind that a scheme needs. */
function keyFits(kind: PublicKeyKind, { family }: ValueScheme): boolean {
  if (kind.type !== 'rsa') return kind.type === family
  return family === 'rsa-pss' || (family === 'rsa' && !kind.isForPss)
}

function verifyByEngine(
  { family, hash, saltBytes }: ValueScheme,
  { engineKey }: VerificationKey,
  data: Uint8Array,
  signature: Uint8Array,
): boolean | undefined {
  try {
    const key = engineKey()
    if (family === 'ed25519' || family === 'ed448') return verify(null, data, key, signature)
    if (family !== 'rsa-pss') return verify(hash, data, key, signature)
    const padding = constants.RSA_PKCS1_PSS_PADDING
    return verify(hash, data, { key, padding, saltLength: saltBytes }, signature)
  } catch {
    return undefined
  }
}

/** Whether an engine may call a right value wrong: high S values and short digests on Deno. */
function mayBeMistaken({ family, hash }: ValueScheme, kind: PublicKeyKind): boolean {
  if (family !== 'ec' || kind.type !== 'ec') return false
  const fieldBytes = (kind.point.length - 1) / 2
  return kind.curve === 'secp256k1' || createHash(hash).digest().length * 2 < fieldBytes
}

function verifyByLibrary(
  { family, hash, saltBytes = 0 }: ValueScheme,
  kind: PublicKeyKind,
  data: Uint8Array,
  signature: Uint8Array,
): boolean | undefined {
  if (kind.type === 'rsa') {
    return family === 'rsa'
      ? verifyPkcs1(kind, hash, data, signature)
      : verifyPss(kind, { hash, saltBytes }, data, signature)
  }
  return kind.type === 'ec' ? verifyOnCurve(kind, hash, data, signature) : undefined
}

const libraryCurves = new Map<string, ECDSA>()

function curveOf(name: string | undefined): ECDSA | undefined {
  const parameters = name === undefined ? undefined : CURVES[name]
  if (name === undefined || !parameters) return undefined
  // The hash function of the scheme is applied before; this one is for signing.
  const curve = libraryCurves.get(name) ?? ecdsa(weierstrass({ ...parameters }), sha256)
  libraryCurves.set(name, curve)
  return curve
}

/** ECDSA (SEC 1, 4.1.4) with a value in DER. */
function verifyOnCurve(
  { curve: name, point }: CurveKey,
  hash: string,
  data: Uint8Array,
  signature: Uint8Array,
): boolean | undefined {
  const curve = curveOf(name)
  if (!curve) return undefined
  const digest = Uint8Array.from(createHash(hash).update(data).digest())
  const options = { prehash: false, lowS: false, format: 'der' } as const
  try {
    return curve.verify(Uint8Array.from(signature), digest, Uint8Array.from(point), options)
  } catch {
    return false
  }
}
