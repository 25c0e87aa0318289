/** Keys that sign, and clocks that others trust. */

/**
 * Keys of the service; on a cluster they rest in Cloud KMS. Participants' keys are never among
 * them.
 */
export type SigningKeyName = 'issuing-ca' | 'former-issuing-ca' | 'seal' | 'time-stamp-authority'

/** What is public of a key: DER certificates, its own first, the root last. */
export interface SigningKeyInfo {
  /** One of the algorithms that `pades` signs with. */
  algorithm:
    | 'ecdsa-p256-sha256'
    | 'ecdsa-p384-sha384'
    | `rsa-${'pkcs1' | 'pss'}-${'sha256' | 'sha384' | 'sha512'}`
  certificates: readonly Uint8Array[]
  /** DER lists of authorities above that are offline, hence made once and kept. */
  revocationLists?: readonly Uint8Array[]
  /** The key that was used for the same before; it signs nothing but lists any more. */
  predecessor?: SigningKeyName
}

/** Why a device refuses a key. */
export const KEY_REFUSALS = [
  'SIGNING_KEY_DENIED',
  'SIGNING_KEY_DISABLED',
  'SIGNING_KEY_MISSING',
  'SIGNING_CREDENTIALS_REFUSED',
] as const
export type KeyRefusal = (typeof KEY_REFUSALS)[number]

/**
 * Trying again cannot help before somebody has put the key or its rights in order. The message is
 * for the platform team: it names the key and what to do, and no secret.
 */
export class KeyRefusedError extends Error {
  override readonly name: string = 'KeyRefusedError'
  readonly code: KeyRefusal

  constructor(code: KeyRefusal, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Signs with keys that it does not give away. */
export interface SigningDevice {
  /** @throws KeyRefusedError; Error when the key does not exist or the device is away */
  describe(key: SigningKeyName): Promise<SigningKeyInfo>
  /**
   * Signs `data` (hashed with the algorithm's own hash function).
   * @returns the signature value: DER `Ecdsa-Sig-Value`, or the RSA block
   * @throws KeyRefusedError; Error when the device cannot be reached
   */
  sign(key: SigningKeyName, data: Uint8Array): Promise<Uint8Array>
}

/** An RFC 3161 time-stamp authority. */
export interface TimeStampAuthority {
  /**
   * A TimeStampToken over a SHA-256 digest (32 octets), its imprint and nonce checked.
   * @returns DER `TimeStampToken`
   * @throws Error when no authority answered with a good token
   */
  stamp(digest: Uint8Array): Promise<Uint8Array>
  /** DER roots to which its tokens lead. */
  trustAnchors(): Promise<readonly Uint8Array[]>
}
