/** Opens connections to Redis that reconnect automatically and detect a server that is silent. */
import { createClient } from 'redis'

const CONNECT_LIMIT_MS = 5_000
const PING_INTERVAL_MS = 5_000
/** A worker's blocking read is silent for up to ten seconds, and its pings wait behind it. */
const SILENCE_LIMIT_MS = 20_000
const SHORTEST_RECONNECT_DELAY_MS = 50
const LONGEST_RECONNECT_DELAY_MS = 1_000
/** Commands that wait for an answer or a connection; beyond, further ones are refused. */
const MAXIMUM_PENDING_COMMANDS = 100_000

export interface RedisConnectionOptions {
  /** Called whenever the connection can be used. */
  onReady?: () => void
  /**
   * PEM: the certificate of a `rediss` server must chain to one of these instead of the public
   * authorities.
   */
  authorities?: string | undefined
}

/** @param retries connections that failed in a row */
function reconnectDelayMs(retries: number): number {
  return Math.min(SHORTEST_RECONNECT_DELAY_MS * 2 ** retries, LONGEST_RECONNECT_DELAY_MS)
}

/**
 * Opens a client that connects in the background, and reconnects until it is closed; commands wait
 * for the connection.
 *
 * @param url `redis[s]://[[user][:password]@]host[:port][/database]`
 * @param onError called with each failure of the connection
 */
export function connectRedis(
  url: string,
  onError: (error: unknown) => void,
  { onReady = () => {}, authorities }: RedisConnectionOptions = {},
) {
  const trust = authorities === undefined ? {} : { tls: true as const, ca: authorities }
  const client = createClient({
    url,
    pingInterval: PING_INTERVAL_MS,
    commandsQueueMaxLength: MAXIMUM_PENDING_COMMANDS,
    socket: {
      connectTimeout: CONNECT_LIMIT_MS,
      socketTimeout: SILENCE_LIMIT_MS,
      reconnectStrategy: reconnectDelayMs,
      ...trust,
    },
  })
  client.on('error', onError)
  client.on('ready', onReady)
  // The `error` event reports every failure; closing before the first connection is not one.
  client.connect().catch(() => undefined)
  return client
}

export type RedisClient = ReturnType<typeof connectRedis>
