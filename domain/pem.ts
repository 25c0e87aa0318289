/** Reads and writes certificates in PEM (RFC 7468). */
import { X509Certificate } from 'node:crypto'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * Returns the DER of every certificate in the text, in order.
 *
 * @throws Error when a certificate cannot be parsed
 */
export function certificatesOfPem(text: string): Uint8Array[] {
  const blocks = text.match(CERTIFICATE) ?? []
  return blocks.map((block) => new Uint8Array(new X509Certificate(block).raw))
}

/**
 * Returns one PEM block, terminated by a line feed.
 *
 * @throws Error when the DER is not a certificate
 */
export const pemOfCertificate = (der: Uint8Array): string => new X509Certificate(der).toString()
