/** The WebSockets of one process, and how many it accepts. */
import { ThrottledError } from '../../application/errors.ts'
import { NO_METRICS, type Metrics } from '../../domain/ports/metrics.ts'
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

/** Every subscription needs a socket, so that the limits of streams are those of sockets. */
export class OpenSockets {
  readonly #metrics: Metrics
  readonly #anonymous = new Counts()
  readonly #ofTenants = new Counts()
  #size = 0

  constructor(metrics: Metrics = NO_METRICS) {
    this.#metrics = metrics
    this.#resize(0)
  }

  /** @throws ThrottledError when the process, or the address, has too many sockets */
  open(address: string): OpenSocket {
    if (this.#size >= MAXIMUM_STREAMS) throw new ThrottledError(RETRY_AFTER_SECONDS)
    this.#anonymous.add(address, MAXIMUM_ANONYMOUS_PER_ADDRESS)
    this.#resize(1)
    let isOpen = true
    let forget = () => this.#anonymous.remove(address)
    return {
      identify: (tenant) => {
        if (!isOpen) return
        this.#ofTenants.add(tenant, MAXIMUM_STREAMS_PER_TENANT)
        forget()
        forget = () => this.#ofTenants.remove(tenant)
      },
      close: () => {
        if (!isOpen) return
        isOpen = false
        forget()
        this.#resize(-1)
      },
    }
  }

  #resize(change: number): void {
    this.#size += change
    this.#metrics.set('sigcase_graphql_sockets', {}, this.#size)
  }
}
