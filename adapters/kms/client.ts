/**
 * Cloud KMS over HTTPS: public keys and signatures of pinned key versions, with checksums both
 * ways.
 */
import { Buffer } from 'node:buffer'
import { createHash, createPublicKey } from 'node:crypto'
import { KeyManagementServiceClient, protos } from '@google-cloud/kms'
import type { GoogleAuth } from 'google-auth-library'
import type { SigningKeyInfo } from '../../domain/ports/signing.ts'
import type { KeyClient, PublicKey } from '../shared/certified-device.ts'
import { crc32c } from '../shared/crc32c.ts'
import { renewToken } from '../shared/google-auth.ts'
import { repeated } from '../shared/repeated.ts'
import {
  isRetryable,
  isUnauthenticated,
  KmsChecksumError,
  pauseMsOf,
  refusalOf,
} from './refusals.ts'

const REQUEST_LIMIT_MS = 10_000
const HTTPS_PORT = 443
const HTTP_PORT = 80

type Algorithm = SigningKeyInfo['algorithm']
type Hash = 'sha256' | 'sha384' | 'sha512'

const ALGORITHMS = protos.google.cloud.kms.v1.CryptoKeyVersion.CryptoKeyVersionAlgorithm
const ELLIPTIC: Readonly<Record<string, Algorithm>> = {
  EC_SIGN_P256_SHA256: 'ecdsa-p256-sha256',
  EC_SIGN_P384_SHA384: 'ecdsa-p384-sha384',
}
const RSA = /^RSA_SIGN_(PKCS1|PSS)_\d+_SHA(256|512)$/

export interface KmsOptions {
  /** Origin of the API. */
  endpoint: URL
  auth: GoogleAuth
}

/** Converts Cloud KMS's name of an algorithm to the name in the port. */
function algorithmOf(name: string, keyVersion: string): Algorithm {
  const rsa = RSA.exec(name)
  const algorithm = rsa ? `rsa-${rsa[1]?.toLowerCase()}-sha${rsa[2]}` : ELLIPTIC[name]
  if (algorithm === undefined) {
    throw new Error(`the service does not sign with ${name}, the algorithm of ${keyVersion}`)
  }
  return algorithm as Algorithm
}

const hashOf = (algorithm: Algorithm) => algorithm.slice(algorithm.lastIndexOf('-') + 1) as Hash

/** 64-bit numbers arrive as wrapped strings. */
const numberOf = (wrapped: { value?: unknown } | null | undefined) =>
  wrapped?.value === undefined || wrapped.value === null ? undefined : Number(wrapped.value)

/** A client for key versions by full resource name: `projects/…/cryptoKeyVersions/1`. */
export class KmsClient implements KeyClient {
  readonly #client: KeyManagementServiceClient
  readonly #auth: GoogleAuth

  constructor({ endpoint, auth }: KmsOptions) {
    this.#auth = auth
    const protocol = endpoint.protocol.slice(0, -1)
    const usualPort = protocol === 'https' ? HTTPS_PORT : HTTP_PORT
    this.#client = new KeyManagementServiceClient({
      // REST, because gRPC needs Node's HTTP/2, and workers also run on Deno.
      fallback: true,
      protocol,
      apiEndpoint: endpoint.hostname,
      port: Number(endpoint.port || usualPort),
      auth: auth as never,
    })
  }

  /**
   * @throws KmsRefusedError; ServiceError TIMEOUT when Cloud KMS is not reachable; Error for an
   *   algorithm that the service does not support
   */
  async publicKey(keyVersion: string): Promise<PublicKey> {
    return this.#ask(keyVersion, async () => {
      const [key] = await this.#client.getPublicKey({ name: keyVersion }, ONCE)
      const { name, pem = '', pemCrc32c, algorithm } = key
      const text = pem ?? ''
      if (name !== keyVersion || numberOf(pemCrc32c) !== crc32c(Buffer.from(text))) {
        throw new KmsChecksumError('the checksum of the public key does not match')
      }
      const spki = createPublicKey(text).export({ type: 'spki', format: 'der' })
      const algorithmName = typeof algorithm === 'number' ? ALGORITHMS[algorithm] : algorithm
      return {
        algorithm: algorithmOf(String(algorithmName), keyVersion),
        publicKeySpki: new Uint8Array(spki),
      }
    })
  }

  /**
   * Signs `data`, hashed with the algorithm's own hash function.
   *
   * @returns DER `Ecdsa-Sig-Value`, or the RSA block
   * @throws KmsRefusedError; ServiceError TIMEOUT when Cloud KMS is not reachable
   */
  async sign(keyVersion: string, algorithm: Algorithm, data: Uint8Array): Promise<Uint8Array> {
    const hash = hashOf(algorithm)
    const digest = createHash(hash).update(data).digest()
    return this.#ask(keyVersion, async () => {
      const [answer] = await this.#client.asymmetricSign(
        {
          name: keyVersion,
          digest: { [hash]: digest },
          digestCrc32c: { value: crc32c(digest) },
        },
        ONCE,
      )
      const signature = new Uint8Array(Buffer.from((answer.signature ?? '') as Uint8Array))
      const isWhole =
        answer.name === keyVersion &&
        answer.verifiedDigestCrc32c === true &&
        signature.length > 0 &&
        numberOf(answer.signatureCrc32c) === crc32c(signature)
      if (!isWhole) throw new KmsChecksumError('a checksum of the signing response does not match')
      return signature
    })
  }

  /** Closes its connections; no call is allowed afterwards. */
  async close(): Promise<void> {
    await this.#client.close()
  }

  async #ask<T>(keyVersion: string, work: () => Promise<T>): Promise<T> {
    let isRenewed = false
    const renewOnce = () => {
      const mayRenew = !isRenewed
      isRenewed = true
      return mayRenew && renewToken(this.#auth)
    }
    const mayRepeat = (error: unknown) =>
      isRetryable(error) || (isUnauthenticated(error) && renewOnce())
    try {
      return await repeated(work, mayRepeat, pauseMsOf)
    } catch (error) {
      throw refusalOf(error, keyVersion)
    }
  }
}

/** Sends a request once; the service retries it itself. */
const ONCE = { timeout: REQUEST_LIMIT_MS, retry: null }
