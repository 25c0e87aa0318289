/** The port for certificates of issuers that a document lacks. */

export interface IssuerCertificates {
  /**
   * Fetches the certificates above a certificate from where it says that they are published.
   *
   * @param certificate DER
   * @returns DER, from its issuer upwards; what is unavailable, or has not issued the certificate
   *   below it, is left out
   */
  above(certificate: Uint8Array): Promise<readonly Uint8Array[]>
}
