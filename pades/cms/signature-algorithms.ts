/**
 * Verifies signature values of the algorithms that validation knows (RFC 5754, 4056, 5758, 8419).
 */

import type { AlgorithmIdentifier, Certificate } from './certificate-reader.ts'
import { readAlgorithmIdentifier } from './certificate-reader.ts'
import { TAG } from './der.ts'
import { DerError, readDer } from './der-reader.ts'
import { readSmallInteger } from './der-values.ts'
import { OID } from './object-identifiers.ts'
import { nameOfRightValue, verifyValue } from './verify-value.ts'
import type { ValueScheme, VerificationKey } from './verify-value.ts'

/** Names of hash functions in `node:crypto`, by dotted OID. */
export const HASHES: Readonly<Record<string, string>> = {
  [OID.md5]: 'md5',
  [OID.sha1]: 'sha1',
  [OID.ripemd160]: 'ripemd160',
  [OID.sha224]: 'sha224',
  [OID.sha256]: 'sha256',
  [OID.sha384]: 'sha384',
  [OID.sha512]: 'sha512',
  [OID.sha3_256]: 'sha3-256',
  [OID.sha3_384]: 'sha3-384',
  [OID.sha3_512]: 'sha3-512',
}

/** Hash functions that no longer protect what is signed (ETSI TS 119 312). */
export const WEAK_HASHES: ReadonlySet<string> = new Set(['md5', 'sha1', 'ripemd160'])

type Family = ValueScheme['family']

/** Families, and the hash where the identifier says it; RSA alone leaves it to the digest. */
const SIGNATURES: Readonly<Record<string, { family: Family; hash?: string }>> = {
  [OID.rsaEncryption]: { family: 'rsa' },
  [OID.md5WithRsa]: { family: 'rsa', hash: 'md5' },
  [OID.sha1WithRsa]: { family: 'rsa', hash: 'sha1' },
  [OID.sha224WithRsa]: { family: 'rsa', hash: 'sha224' },
  [OID.sha256WithRsa]: { family: 'rsa', hash: 'sha256' },
  [OID.sha384WithRsa]: { family: 'rsa', hash: 'sha384' },
  [OID.sha512WithRsa]: { family: 'rsa', hash: 'sha512' },
  [OID.rsaWithSha3_256]: { family: 'rsa', hash: 'sha3-256' },
  [OID.rsaWithSha3_384]: { family: 'rsa', hash: 'sha3-384' },
  [OID.rsaWithSha3_512]: { family: 'rsa', hash: 'sha3-512' },
  [OID.rsaPss]: { family: 'rsa-pss' },
  [OID.ecPublicKey]: { family: 'ec' },
  [OID.ecdsaWithSha1]: { family: 'ec', hash: 'sha1' },
  [OID.ecdsaWithSha224]: { family: 'ec', hash: 'sha224' },
  [OID.ecdsaWithSha256]: { family: 'ec', hash: 'sha256' },
  [OID.ecdsaWithSha384]: { family: 'ec', hash: 'sha384' },
  [OID.ecdsaWithSha512]: { family: 'ec', hash: 'sha512' },
  [OID.ecdsaWithSha3_256]: { family: 'ec', hash: 'sha3-256' },
  [OID.ecdsaWithSha3_384]: { family: 'ec', hash: 'sha3-384' },
  [OID.ecdsaWithSha3_512]: { family: 'ec', hash: 'sha3-512' },
  [OID.dsaWithSha1]: { family: 'dsa', hash: 'sha1' },
  [OID.dsaWithSha256]: { family: 'dsa', hash: 'sha256' },
  [OID.ed25519]: { family: 'ed25519' },
  [OID.ed448]: { family: 'ed448' },
}

/** A signature algorithm as validation understood it. */
export type KnownAlgorithm = ValueScheme

/**
 * What an algorithm identifier means.
 *
 * @param digestHash hash of the SignerInfo, for identifiers that name none
 * @returns undefined when it is unknown, cannot be read or contradicts the digest (RFC 8933, 2; RFC
 *   8419, 3.1)
 */
export function knownAlgorithm(
  identifier: AlgorithmIdentifier,
  digestHash?: string,
): KnownAlgorithm | undefined {
  const known = SIGNATURES[identifier.type]
  if (!known) return undefined
  if (known.family === 'rsa-pss') return readablePss(identifier, digestHash)
  const edwards = { ed25519: 'sha512', ed448: undefined }[known.family as string]
  const hash = known.hash ?? edwards ?? digestHash
  if (!hash || (digestHash && hash !== digestHash)) return undefined
  return { family: known.family, hash, saltBytes: undefined }
}

/**
 * A name for reports, such as `ecdsa-sha256`; the dotted OID of an algorithm that is not known.
 *
 * @param digestHash as for {@link knownAlgorithm}
 */
export function algorithmName(identifier: AlgorithmIdentifier, digestHash?: string): string {
  const known = SIGNATURES[identifier.type]
  if (!known) return identifier.type
  const family = known.family === 'ec' ? 'ecdsa' : known.family
  const hash = family.startsWith('ed') ? undefined : (known.hash ?? digestHash)
  return hash ? `${family}-${hash}` : family
}

/** As {@link pssAlgorithm}; unreadable parameters mean no algorithm. */
function readablePss(identifier: AlgorithmIdentifier, digestHash: string | undefined) {
  try {
    return pssAlgorithm(identifier, digestHash)
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

/** RSASSA-PSS-params (RFC 4055, 3.1): both hashes must be the digest's, and the trailer 0xBC. */
function pssAlgorithm(
  { parameters }: AlgorithmIdentifier,
  digestHash: string | undefined,
): KnownAlgorithm | undefined {
  if (!parameters) return undefined
  const fields = new Map(
    readDer(parameters)
      .as(TAG.sequence)
      .children.map((part) => [part.tag & 0x1f, part.child(0)]),
  )
  const hashField = fields.get(0)
  const maskField = fields.get(1)
  const hash = hashField ? HASHES[readAlgorithmIdentifier(hashField).type] : 'sha1'
  const mask = maskField ? readAlgorithmIdentifier(maskField) : undefined
  if (mask && mask.type !== OID.mgf1) return undefined
  const maskHash = mask?.parameters
    ? HASHES[readAlgorithmIdentifier(readDer(mask.parameters)).type]
    : 'sha1'
  const salt = fields.get(2)
  const trailer = fields.get(3)
  if (trailer && readSmallInteger(trailer) !== 1) return undefined
  if (!hash || hash !== maskHash || (digestHash && hash !== digestHash)) return undefined
  return { family: 'rsa-pss', hash, saltBytes: salt ? readSmallInteger(salt) : 20 }
}

/** The parts of a certificate that verify what its key has signed. */
export type SigningKey = Pick<Certificate, 'publicKey' | 'publicKeyKind'>

/**
 * Whether `signature` over `data` is right; false as well for a key of another kind.
 *
 * @returns undefined when neither the engine nor the library can verify it
 */
export const signatureIsRight = (
  algorithm: KnownAlgorithm,
  key: SigningKey,
  data: Uint8Array,
  signature: Uint8Array,
): boolean | undefined => verifyValue(algorithm, verificationKey(key), data, signature)

/** As {@link signatureIsRight}. @returns the name of a right value that has one, else nothing */
export function nameOfSignature(
  algorithm: KnownAlgorithm,
  key: SigningKey,
  data: Uint8Array,
  signature: Uint8Array,
): string[] {
  const name = nameOfRightValue(algorithm, verificationKey(key), data, signature)
  return name === undefined ? [] : [name]
}

const verificationKey = (key: SigningKey): VerificationKey => ({
  kind: key.publicKeyKind,
  engineKey: () => key.publicKey,
})
