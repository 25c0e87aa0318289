/** Parses the URL of a Redis server. */

export const REDIS_RULE = 'a redis or rediss URL of one server'
const SENTINEL =
  `${REDIS_RULE}: Redis Sentinel is not supported, ` +
  'use an address that always points to the primary'
const CLUSTER = `${REDIS_RULE} that is not in cluster mode: Redis Cluster is not supported`

/** @returns the text unchanged; undefined when it is not such a URL */
export function parseRedisUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url) return undefined
  const { protocol, hostname } = url
  const isOneHost = hostname !== '' && !hostname.includes(',')
  return (protocol === 'redis:' || protocol === 'rediss:') && isOneHost ? text : undefined
}

/** Returns a precise rule when a URL has a form that other clients use for several servers. */
export function redisRule(text: string): string {
  const scheme = /^[a-z+-]*/i.exec(text)?.[0].toLowerCase() ?? ''
  if (scheme.includes('sentinel')) return SENTINEL
  return scheme.includes('cluster') ? CLUSTER : REDIS_RULE
}
