/** The service's keys in Cloud KMS, with certificates in a folder (a mounted ConfigMap). */
import { Buffer } from 'node:buffer'
import { X509Certificate } from 'node:crypto'
import type { SigningDevice, SigningKeyInfo, SigningKeyName } from '../../domain/ports/signing.ts'
import { KmsCertificates } from './certificates.ts'
import { KmsClient, type KmsOptions, type KmsPublicKey } from './client.ts'

const FORMER: SigningKeyName = 'former-issuing-ca'

export interface KmsSigningDeviceOptions extends KmsOptions {
  /** Resource names of key versions. */
  keys: Partial<Record<SigningKeyName, string>>
  certificatesFolder: string
}

/** Certificates that are replaced while the service runs are used from the next signature on. */
export class KmsSigningDevice implements SigningDevice {
  readonly #client: KmsClient
  readonly #keys: KmsSigningDeviceOptions['keys']
  readonly #certificates: KmsCertificates
  /** By key version; a public key never changes. */
  readonly #publicKeys = new Map<string, KmsPublicKey>()

  constructor(options: KmsSigningDeviceOptions) {
    this.#client = new KmsClient(options)
    this.#keys = options.keys
    this.#certificates = new KmsCertificates(options.certificatesFolder)
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

  async close(): Promise<void> {
    await this.#client.close()
  }

  async #publicKey(name: SigningKeyName): Promise<KmsPublicKey> {
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
