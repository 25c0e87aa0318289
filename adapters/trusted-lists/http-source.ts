/** Trusted lists from the URLs that publish them, through the egress guard. */
import { MAXIMUM_TRUSTED_LIST_OCTETS } from '../../domain/limits.ts'
import type { OutboundHttp } from '../../domain/ports/outbound-http.ts'
import type { TrustedListAnchors, TrustedListSource } from '../../domain/ports/trusted-lists.ts'

/** Some states publish several megabytes from slow servers. */
const TIMEOUT_MS = 60_000
/** Some states redirect to another host; the guard checks each URL again. */
const MAXIMUM_REDIRECTS = 3
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]
const OK = 200

export class HttpTrustedLists implements TrustedListSource {
  readonly location: string
  readonly anchors: TrustedListAnchors
  readonly #http: OutboundHttp

  /** @param location URL of the list of lists */
  constructor(http: OutboundHttp, location: string, anchors: TrustedListAnchors) {
    this.#http = http
    this.location = location
    this.anchors = anchors
  }

  async read({ location }: { location: string }): Promise<Uint8Array> {
    let url = location
    for (let redirects = 0; redirects <= MAXIMUM_REDIRECTS; redirects++) {
      const answer = await this.#get(url)
      if (answer.status === OK) return answer.body
      const next = answer.headers['location']
      if (!REDIRECTS.includes(answer.status) || typeof next !== 'string') {
        throw new Error(`${url} answered ${answer.status}`)
      }
      const target = URL.parse(next, url)
      if (!target) throw new Error(`${url} redirects without a valid location`)
      url = target.href
    }
    throw new Error(`${location} redirects too many times`)
  }

  async #get(url: string) {
    const answer = await this.#http.send({
      url,
      method: 'GET',
      headers: { accept: 'application/vnd.etsi.tsl+xml, application/xml, text/xml' },
      timeoutMs: TIMEOUT_MS,
      maximumResponseOctets: MAXIMUM_TRUSTED_LIST_OCTETS,
    })
    if (answer.outcome !== 'answered') throw new Error(`${url}: ${answer.reason}`)
    if (answer.truncated) throw new Error(`${url} is too large`)
    return answer
  }
}
