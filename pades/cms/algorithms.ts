/**
 * Signature algorithms: what this library signs with, and how algorithm identifiers are written
 * (RFC 5754, RFC 5758, RFC 4055, RFC 8419).
 */

import { contextConstructed, integer, NULL, objectIdentifier, sequence } from './der.ts'
import { OID } from './object-identifiers.ts'

/** What keys sign with; validation knows more. */
export type SignatureAlgorithm =
  'ecdsa-p256-sha256' | 'ecdsa-p384-sha384' | `rsa-pkcs1-${HashName}` | `rsa-pss-${HashName}`

/** What CMS objects can be written with: also the algorithm of keys that only rehearse. */
export type CmsAlgorithm = SignatureAlgorithm | 'ed25519'

export type HashName = 'sha256' | 'sha384' | 'sha512'

export interface SignatureAlgorithmInfo {
  /** Name of the hash function in `node:crypto`; message digest and signature use the same one. */
  readonly hash: HashName
  /** DER AlgorithmIdentifier of the signature. */
  readonly identifier: Uint8Array
  /** DER AlgorithmIdentifier of the hash function, without parameters (RFC 5754, 2). */
  readonly digestIdentifier: Uint8Array
  /** Longest signature value in octets; undefined when the key decides. */
  readonly maxSignatureBytes: number | undefined
  /** Salt of PSS in octets, as long as the digest (RFC 4055, 3.1); undefined for other schemes. */
  readonly saltBytes?: number
}

const digestIdentifiers: Readonly<Record<HashName, Uint8Array>> = {
  sha256: sequence(objectIdentifier(OID.sha256)),
  sha384: sequence(objectIdentifier(OID.sha384)),
  sha512: sequence(objectIdentifier(OID.sha512)),
}

/** DER AlgorithmIdentifier of a hash function, without parameters. */
export const digestIdentifier = (hash: HashName) => digestIdentifiers[hash]

/** Longest DER `Ecdsa-Sig-Value` of two integers of so many octets, each with a sign octet. */
const ecdsaBytes = (octets: number) => {
  const largest = integer(new Uint8Array(octets).fill(0xff))
  return sequence(largest, largest).length
}

/** Length of each value (RFC 8032, 5.1.6). */
const ED25519_BYTES = 64

const DIGEST_BYTES: Readonly<Record<HashName, number>> = { sha256: 32, sha384: 48, sha512: 64 }

const PKCS1_IDENTIFIERS: Readonly<Record<HashName, string>> = {
  sha256: OID.sha256WithRsa,
  sha384: OID.sha384WithRsa,
  sha512: OID.sha512WithRsa,
}

const pkcs1 = (hash: HashName): SignatureAlgorithmInfo => ({
  hash,
  identifier: sequence(objectIdentifier(PKCS1_IDENTIFIERS[hash]), NULL),
  digestIdentifier: digestIdentifiers[hash],
  maxSignatureBytes: undefined,
})

/** RSASSA-PSS-params with one hash function for both uses; the trailer is the default. */
function pss(hash: HashName): SignatureAlgorithmInfo {
  const hashIdentifier = sequence(objectIdentifier(OID[hash]), NULL)
  const parameters = sequence(
    contextConstructed(0, hashIdentifier),
    contextConstructed(1, sequence(objectIdentifier(OID.mgf1), hashIdentifier)),
    contextConstructed(2, integer(DIGEST_BYTES[hash])),
  )
  return {
    hash,
    identifier: sequence(objectIdentifier(OID.rsaPss), parameters),
    digestIdentifier: digestIdentifiers[hash],
    maxSignatureBytes: undefined,
    saltBytes: DIGEST_BYTES[hash],
  }
}

export const SIGNATURE_ALGORITHMS: Readonly<Record<CmsAlgorithm, SignatureAlgorithmInfo>> = {
  'ecdsa-p256-sha256': {
    hash: 'sha256',
    identifier: sequence(objectIdentifier(OID.ecdsaWithSha256)),
    digestIdentifier: digestIdentifiers.sha256,
    maxSignatureBytes: ecdsaBytes(32),
  },
  'ecdsa-p384-sha384': {
    hash: 'sha384',
    identifier: sequence(objectIdentifier(OID.ecdsaWithSha384)),
    digestIdentifier: digestIdentifiers.sha384,
    maxSignatureBytes: ecdsaBytes(48),
  },
  // With the hash function that RFC 8419, 3.1 demands of signed attributes.
  ed25519: {
    hash: 'sha512',
    identifier: sequence(objectIdentifier(OID.ed25519)),
    digestIdentifier: digestIdentifiers.sha512,
    maxSignatureBytes: ED25519_BYTES,
  },
  'rsa-pkcs1-sha256': pkcs1('sha256'),
  'rsa-pkcs1-sha384': pkcs1('sha384'),
  'rsa-pkcs1-sha512': pkcs1('sha512'),
  'rsa-pss-sha256': pss('sha256'),
  'rsa-pss-sha384': pss('sha384'),
  'rsa-pss-sha512': pss('sha512'),
}

/**
 * Signs `data` with a key that may be far away.
 *
 * @returns the signature value: DER `Ecdsa-Sig-Value`, or the block of PKCS#1 v1.5 or PSS
 */
export type Sign = (data: Uint8Array) => Promise<Uint8Array> | Uint8Array
