/** Connections to Redis that come back by themselves and notice when the other side is silent. */
import { createClient } from 'redis'

const CONNECT_LIMIT_MS = 5_000
const PING_INTERVAL_MS = 5_000
/** A worker's blocking read is silent for up to ten seconds, and its pings wait behind it. */
const SILENCE_LIMIT_MS = 20_000
const SHORTEST_RECONNECT_DELAY_MS = 50
const LONGEST_RECONNECT_DELAY_MS = 1_000
/** Commands that wait for an answer or a connection; beyond, further ones are refused. */
const MAXIMUM_PENDING_COMMANDS = 100_000

/** @param retries connections that failed in a row */
function reconnectDelayMs(retries: number): number {
  return Math.min(SHORTEST_RECONNECT_DELAY_MS * 2 ** retries, LONGEST_RECONNECT_DELAY_MS)
}

/**
 * A client that connects in the background, again and again until it is closed; commands wait for
 * the connection.
 *
 * @param url `redis[s]://[[user][:password]@]host[:port][/database]`
 * @param onError is told of each failure of the connection
 * @param onReady is called whenever the connection can be used
 */
export function connectRedis(
  url: string,
  onError: (error: unknown) => void,
  onReady: () => void = () => {},
) {
  const client = createClient({
    url,
    pingInterval: PING_INTERVAL_MS,
    commandsQueueMaxLength: MAXIMUM_PENDING_COMMANDS,
    socket: {
      connectTimeout: CONNECT_LIMIT_MS,
      socketTimeout: SILENCE_LIMIT_MS,
      reconnectStrategy: reconnectDelayMs,
    },
  })
  client.on('error', onError)
  client.on('ready', onReady)
  // Every failure is told by the event; closing before it has connected is no failure.
  client.connect().catch(() => undefined)
  return client
}

export type RedisClient = ReturnType<typeof connectRedis>
