/** Which algorithms and keys are still considered secure (ETSI TS 119 312). */

import type { AlgorithmIdentifier, Certificate } from '../cms/certificate-reader.ts'
import { knownAlgorithm, WEAK_HASHES } from '../cms/signature-algorithms.ts'
import type { KnownAlgorithm } from '../cms/signature-algorithms.ts'

const MIN_RSA_BITS = 2048
/** Curves on which a discrete logarithm costs at least 2^128 steps. */
const STRONG_CURVES: ReadonlySet<string> = new Set([
  'prime256v1',
  'secp384r1',
  'secp521r1',
  'brainpoolP256r1',
  'brainpoolP384r1',
  'brainpoolP512r1',
  'brainpoolP256t1',
  'brainpoolP384t1',
  'brainpoolP512t1',
])

/** @param hash lower case, as `sha256`; undefined: one that is not known */
export const hashIsStrong = (hash: string | undefined) =>
  hash !== undefined && !WEAK_HASHES.has(hash)

/** Whether a certificate's own key is strong enough to have signed. */
function keyIsStrong(certificate: Certificate): boolean {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey
    if (type === 'rsa' || type === 'rsa-pss') return (details?.modulusLength ?? 0) >= MIN_RSA_BITS
    if (type === 'ec') return STRONG_CURVES.has(details?.namedCurve ?? '')
    return type === 'ed25519' || type === 'ed448'
  } catch {
    return false
  }
}

const algorithmIsStrong = (algorithm: KnownAlgorithm | undefined) =>
  algorithm !== undefined && algorithm.family !== 'dsa' && hashIsStrong(algorithm.hash)

/** Whether a signature of a SignerInfo is strong enough. */
export function signatureIsStrong(
  identifier: AlgorithmIdentifier,
  digestHash: string | undefined,
): boolean {
  return hashIsStrong(digestHash) && algorithmIsStrong(knownAlgorithm(identifier, digestHash))
}

/** Whether every key of a path is strong, and every signature below the anchor's own. */
export function pathIsStrong(path: readonly Certificate[], anchored: boolean): boolean {
  const signed = anchored ? path.slice(0, -1) : path
  return (
    path.every(keyIsStrong) &&
    signed.every(({ signatureAlgorithm }) => algorithmIsStrong(knownAlgorithm(signatureAlgorithm)))
  )
}
