/** The port for one store of expiring values, counters and notifications; it may lose them. */
import type { Counters } from './counters.ts'
import type { ExpiringValues } from './expiring-values.ts'
import type { PubSub } from './pub-sub.ts'

export interface EphemeralStore extends ExpiringValues, Counters, PubSub {
  /**
   * Id of the current life of the store. When it changes, values or messages may have been lost.
   *
   * @throws ServiceError TIMEOUT when the store is not reachable or too slow
   */
  epoch(): Promise<string>
  /** Ends all subscriptions; no call is allowed afterwards. */
  close(): Promise<void>
}
