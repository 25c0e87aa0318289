/** Where trusted lists come from: a folder of files, or the addresses that publish them. */

/** Certificates that the Official Journal names as signers of the list of lists. */
export interface TrustedListAnchors {
  /** DER. */
  certificates: readonly Uint8Array[]
  /** Address of that publication as the list of lists names it; pivots before it are not needed. */
  publication?: string
}

export interface TrustedListSource {
  /** Address of the list of lists. */
  readonly location: string
  readonly anchors: TrustedListAnchors
  /**
   * The list at an address that the list of lists names; nothing is said of its being genuine.
   *
   * @param list `territory` in two letters, `EU` for the list of lists and its pivots
   * @throws Error when it cannot be had, or is larger than `MAXIMUM_TRUSTED_LIST_OCTETS`
   */
  read(list: { location: string; territory: string }): Promise<Uint8Array>
}
