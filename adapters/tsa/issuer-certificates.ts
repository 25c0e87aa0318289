/**
 * Fetches certificates of issuers from where the certificates below them say (RFC 5280, 4.2.2.1).
 * They are not trusted for that: they only complete paths to trust anchors.
 */
import type { IssuerCertificates } from '../../domain/ports/issuers.ts'
import type { OutboundHttp } from '../../domain/ports/outbound-http.ts'
import {
  type Certificate,
  findIssuer,
  hasIssued,
  readCertificate,
  readSignedData,
} from '../../pades/index.ts'

const TIMEOUT_MS = 5_000
/** A certificate has some 2 KB; bags of certificates have a few. */
const MAXIMUM_OCTETS = 64 * 1024
/** Addresses in one certificate that are tried. */
const MAXIMUM_URLS = 2
/** Issuers above one certificate. */
const MAXIMUM_STEPS = 3
const KEPT_MS = 24 * 60 * 60 * 1000
/** How long an address is not asked again about a certificate. */
const FAILED_MS = 10 * 60 * 1000
const MAXIMUM_KEPT = 500

export interface HttpIssuersOptions {
  /** Has to pass the egress guard: anybody can write addresses into a certificate. */
  http: OutboundHttp
  now(): Date
  /** Called for every address that has no certificate of the issuer. */
  onFailure(url: string, reason: string): void
}

export class HttpIssuerCertificates implements IssuerCertificates {
  readonly #options: HttpIssuersOptions
  /** By address. */
  readonly #kept = new Map<string, { issuer: Certificate; untilMs: number }>()
  /** By certificate and address. */
  readonly #failed = new Map<string, number>()
  readonly #running = new Map<string, Promise<Certificate | undefined>>()

  constructor(options: HttpIssuersOptions) {
    this.#options = options
  }

  async above(certificate: Uint8Array): Promise<readonly Uint8Array[]> {
    const found: Uint8Array[] = []
    let current = readCertificate(certificate)
    for (let step = 0; step < MAXIMUM_STEPS && !current.selfIssued; step++) {
      const issuer = await this.#fetchIssuer(current)
      if (!issuer) break
      found.push(issuer.der)
      current = issuer
    }
    return found
  }

  async #fetchIssuer(certificate: Certificate): Promise<Certificate | undefined> {
    for (const url of certificate.issuerUrls.slice(0, MAXIMUM_URLS)) {
      const issuer = await this.#issuerAt(url, certificate)
      if (issuer) return issuer
    }
    return undefined
  }

  async #issuerAt(url: string, certificate: Certificate): Promise<Certificate | undefined> {
    const nowMs = this.#options.now().getTime()
    const kept = this.#kept.get(url)
    if (kept && nowMs < kept.untilMs && hasIssued(kept.issuer, certificate)) return kept.issuer
    const key = `${certificate.sha256} ${url}`
    if (nowMs < (this.#failed.get(key) ?? 0)) return undefined
    const running = this.#running.get(key) ?? this.#fetch(url, certificate, key)
    this.#running.set(key, running)
    return running.finally(() => this.#running.delete(key))
  }

  async #fetch(
    url: string,
    certificate: Certificate,
    key: string,
  ): Promise<Certificate | undefined> {
    const { http, now, onFailure } = this.#options
    const result = await http.send({
      url,
      method: 'GET',
      headers: {},
      timeoutMs: TIMEOUT_MS,
      maximumResponseOctets: MAXIMUM_OCTETS,
    })
    const isGood = result.outcome === 'answered' && result.status === 200 && !result.truncated
    const issuer = isGood ? findIssuer(certificatesIn(result.body), certificate) : undefined
    if (issuer) {
      const untilMs = now().getTime() + KEPT_MS
      if (this.#kept.size >= MAXIMUM_KEPT) this.#kept.clear()
      this.#kept.set(url, { issuer, untilMs })
      return issuer
    }
    // Others could keep an address from being asked: the failure is of this certificate alone.
    if (this.#failed.size >= MAXIMUM_KEPT) this.#failed.clear()
    this.#failed.set(key, now().getTime() + FAILED_MS)
    const status = result.outcome === 'answered' ? `status ${result.status}` : result.reason
    onFailure(url, isGood ? 'not the certificate of the issuer' : status)
    return undefined
  }
}

/** A certificate, or a CMS that holds nothing but certificates. */
function certificatesIn(body: Uint8Array): readonly Certificate[] {
  try {
    return [readCertificate(body)]
  } catch {
    // A bag of certificates is the other form that RFC 5280 allows.
  }
  try {
    return readSignedData(body).certificates
  } catch {
    return []
  }
}
