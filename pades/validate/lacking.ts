/** Names the data that validation lacked, so that the caller can fetch it and validate again. */

import type { Certificate } from '../cms/certificate-reader.ts'
import type { CertificationPath } from '../cms/certification-path.ts'

/** A certificate about which nothing fresh is known, and the one that issued it. */
export interface RevocationLack {
  readonly certificate: Certificate
  readonly issuer: Certificate
}

/** Questions that one document may raise; real ones raise a few. */
const MAX_QUESTIONS = 40
const MAX_PATHS = 100

/** Collects what one validation lacks. */
export class Lacking {
  readonly #revocation = new Map<string, RevocationLack>()
  readonly #paths = new Map<string, readonly Certificate[]>()

  /**
   * Missing revocation data of certificates below an anchor; the URLs of others are not followed.
   */
  get revocation(): readonly RevocationLack[] {
    return [...this.#revocation.values()]
  }

  /** Paths that do not end at a trusted certificate. */
  get anchors(): readonly (readonly Certificate[])[] {
    return [...this.#paths.values()]
  }

  /**
   * Kept only where something can be fetched: the issuer is known, and the certificate says where
   * to ask.
   */
  noteRevocation(certificate: Certificate, issuer: Certificate | undefined): void {
    if (!issuer || !certificate.publishesRevocation) return
    if (this.#revocation.size >= MAX_QUESTIONS) return
    this.#revocation.set(certificate.sha256, { certificate, issuer })
  }

  /** Kept only when it ends at no anchor. */
  notePath({ anchored, certificates }: CertificationPath): void {
    if (anchored || this.#paths.size >= MAX_PATHS) return
    this.#paths.set(certificates.map(({ sha256 }) => sha256).join(), certificates)
  }
}
