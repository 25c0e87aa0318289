/** The port for revocation data of other authorities, such as those of time-stamp authorities. */

/** A certificate whose revocation status is needed, and its issuer; both DER. */
export interface RevocationQuestion {
  certificate: Uint8Array
  issuer: Uint8Array
}

/** DER of RFC 5280 lists and RFC 6960 responses. */
export interface RevocationData {
  revocationLists: readonly Uint8Array[]
  ocspResponses: readonly Uint8Array[]
}

export interface RevocationAuthorities {
  /**
   * Fetches current revocation data; one response may cover several certificates. Unavailable data
   * is omitted, and the caller notices that it is missing.
   */
  ask(questions: readonly RevocationQuestion[]): Promise<RevocationData>
}
