/** Ports for signing keys and time-stamp authorities. */

/**
 * Keys of the service; on a cluster they are in Cloud KMS. Participants' keys are never among them.
 */
export type SigningKeyName = 'issuing-ca' | 'former-issuing-ca' | 'seal' | 'time-stamp-authority'

/**
 * Public information about a key: DER certificates, beginning with its own and ending with the
 * root.
 */
export interface SigningKeyInfo {
  /** One of the algorithms that `pades` signs with. */
  algorithm:
    | 'ecdsa-p256-sha256'
    | 'ecdsa-p384-sha384'
    | `rsa-${'pkcs1' | 'pss'}-${'sha256' | 'sha384' | 'sha512'}`
  certificates: readonly Uint8Array[]
  /** DER lists of offline authorities above, which are issued rarely. */
  revocationLists?: readonly Uint8Array[]
  /** The previous key for the same purpose; it only signs revocation lists. */
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
 * A retry cannot help until an operator has fixed the key or its rights. The message is for the
 * platform team: it names the key and the remedy, and contains no secret.
 */
export class KeyRefusedError extends Error {
  override readonly name: string = 'KeyRefusedError'
  readonly code: KeyRefusal

  constructor(code: KeyRefusal, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Signs with keys that never leave the device. */
export interface SigningDevice {
  /** @throws KeyRefusedError; Error when the key does not exist or the device is not reachable */
  describe(key: SigningKeyName): Promise<SigningKeyInfo>
  /**
   * Signs `data` (hashed with the algorithm's own hash function).
   *
   * @returns the signature value: DER `Ecdsa-Sig-Value`, or the RSA block
   * @throws KeyRefusedError; Error when the device cannot be reached
   */
  sign(key: SigningKeyName, data: Uint8Array): Promise<Uint8Array>
}

/** An RFC 3161 time-stamp authority. */
export interface TimeStampAuthority {
  /**
   * Requests a TimeStampToken over a SHA-256 digest (32 octets) and checks its imprint and nonce.
   *
   * @returns DER `TimeStampToken`
   * @throws Error when no authority returned a valid token
   */
  stamp(digest: Uint8Array): Promise<Uint8Array>
  /** Returns the DER roots of its tokens. */
  trustAnchors(): Promise<readonly Uint8Array[]>
}
