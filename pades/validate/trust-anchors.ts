/** Whom validation trusts, for what and for which time (RFC 5280, 6.1.1; TS 119 615, 4.3). */

import { readCertificate } from '../cms/certificate-reader.ts'
import type { Certificate } from '../cms/certificate-reader.ts'
import type { PathFinder } from '../cms/certification-path.ts'
import type { PathPurpose } from '../cms/path-problems.ts'

/** A time in which a certificate could be relied upon; without an end it still can. */
export interface TrustPeriod {
  readonly from: Date
  readonly until?: Date
}

/** A certificate that is trusted. */
export interface TrustAnchor {
  /** DER. */
  readonly certificate: Uint8Array
  /** For what; everything when absent. */
  readonly purposes?: readonly PathPurpose[]
  /** When; ever when absent. */
  readonly periods?: readonly TrustPeriod[]
}

const isWithin = (at: Date, { from, until }: TrustPeriod) => at >= from && !(until && at >= until)

/** Trust anchors, made ready for questions. */
export class Anchors {
  /** All of them, whatever they are trusted for. */
  readonly certificates: readonly Certificate[]
  readonly #anchors: readonly { anchor: TrustAnchor; certificate: Certificate }[]

  /** @throws PadesError `BAD_CERTIFICATE` */
  constructor(anchors: readonly (TrustAnchor | Uint8Array)[], paths: PathFinder) {
    this.#anchors = anchors.map((given) => {
      const anchor = given instanceof Uint8Array ? { certificate: given } : given
      return { anchor, certificate: paths.share(readCertificate(anchor.certificate)) }
    })
    this.certificates = this.#anchors.map(({ certificate }) => certificate)
  }

  /** Those that are trusted for a purpose at a moment. */
  for(purpose: PathPurpose, at: Date): Certificate[] {
    return this.#anchors.flatMap(({ anchor: { purposes, periods }, certificate }) => {
      const isTrusted =
        (purposes?.includes(purpose) ?? true) &&
        (periods?.some((period) => isWithin(at, period)) ?? true)
      return isTrusted ? [certificate] : []
    })
  }
}
