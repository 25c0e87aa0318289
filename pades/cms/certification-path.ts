/** Finds and checks the way from a certificate to a trust anchor (RFC 5280, 6.1; RFC 3161, 2.3). */

import { hash } from 'node:crypto'
import type { Certificate } from './certificate-reader.ts'
import { isIssuedBy, mayHaveIssued, verdictsOn } from './issuers.ts'
import { problemsOf, type PathDemands, type PathProblem } from './path-problems.ts'

/** Certificates from the first to the anchor; no honest path comes near it. */
const MAX_PATH_LENGTH = 10
/** Signatures verified while searching, so that a heap of equal names costs no more. */
const MAX_SIGNATURES_TRIED = 200
/** Paths looked at, so that certificates that all issue each other cost no more. */
const MAX_PATHS = 500

export interface CertificationPath {
  /** From the certificate up; the last is the anchor when one was reached. */
  readonly certificates: readonly Certificate[]
  readonly anchored: boolean
  /** Empty when the path is good. */
  readonly problems: readonly PathProblem[]
}

export interface PathOptions extends PathDemands {
  anchors: readonly Certificate[]
  /** Where issuers may be found; they are not trusted for being here. */
  intermediates: readonly Certificate[]
}

/** Answers about signatures between certificates, which several signatures of a document share. */
export class PathFinder {
  readonly #shared = new Map<string, Certificate>()
  readonly #octets = new Map<string, Uint8Array>()
  #tried = 0
  #paths = 0

  /**
   * The best path of a certificate: the first without a problem, else the longest that reaches an
   * anchor, else the longest.
   */
  find(certificate: Certificate, options: PathOptions): CertificationPath {
    const anchors = new Set(options.anchors.map(({ sha256 }) => sha256))
    let best: CertificationPath | undefined
    this.#tried = 0
    this.#paths = 0
    for (const certificates of this.#pathsFrom([certificate], anchors, options)) {
      const anchored = anchors.has(certificates[certificates.length - 1].sha256)
      const problems: PathProblem[] = anchored
        ? problemsOf(certificates, options)
        : ['NO_CERTIFICATE_CHAIN_FOUND']
      if (problems.length === 0) return { certificates, anchored, problems }
      const better =
        !best ||
        (anchored && !best.anchored) ||
        (anchored === best.anchored && certificates.length > best.certificates.length)
      if (better) best = { certificates, anchored, problems }
    }
    return (
      best ?? {
        certificates: [certificate],
        anchored: false,
        problems: ['NO_CERTIFICATE_CHAIN_FOUND'],
      }
    )
  }

  /** The certificate, or the one that is the same and was here before, with its key at hand. */
  share(certificate: Certificate): Certificate {
    const known = this.#shared.get(certificate.sha256)
    if (!known) this.#shared.set(certificate.sha256, certificate)
    return known ?? certificate
  }

  /**
   * The octets, or equal ones that were here before: what is kept with an array is then kept for
   * every state of a document.
   */
  shareOctets(octets: Uint8Array): Uint8Array {
    const sha256 = hash('sha256', octets)
    const known = this.#octets.get(sha256)
    if (!known) this.#octets.set(sha256, octets)
    return known ?? octets
  }

  /** Those that were shared, by the digests of their DER. */
  shared(sha256s: ReadonlySet<string>): Certificate[] {
    return [...sha256s].flatMap((sha256) => this.#shared.get(sha256) ?? [])
  }

  /** Whether one of those that may have issued a certificate, by their names, has signed it. */
  signatureOf(
    certificate: Certificate,
    known: readonly Certificate[],
  ): 'right' | 'wrong' | 'issuer unknown' {
    const issuers = known.filter((issuer) => mayHaveIssued(issuer, certificate))
    if (issuers.length === 0) return 'issuer unknown'
    if (issuers.some((issuer) => this.#isIssuedBy(certificate, issuer))) return 'right'
    const tried = verdictsOn(certificate)
    const isOpen = issuers.some((one) => tried?.has(one) && tried.get(one) === undefined)
    return isOpen ? 'issuer unknown' : 'wrong'
  }

  /** Every path that ends at an anchor or cannot be continued. */
  *#pathsFrom(
    path: readonly Certificate[],
    anchors: ReadonlySet<string>,
    options: PathOptions,
  ): Generator<readonly Certificate[]> {
    const last = path[path.length - 1]
    if (anchors.has(last.sha256)) {
      yield path
      return
    }
    let continued = false
    const candidates = [...options.anchors, ...options.intermediates].filter(
      (issuer) => mayHaveIssued(issuer, last) && !path.includes(issuer),
    )
    for (const issuer of path.length < MAX_PATH_LENGTH ? candidates : []) {
      if (!this.#isIssuedBy(last, issuer) || ++this.#paths > MAX_PATHS) continue
      continued = true
      yield* this.#pathsFrom([...path, issuer], anchors, options)
    }
    if (!continued) yield path
  }

  #isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
    const isKnown = verdictsOn(certificate)?.has(issuer) ?? false
    if (!isKnown && ++this.#tried > MAX_SIGNATURES_TRIED) return false
    return isIssuedBy(certificate, issuer)
  }
}
