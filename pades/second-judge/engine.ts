/**
 * The cryptography that pkijs uses here. WebCrypto lacks algorithms of real signatures, and costs a
 * turn of the event loop for each: Node's own does the arithmetic instead.
 */

import { Buffer } from 'node:buffer'
import { createHash, createPublicKey, webcrypto } from 'node:crypto'
import {
  AlgorithmIdentifier,
  CryptoEngine,
  ECPublicKey,
  RSAPublicKey,
  RSASSAPSSParams,
} from 'pkijs'
import type { PublicKeyInfo, SignerInfo } from 'pkijs'
import type { BitString, ObjectIdentifier, OctetString } from 'asn1js'
import { CURVE_NAMES } from '../cms/elliptic-curves.ts'
import { verifyValue } from '../cms/verify-value.ts'
import type { PublicKeyKind } from '../cms/public-key.ts'
import type { ValueScheme } from '../cms/verify-value.ts'

/** Names in `node:crypto`, by dotted OID (RFC 5754, RFC 8702, RFC 3279). */
const HASHES: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '1.3.36.3.2.1': 'ripemd160',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '2.16.840.1.101.3.4.2.8': 'sha3-256',
  '2.16.840.1.101.3.4.2.9': 'sha3-384',
  '2.16.840.1.101.3.4.2.10': 'sha3-512',
}

/** Signature algorithms (RFC 5758, RFC 4055, RFC 8419, RFC 8692); without a hash the digest's. */
const SCHEMES: Readonly<Record<string, readonly [ValueScheme['family'], string?]>> = {
  '1.2.840.113549.1.1.1': ['rsa'],
  '1.2.840.113549.1.1.4': ['rsa', 'md5'],
  '1.2.840.113549.1.1.5': ['rsa', 'sha1'],
  '1.2.840.113549.1.1.14': ['rsa', 'sha224'],
  '1.2.840.113549.1.1.11': ['rsa', 'sha256'],
  '1.2.840.113549.1.1.12': ['rsa', 'sha384'],
  '1.2.840.113549.1.1.13': ['rsa', 'sha512'],
  '2.16.840.1.101.3.4.3.14': ['rsa', 'sha3-256'],
  '2.16.840.1.101.3.4.3.15': ['rsa', 'sha3-384'],
  '2.16.840.1.101.3.4.3.16': ['rsa', 'sha3-512'],
  '1.2.840.113549.1.1.10': ['rsa-pss'],
  '1.2.840.10045.2.1': ['ec'],
  '1.2.840.10045.4.1': ['ec', 'sha1'],
  '1.2.840.10045.4.3.1': ['ec', 'sha224'],
  '1.2.840.10045.4.3.2': ['ec', 'sha256'],
  '1.2.840.10045.4.3.3': ['ec', 'sha384'],
  '1.2.840.10045.4.3.4': ['ec', 'sha512'],
  '2.16.840.1.101.3.4.3.10': ['ec', 'sha3-256'],
  '2.16.840.1.101.3.4.3.11': ['ec', 'sha3-384'],
  '2.16.840.1.101.3.4.3.12': ['ec', 'sha3-512'],
  '1.2.840.10040.4.3': ['dsa', 'sha1'],
  '2.16.840.1.101.3.4.3.2': ['dsa', 'sha256'],
  '1.3.101.112': ['ed25519', 'sha512'],
  '1.3.101.113': ['ed448', 'shake256'],
}

/** Default salt of PSS in octets (RFC 4055, 3.1). */
const DEFAULT_SALT_BYTES = 20
const RSA_PSS = '1.2.840.113549.1.1.10'
const MGF1 = '1.2.840.113549.1.1.8'

/** Nothing here supports what a signature needs. */
class UnsupportedError extends Error {
  override name = 'UnsupportedError'
}

/** Name of a hash function in `node:crypto`, from that of WebCrypto. */
const nodeName = (name: string) => name.toLowerCase().replace(/^sha-(?=\d+$)/, 'sha')

/** A placeholder for the signed bytes of a document whose digest is already known. */
export interface KnownDigest {
  /** Octets that are handed to pkijs in place of the content. */
  readonly marker: Uint8Array
  /** Digest of the content by a hash function of `node:crypto`; undefined when it is not known. */
  readonly digestOf: (hash: string) => Uint8Array | undefined
}

type VerifyArguments = Parameters<CryptoEngine['verifyWithPublicKey']>

/** An engine of pkijs that knows every algorithm of validation. */
export class JudgeEngine extends CryptoEngine {
  readonly #known: KnownDigest | undefined
  readonly #digestHash: string | undefined

  /**
   * @param known the content that is not handed to pkijs itself
   * @param signer of a container: pkijs names its hash function only for RSA
   */
  constructor({ known, signer }: { known?: KnownDigest; signer?: SignerInfo } = {}) {
    super({ name: 'second judge', crypto: webcrypto as unknown as Crypto })
    this.#known = known
    this.#digestHash = signer && HASHES[signer.digestAlgorithm.algorithmId]
  }

  /** As pkijs has it; also for hash functions that WebCrypto lacks. */
  override getAlgorithmByOID<T extends Algorithm = Algorithm>(
    oid: string,
    safety?: boolean,
    target?: string,
  ): T | object {
    const hash = HASHES[oid]
    const own = super.getAlgorithmByOID<T>(oid, false, target)
    if ('name' in own || hash === undefined) {
      return super.getAlgorithmByOID<T>(oid, safety as true, target)
    }
    return { name: hash } as T
  }

  /** A digest; that of the known content in place of the marker's. @throws UnsupportedError */
  override async digest(algorithm: AlgorithmIdentifierLike, data: BufferSource) {
    const hash = nodeName(typeof algorithm === 'string' ? algorithm : algorithm.name)
    const octets = Buffer.from(octetsOf(data))
    const isMarker = this.#known !== undefined && octets.equals(this.#known.marker)
    const digest = isMarker ? this.#known?.digestOf(hash) : createHash(hash).update(octets).digest()
    if (!digest) throw new UnsupportedError(`no digest by ${hash}`)
    return Uint8Array.from(digest).buffer
  }

  /** @throws UnsupportedError */
  override async verifyWithPublicKey(...parameters: VerifyArguments): Promise<boolean> {
    const [data, signature, keyInfo, algorithm, hash] = parameters
    const scheme = schemeOf(algorithm, hash === undefined ? this.#digestHash : nodeName(hash))
    const value = (signature as BitString | OctetString).valueBlock.valueHexView
    const key = {
      kind: kindOf(keyInfo),
      engineKey: () => createPublicKey({ key: spkiOf(keyInfo), format: 'der', type: 'spki' }),
    }
    const verdict = scheme && verifyValue(scheme, key, octetsOf(data), value)
    if (verdict === undefined) throw new UnsupportedError(algorithm.algorithmId)
    return verdict
  }
}

type AlgorithmIdentifierLike = string | { name: string }

const octetsOf = (data: BufferSource): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data)

const spkiOf = (keyInfo: PublicKeyInfo) => Buffer.from(keyInfo.toSchema().toBER(false))

function schemeOf(
  { algorithmId, algorithmParams }: AlgorithmIdentifier,
  digestHash: string | undefined,
): ValueScheme | undefined {
  const known = SCHEMES[algorithmId]
  if (!known) return undefined
  const [family, own] = known
  if (algorithmId === RSA_PSS) return pssScheme(algorithmParams)
  const hash = own ?? digestHash
  return hash === undefined ? undefined : { family, hash, saltBytes: undefined }
}

/** Undefined for another hash function in the mask, and for another trailer than 0xBC. */
function pssScheme(schema: unknown): ValueScheme | undefined {
  if (!schema) return undefined
  const parameters = new RSASSAPSSParams({ schema })
  const { hashAlgorithm, maskGenAlgorithm, saltLength, trailerField } = parameters
  const hash = HASHES[hashAlgorithm.algorithmId]
  const mask = new AlgorithmIdentifier({ schema: maskGenAlgorithm.algorithmParams })
  const isUsual = maskGenAlgorithm.algorithmId === MGF1 && trailerField === 1
  if (hash === undefined || HASHES[mask.algorithmId] !== hash || !isUsual) return undefined
  return { family: 'rsa-pss', hash, saltBytes: saltLength ?? DEFAULT_SALT_BYTES }
}

/** What a key is, as pkijs reads it. */
export function kindOf({ algorithm, parsedKey, subjectPublicKey }: PublicKeyInfo): PublicKeyKind {
  if (parsedKey instanceof RSAPublicKey) {
    const isForPss = algorithm.algorithmId === RSA_PSS
    return {
      type: 'rsa',
      modulus: withoutZeros(parsedKey.modulus.valueBlock.valueHexView),
      exponent: withoutZeros(parsedKey.publicExponent.valueBlock.valueHexView),
      isForPss,
      isRestricted: isForPss && algorithm.algorithmParams !== undefined,
    }
  }
  const [family] = SCHEMES[algorithm.algorithmId] ?? []
  if (family === 'ec' || parsedKey instanceof ECPublicKey) {
    const oid = (algorithm.algorithmParams as ObjectIdentifier | undefined)?.valueBlock.toString()
    const point = subjectPublicKey.valueBlock.valueHexView
    return { type: 'ec', curve: CURVE_NAMES[oid ?? ''] ?? oid, point }
  }
  if (family === 'ed25519' || family === 'ed448') return { type: family }
  return { type: algorithm.algorithmId === '1.2.840.10040.4.1' ? 'dsa' : 'unknown' }
}

function withoutZeros(octets: Uint8Array): Uint8Array {
  const first = octets.findIndex((octet) => octet !== 0)
  return octets.subarray(Math.max(0, first))
}
