/** Certificates in PEM (RFC 7468), as Node reads and writes them. */
import { X509Certificate } from 'node:crypto'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * DER of every certificate in the text, in order; none when there is none.
 * @throws Error when one cannot be read
 */
export function certificatesOfPem(text: string): Uint8Array[] {
  const blocks = text.match(CERTIFICATE) ?? []
  return blocks.map((block) => new Uint8Array(new X509Certificate(block).raw))
}

/**
 * One block, with a line feed at its end.
 * @throws Error when the DER is no certificate
 */
export const pemOfCertificate = (der: Uint8Array): string => new X509Certificate(der).toString()
