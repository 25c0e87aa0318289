/** Has pkijs build and validate a certification path (RFC 5280, 6.1). */

import { CertificateChainValidationEngine } from 'pkijs'
import type { Certificate } from 'pkijs'
import { JudgeEngine } from './engine.ts'
import type { Opinion } from './opinion.ts'
import { readCertificate } from './read-certificate.ts'

/**
 * Validates a path.
 *
 * @param certificates DER, from the certificate up to the anchor, which is trusted
 * @param at when the certificates must be valid
 */
export async function judgePath(certificates: readonly Uint8Array[], at: Date): Promise<Opinion> {
  // A certificate that is trusted itself needs no path.
  if (certificates.length < 2) return 'right'
  let parsed: Certificate[]
  try {
    parsed = certificates.map(readCertificate)
  } catch {
    return 'unknown'
  }
  const anchor = parsed.at(-1) as Certificate
  const engine = new CertificateChainValidationEngine({
    trustedCerts: [anchor],
    // pkijs takes the last one for the certificate in question.
    certs: parsed.slice(0, -1).toReversed(),
    checkDate: at,
  })
  try {
    const { result } = await engine.verify({}, new JudgeEngine())
    return result ? 'right' : 'wrong'
  } catch {
    return 'wrong'
  }
}
