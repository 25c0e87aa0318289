/** The WebSockets of one process, and how many it accepts. */
import { ThrottledError } from '../../application/errors.ts'
import type { Metrics } from '../../domain/ports/metrics.ts'
import { MAXIMUM_STREAMS, MAXIMUM_STREAMS_PER_TENANT, RETRY_AFTER_SECONDS } from './case-updates.ts'

/** Sockets without a valid token that one address can have; many servers share an address. */
export const MAXIMUM_ANONYMOUS_PER_ADDRESS = 100

/** One open socket. */
export interface OpenSocket {
  /** Counts the socket for the tenant of its token. @throws ThrottledError for too many of them */
  identify(tenant: string): void
  /** Frees its place; further calls do nothing. */
  close(): void
}

/** Counts sockets under names, and forgets names without sockets. */
class Counts {
  readonly #counts = new Map<string, number>()

  /** @throws ThrottledError when the name has `maximum` sockets */
  add(name: string, maximum: number): void {
    const count = this.#counts.get(name) ?? 0
    if (count >= maximum) throw new ThrottledError(RETRY_AFTER_SECONDS)
    this.#counts.set(name, count + 1)
  }

  remove(name: string): void {
    const count = this.#counts.get(name) ?? 0
    if (count > 1) this.#counts.set(name, count - 1)
    else this.#counts.delete(name)
  }
}

/**
 * Counts sockets, with limits of the size of those of streams. A client shows its token within a
 * moment, so a full process ends the socket that has waited longest without one: strangers cannot
 * keep tenants out by holding sockets.
 */
export class OpenSockets {
  readonly #metrics: Metrics
  readonly #anonymous = new Counts()
  readonly #ofTenants = new Counts()
  /** End the sockets without a valid token; the first one is the oldest. */
  readonly #unidentified = new Set<() => void>()
  #size = 0

  constructor(metrics: Metrics) {
    this.#metrics = metrics
    this.#resize(0)
  }

  /**
   * @param address of the client
   * @param end ends the socket, because another one needs its place
   * @throws ThrottledError when the address has too many sockets without a token, or the process
   *   too many with one
   */
  open(address: string, end: () => void): OpenSocket {
    this.#anonymous.add(address, MAXIMUM_ANONYMOUS_PER_ADDRESS)
    if (!this.#makeRoom()) {
      this.#anonymous.remove(address)
      throw new ThrottledError(RETRY_AFTER_SECONDS)
    }
    this.#resize(1)
    let isOpen = true
    const giveWay = () => {
      close()
      end()
    }
    let forget = () => {
      this.#unidentified.delete(giveWay)
      this.#anonymous.remove(address)
    }
    const close = () => {
      if (!isOpen) return
      isOpen = false
      forget()
      this.#resize(-1)
    }
    this.#unidentified.add(giveWay)
    const identify = (tenant: string) => {
      if (!isOpen) return
      this.#ofTenants.add(tenant, MAXIMUM_STREAMS_PER_TENANT)
      forget()
      forget = () => this.#ofTenants.remove(tenant)
    }
    return { identify, close }
  }

  /** @returns whether another socket has a place */
  #makeRoom(): boolean {
    if (this.#size < MAXIMUM_STREAMS) return true
    const [giveWay] = this.#unidentified
    giveWay?.()
    return giveWay !== undefined
  }

  #resize(change: number): void {
    this.#size += change
    this.#metrics.set('sigcase_graphql_sockets', {}, this.#size)
  }
}
