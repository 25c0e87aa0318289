/** Certificates in PEM (RFC 7468). */
import { Buffer } from 'node:buffer'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g

/** DER of every certificate in the text; none when there is none. */
export function certificatesOfPem(text: string): Uint8Array[] {
  return [...text.matchAll(CERTIFICATE)].map(
    ([, base64 = '']) => new Uint8Array(Buffer.from(base64, 'base64')),
  )
}
