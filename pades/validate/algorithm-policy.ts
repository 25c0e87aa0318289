/** Which algorithms and keys are still considered secure (ETSI TS 119 312). */

import type { AlgorithmIdentifier, Certificate } from '../cms/certificate-reader.ts'
import { keyStrength, strengthIf } from '../cms/key-strength.ts'
import type { Strength } from '../cms/key-strength.ts'
import { modulusBits } from '../cms/public-key.ts'
import { knownAlgorithm, WEAK_HASHES } from '../cms/signature-algorithms.ts'
import type { KnownAlgorithm } from '../cms/signature-algorithms.ts'
import type { FindingKey } from '../findings.ts'

/** A signature algorithm, hash function or key that a signature relies on. */
interface UsedAlgorithm {
  /** Such as `sha256`, `rsa-pss`, or the type of a key: `rsa`, `ec`, `ed25519`. */
  readonly name: string
  /** Length of the key; absent for hash functions and paddings. */
  readonly bits?: number
}

/** From when on an algorithm does not count any more (ETSI TS 119 312, 9). */
export interface AlgorithmExpiry {
  /** As the report names hash functions; `rsa`, `ec` and others for keys. */
  readonly algorithm: string
  /** Only keys with fewer bits; without it all of them. */
  readonly belowBits?: number
  /** Last time at which it counts; absent: it never counts. */
  readonly until?: Date
}

const BITS_OF_EDWARDS_KEYS: Readonly<Record<string, number>> = { ed25519: 255, ed448: 448 }

/** The number of bits is part of the name of every curve, as in `prime256v1`; not of an OID. */
const bitsOfCurve = (curve: string | undefined) =>
  Number(/^[a-z]+(\d{3})/i.exec(curve ?? '')?.[1] ?? 0)

function keyOf({ publicKeyKind: key }: Certificate): UsedAlgorithm {
  if (key.type === 'rsa') return { name: 'rsa', bits: modulusBits(key) }
  if (key.type === 'ec') return { name: 'ec', bits: bitsOfCurve(key.curve) }
  const bits = BITS_OF_EDWARDS_KEYS[key.type]
  return { name: key.type, ...(bits !== undefined && { bits }) }
}

function algorithmsOf(known: KnownAlgorithm | undefined): UsedAlgorithm[] {
  if (!known) return []
  const padding = known.family === 'rsa' ? 'rsa-pkcs1' : known.family
  return [{ name: known.hash }, { name: padding }]
}

/** The hash functions and the padding of a signature of a SignerInfo. */
export const signatureAlgorithms = (
  identifier: AlgorithmIdentifier,
  digestHash: string | undefined,
): UsedAlgorithm[] => [
  ...(digestHash === undefined ? [] : [{ name: digestHash }]),
  ...algorithmsOf(knownAlgorithm(identifier, digestHash) ?? knownAlgorithm(identifier)),
]

/** The keys of a path, and the algorithms of the signatures below the anchor's own. */
export function pathAlgorithms(path: readonly Certificate[], anchored: boolean): UsedAlgorithm[] {
  const signed = anchored ? path.slice(0, -1) : path
  return [
    ...path.map(keyOf),
    ...signed.flatMap(({ signatureAlgorithm }) => algorithmsOf(knownAlgorithm(signatureAlgorithm))),
  ]
}

/**
 * Whether the policy of a validation says that one of the algorithms does not count any more.
 *
 * @param at when the signature or time-stamp is proven to have existed
 */
export const isExpired = (
  used: readonly UsedAlgorithm[],
  expiries: readonly AlgorithmExpiry[],
  at: Date,
): boolean =>
  used.some(({ name, bits }) =>
    expiries.some(
      ({ algorithm, belowBits, until }) =>
        algorithm === name &&
        (belowBits === undefined || (bits !== undefined && bits < belowBits)) &&
        (until === undefined || at > until),
    ),
  )

/** @param hash lower case, as `sha256`; undefined: one that is not known */
export const hashStrength = (hash: string | undefined): Strength =>
  hash === undefined ? 'unknown' : strengthIf(!WEAK_HASHES.has(hash))

function algorithmStrength(algorithm: KnownAlgorithm | undefined): Strength {
  if (!algorithm) return 'unknown'
  return algorithm.family === 'dsa' ? 'weak' : hashStrength(algorithm.hash)
}

/** The gravest of several. */
const worstStrength = (strengths: readonly Strength[]): Strength =>
  (['weak', 'unknown'] as const).find((one) => strengths.includes(one)) ?? 'strong'

/**
 * How strong a signature of a SignerInfo is.
 *
 * @param digestHash undefined when the digest algorithm is not known
 */
export const signatureStrength = (
  identifier: AlgorithmIdentifier,
  digestHash: string | undefined,
): Strength =>
  worstStrength([
    hashStrength(digestHash),
    // Whether it agrees with the digest is another question.
    algorithmStrength(knownAlgorithm(identifier, digestHash) ?? knownAlgorithm(identifier)),
  ])

/** How strong every key of a path is, and every signature below the anchor's own. */
export function pathStrength(path: readonly Certificate[], anchored: boolean): Strength {
  const signed = anchored ? path.slice(0, -1) : path
  return worstStrength([
    ...path.map(({ publicKeyKind }) => keyStrength(publicKeyKind)),
    ...signed.map(({ signatureAlgorithm }) =>
      algorithmStrength(knownAlgorithm(signatureAlgorithm)),
    ),
  ])
}

/** What a strength makes of a signature. An algorithm that is not known is not called weak. */
export const strengthFindings = (strength: Strength): FindingKey[] => {
  if (strength === 'strong') return []
  return [strength === 'weak' ? 'ALGORITHM_TOO_WEAK' : 'SIGNATURE_ALGORITHM_UNKNOWN']
}
