/** Revocation data of authorities that are not ours: those of time-stamp authorities. */

/** A certificate whose revocation must be known, and the one that issued it; both DER. */
export interface RevocationQuestion {
  certificate: Uint8Array
  issuer: Uint8Array
}

/** DER of RFC 5280 lists and RFC 6960 answers. */
export interface RevocationData {
  revocationLists: readonly Uint8Array[]
  ocspResponses: readonly Uint8Array[]
}

export interface RevocationAuthorities {
  /**
   * What the authorities say now; one answer may serve several certificates. What cannot be had is
   * left out: whoever needs it finds it missing.
   */
  ask(questions: readonly RevocationQuestion[]): Promise<RevocationData>
}
