/** Time-stamps of RFC 3161 authorities over HTTP, tried in a fixed order. */
import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { CLOCK_TOLERANCE_MS } from '../../domain/limits.ts'
import type { OutboundHttp } from '../../domain/ports/outbound-http.ts'
import type { TimeStampAuthority } from '../../domain/ports/signing.ts'
import {
  encodeTimeStampRequest,
  readCertificate,
  readTimeStampResponse,
  verifyTimeStampToken,
  type Certificate,
} from '../../pades/index.ts'

/** Limit of one authority; the next one is then tried. */
const TIMEOUT_MS = 5_000
const MAXIMUM_RESPONSE_OCTETS = 256 * 1024
const NONCE_OCTETS = 16

export interface HttpTimeStampOptions {
  http: OutboundHttp
  /** The first authority that returns a valid token is used. */
  urls: readonly string[]
  /** DER: the certificate of a token must chain to one of these. */
  trustAnchors: readonly Uint8Array[]
  /** Dotted OID: requested, and required in the token. */
  policy?: string
  now(): Date
}

/**
 * Random octets that are a positive integer without leading zeros, so that DER keeps their length.
 */
function newNonce(): Uint8Array {
  const nonce = randomBytes(NONCE_OCTETS)
  nonce[0] = (nonce[0] & 0x3f) | 0x40
  return new Uint8Array(nonce)
}

const equal = (a: Uint8Array | undefined, b: Uint8Array) =>
  a !== undefined && Buffer.compare(a, b) === 0

export class HttpTimeStampAuthorities implements TimeStampAuthority {
  readonly #options: HttpTimeStampOptions
  readonly #anchors: readonly Certificate[]

  /** @throws PadesError `BAD_CERTIFICATE` for an invalid trust anchor */
  constructor(options: HttpTimeStampOptions) {
    this.#options = options
    this.#anchors = options.trustAnchors.map(readCertificate)
  }

  async stamp(digest: Uint8Array): Promise<Uint8Array> {
    const failures: string[] = []
    for (const url of this.#options.urls) {
      try {
        return await this.#stampAt(url, digest)
      } catch (error) {
        failures.push(`${new URL(url).host}: ${(error as Error).message}`)
      }
    }
    throw new Error(`no time-stamp authority returned a token: ${failures.join('; ')}`)
  }

  async trustAnchors(): Promise<readonly Uint8Array[]> {
    return this.#options.trustAnchors
  }

  async #stampAt(url: string, digest: Uint8Array): Promise<Uint8Array> {
    const { http, policy } = this.#options
    const nonce = newNonce()
    const request = { messageImprint: digest, hash: 'sha256', nonce } as const
    const result = await http.send({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/timestamp-query',
        accept: 'application/timestamp-reply',
      },
      body: encodeTimeStampRequest(policy === undefined ? request : { ...request, policy }),
      timeoutMs: TIMEOUT_MS,
      maximumResponseOctets: MAXIMUM_RESPONSE_OCTETS,
    })
    if (result.outcome !== 'answered') throw new Error(result.reason)
    if (result.status !== 200) throw new Error(`status ${result.status}`)
    if (result.truncated) throw new Error('the response is too long')
    const token = readTimeStampResponse(result.body)
    this.#check(token, digest, nonce)
    return token
  }

  /** Checks a token like a verifier would. */
  #check(der: Uint8Array, digest: Uint8Array, nonce: Uint8Array): void {
    const { policy, now } = this.#options
    const nowMs = now().getTime()
    const { token, problems } = verifyTimeStampToken(der, {
      imprintOf: (hash) => (hash === 'sha256' ? digest : new Uint8Array()),
      anchors: this.#anchors,
      at: new Date(nowMs + CLOCK_TOLERANCE_MS),
    })
    if (!token || problems.length > 0) throw new Error(`invalid token: ${problems.join(', ')}`)
    if (!equal(token.nonce, nonce)) throw new Error('the token has another nonce')
    if (policy !== undefined && token.policy !== policy) {
      throw new Error(`the token has the policy ${token.policy}`)
    }
    // An authority whose clock deviates by more than this is not used.
    if (nowMs - token.genTime.getTime() > CLOCK_TOLERANCE_MS) {
      throw new Error("the authority's clock is behind")
    }
  }
}
