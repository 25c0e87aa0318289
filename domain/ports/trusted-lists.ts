/** The port for sources of trusted lists: a folder of files, or the publishing servers. */

/** Certificates that the Official Journal names as signers of the list of lists. */
export interface TrustedListAnchors {
  /** DER. */
  certificates: readonly Uint8Array[]
  /** URL of that publication as in the list of lists; older pivots are not needed. */
  publication?: string
}

export interface TrustedListSource {
  /** URL of the list of lists. */
  readonly location: string
  readonly anchors: TrustedListAnchors
  /**
   * Reads a list that the list of lists names; it does not verify the list.
   *
   * @param list `territory` in two letters, `EU` for the list of lists and its pivots
   * @throws Error when it cannot be fetched, or is larger than `MAXIMUM_TRUSTED_LIST_OCTETS`
   */
  read(list: { location: string; territory: string }): Promise<Uint8Array>
}
