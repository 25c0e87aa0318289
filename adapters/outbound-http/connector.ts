/** Opens connections only to addresses that were checked. */
import { lookup } from 'node:dns/promises'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, rootCertificates } from 'node:tls'
import type { buildConnector } from 'undici'
import type { NoAnswer } from '../../domain/ports/outbound-http.ts'
import type { Timers } from '../../domain/ports/timers.ts'
import type { EgressPolicy } from './egress-policy.ts'
import { NoAnswerError, RefusedError } from './failures.ts'

/**
 * @returns all addresses of a host name
 * @throws Error when there is none
 */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** Resolves names like the machine does, including its hosts file and search domains. */
export const systemResolve: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address)

/**
 * Limit for opening a connection; a request that waits for it has its own, often shorter, limit.
 */
const CONNECT_LIMIT_MS = 10_000
/** Limit of one address while there is another one to try. */
const ATTEMPT_LIMIT_MS = 3_000
/** Further addresses of a name are checked but not tried. */
const MAXIMUM_ATTEMPTS = 3

export interface ConnectorOptions {
  policy: EgressPolicy
  resolve: Resolve
  timers: Timers
  /** PEM, trusted in addition to the runtime's authorities. */
  certificateAuthorities: readonly string[]
}

interface Target {
  hostname: string
  port: number
  isTls: boolean
}

const delayed = (timers: Timers, delayMs: number) => {
  let cancel = () => {}
  const due = new Promise<void>((resolve) => {
    cancel = timers.after(delayMs, resolve)
  })
  return { due, cancel }
}

/** Opens connections for one client of undici; each connection resolves the name again. */
export class GuardedConnector {
  readonly #options: ConnectorOptions
  readonly #authorities: string[] | undefined

  constructor(options: ConnectorOptions) {
    this.#options = options
    const own = options.certificateAuthorities
    this.#authorities = own.length > 0 ? [...rootCertificates, ...own] : undefined
  }

  /** Called by undici for a new connection. */
  readonly connect: buildConnector.connector = ({ hostname, port, protocol }, callback) => {
    const isTls = protocol === 'https:'
    const target = { hostname, port: Number(port) || (isTls ? 443 : 80), isTls }
    this.#open(target).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    )
  }

  async #open(target: Target): Promise<Socket> {
    const addresses = (await this.#checkedAddresses(target.hostname)).slice(0, MAXIMUM_ATTEMPTS)
    let fault: unknown
    for (const [index, address] of addresses.entries()) {
      const isLast = index === addresses.length - 1
      try {
        const limitMs = isLast ? CONNECT_LIMIT_MS : ATTEMPT_LIMIT_MS
        return await this.#openTo(address, target, limitMs)
      } catch (error) {
        fault = error
      }
    }
    throw fault
  }

  /**
   * Refuses the name when any of its addresses is forbidden: a public name that resolves to an
   * internal address, even sometimes, is a mistake or an attack.
   */
  async #checkedAddresses(hostname: string): Promise<string[]> {
    const found = isIP(hostname) === 0 ? await this.#resolved(hostname) : [hostname]
    if (found.length === 0) throw new NoAnswerError('name-not-resolved')
    return found.map((text) => {
      const verdict = this.#options.policy.judge(text)
      if (!verdict.allowed) throw new RefusedError('address-forbidden')
      return verdict.address
    })
  }

  async #resolved(hostname: string): Promise<readonly string[]> {
    const { resolve, timers } = this.#options
    const { due, cancel } = delayed(timers, CONNECT_LIMIT_MS)
    try {
      return await Promise.race([resolve(hostname), due.then(() => [])])
    } catch (error) {
      throw new NoAnswerError('name-not-resolved', { cause: error })
    } finally {
      cancel()
    }
  }

  #openTo(address: string, { hostname, port, isTls }: Target, limitMs: number): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>()
    const to = { host: address, port }
    const socket = isTls
      ? connectTls({
          ...to,
          // The certificate must match the name in the URL; an IP address is never a server name.
          servername: isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '',
          ALPNProtocols: ['http/1.1'],
          rejectUnauthorized: true,
          ...(this.#authorities ? { ca: this.#authorities } : {}),
        })
      : connectTcp(to)
    socket.setNoDelay(true)
    let reason: NoAnswer = 'connection-failed'
    if (isTls) socket.once('connect', () => (reason = 'tls-failed'))
    const cancel = this.#options.timers.after(limitMs, () => socket.destroy(new Error('too late')))
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      cancel()
      resolve(socket)
    })
    // The listener stays, because an error before undici adds its own would end the process.
    socket.on('error', (cause) => {
      cancel()
      reject(new NoAnswerError(reason, { cause }))
    })
    return promise
  }
}
