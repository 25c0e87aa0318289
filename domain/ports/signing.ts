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

/** Signs with keys that it does not give away. */
export interface SigningDevice {
  /** @throws Error when the key does not exist or the device cannot be reached */
  describe(key: SigningKeyName): Promise<SigningKeyInfo>
  /**
   * Signs `data` (hashed with the algorithm's own hash function).
   * @returns the signature value: DER `Ecdsa-Sig-Value`, or the RSA block
   * @throws Error when the device refuses or cannot be reached
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
