/** Checks of `sigcase doctor` about names, addresses and clocks. */
import { lookup } from 'node:dns/promises'
import type { GuardedHttp } from '../../adapters/outbound-http/guarded-http.ts'
import { failed, ok, warning, type Check } from './finding.ts'

const REQUEST_LIMIT_MS = 10_000
const MAXIMUM_ANSWER_OCTETS = 64 * 1024
/** Tokens and time-stamps allow for a minute at most. */
const MAXIMUM_DRIFT_MS = 5_000

/** Checks that a host name leads to an address. */
export function nameCheck(subject: string, host: string): Check {
  return {
    name: `${subject}: name`,
    remedy: `correct the host name ${host}, or the name servers of this machine (/etc/resolv.conf)`,
    async ask() {
      const found = await lookup(host, { all: true })
      return ok(`${host} is ${found.map(({ address }) => address).join(', ')}`)
    },
  }
}

/**
 * Checks that the public URL leads to this service.
 *
 * @param where in a pod, network policies may keep the process from it
 */
export function publicUrlCheck(baseUrl: string, where: 'pod' | 'machine'): Check {
  const remedy =
    'set BASE_URL to the URL that participants use; it must lead to the API through load ' +
    'balancer and certificate. Without a running service, start it first'
  return {
    name: 'public URL',
    remedy,
    async ask() {
      const answer = await fetch(`${baseUrl}/healthz`, {
        redirect: 'manual',
        signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
      }).catch((error: unknown) => {
        if (where !== 'pod') throw error
      })
      if (!answer) return warning('this pod does not reach it; people may', remedy)
      const body = await answer.text()
      if (answer.status === 200 && body.includes('"status"')) return ok(`${baseUrl} answers`)
      return failed(`${baseUrl}/healthz answered ${answer.status}`, remedy)
    },
  }
}

/** Compares the clock of this machine with the `Date` header of a server (RFC 9110, 6.6.1). */
export function clockCheck(url: string, nowMs: () => number): Check {
  return {
    name: 'clock',
    remedy: `allow connections to ${new URL(url).host}, then run the check again`,
    async ask() {
      const answer = await fetch(url, {
        redirect: 'manual',
        signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
      })
      await answer.body?.cancel()
      const dateMs = Date.parse(answer.headers.get('date') ?? '')
      if (Number.isNaN(dateMs)) {
        return { outcome: 'skipped', detail: `${new URL(url).host} does not state its time` }
      }
      const driftMs = nowMs() - dateMs
      const seconds = Math.round(driftMs / 1000)
      if (Math.abs(driftMs) <= MAXIMUM_DRIFT_MS) return ok(`differs by ${Math.abs(seconds)} s`)
      return failed(
        `the clock is ${Math.abs(seconds)} s ${driftMs > 0 ? 'ahead' : 'behind'}`,
        'synchronise the clock of this machine (NTP): tokens and time-stamps are refused otherwise',
      )
    },
  }
}

/** Checks that the egress guard lets webhooks through to a URL, and that it answers. */
export function webhookCheck(url: string, http: GuardedHttp): Check {
  const remedy =
    'the receiver must be reachable from the workers; EGRESS_ALLOW lets webhooks through to ' +
    'private addresses'
  const { host, pathname } = new URL(url)
  // The query of a receiver's URL can be a secret.
  const receiver = host + pathname
  return {
    name: 'webhook receiver',
    remedy,
    async ask() {
      const result = await http.send({
        url,
        method: 'GET',
        headers: {},
        timeoutMs: REQUEST_LIMIT_MS,
        maximumResponseOctets: MAXIMUM_ANSWER_OCTETS,
      })
      if (result.outcome !== 'answered') return failed(`${receiver}: ${result.reason}`, remedy)
      if (result.status < 500) return ok(`${receiver} answers (${result.status} to a GET)`)
      return warning(
        `${receiver} answered ${result.status} to a GET`,
        'check that the receiver answers 2xx to a POST',
      )
    },
  }
}
