/**
 * Keys of the service in a key management service, with certificates in a folder (a mounted
 * ConfigMap).
 */
import { Buffer } from 'node:buffer'
import { X509Certificate } from 'node:crypto'
import type { SigningDevice, SigningKeyInfo, SigningKeyName } from '../../domain/ports/signing.ts'
import type { AuthorityKey } from './authorities.ts'
import { KeyCertificatesFolder } from './key-certificates.ts'

const FORMER: SigningKeyName = 'former-issuing-ca'

/** Public information about a key version. */
export interface PublicKey {
  algorithm: SigningKeyInfo['algorithm']
  /** DER SubjectPublicKeyInfo. */
  publicKeySpki: Uint8Array
}

/** A key management service. */
export interface KeyClient {
  /** @throws KeyRefusedError; ServiceError TIMEOUT */
  publicKey(keyVersion: string): Promise<PublicKey>
  /**
   * Signs `data`, hashed with the algorithm's own hash function.
   *
   * @returns DER `Ecdsa-Sig-Value`, or the RSA block
   * @throws KeyRefusedError; ServiceError TIMEOUT
   */
  sign(keyVersion: string, algorithm: PublicKey['algorithm'], data: Uint8Array): Promise<Uint8Array>
  close(): Promise<void>
}

export interface CertifiedDeviceOptions {
  client: KeyClient
  /** Names of key versions. */
  keys: Partial<Record<SigningKeyName, string>>
  certificatesFolder: string
}

/** Certificates that are replaced while the service runs are used from the next signature on. */
export class CertifiedDevice implements SigningDevice {
  readonly #client: KeyClient
  readonly #keys: CertifiedDeviceOptions['keys']
  readonly #certificates: KeyCertificatesFolder
  /** By key version; a public key never changes. */
  readonly #publicKeys = new Map<string, PublicKey>()

  constructor(options: CertifiedDeviceOptions) {
    this.#client = options.client
    this.#keys = options.keys
    this.#certificates = new KeyCertificatesFolder(options.certificatesFolder)
  }

  /** @throws Error when the key has no certificate, or the certificate is of another key */
  async describe(name: SigningKeyName): Promise<SigningKeyInfo> {
    const { algorithm, publicKeySpki } = await this.#publicKey(name)
    const { certificates, revocationLists } = await this.#certificates.read(name)
    const own = new X509Certificate(certificates[0] as Uint8Array).publicKey
    const certified = own.export({ type: 'spki', format: 'der' })
    if (!Buffer.from(publicKeySpki).equals(certified)) {
      throw new Error(`the certificate of ${name} is for another key than ${this.#version(name)}`)
    }
    const info = { algorithm, certificates, revocationLists }
    const isFollowed = name === 'issuing-ca' && this.#keys[FORMER] !== undefined
    return isFollowed ? { ...info, predecessor: FORMER } : info
  }

  async sign(name: SigningKeyName, data: Uint8Array): Promise<Uint8Array> {
    const { algorithm } = await this.#publicKey(name)
    return this.#client.sign(this.#version(name), algorithm, data)
  }

  /** Closes the connections of its client. */
  async close(): Promise<void> {
    await this.#client.close()
  }

  async #publicKey(name: SigningKeyName): Promise<PublicKey> {
    const version = this.#version(name)
    const known = this.#publicKeys.get(version)
    if (known) return known
    const key = await this.#client.publicKey(version)
    this.#publicKeys.set(version, key)
    return key
  }

  #version(name: SigningKeyName): string {
    const version = this.#keys[name]
    if (version === undefined) throw new Error(`the key ${name} is not configured`)
    return version
  }
}

/**
 * Opens a key version that gets a certificate.
 *
 * @throws KeyRefusedError; ServiceError TIMEOUT
 */
export async function openAuthorityKey(
  client: KeyClient,
  keyVersion: string,
): Promise<AuthorityKey> {
  const { algorithm, publicKeySpki } = await client.publicKey(keyVersion)
  return { algorithm, publicKeySpki, sign: (data) => client.sign(keyVersion, algorithm, data) }
}
