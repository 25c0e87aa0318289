/** Parses the URL of a PostgreSQL database. */

export const POSTGRES_RULE = 'a postgres URL with a host and a database'

/** @returns the text unchanged; undefined when it is not such a URL */
export function parsePostgresUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url) return undefined
  const { protocol, hostname, pathname } = url
  const isPostgres = protocol === 'postgres:' || protocol === 'postgresql:'
  const isOneHost = hostname !== '' && !hostname.includes(',')
  return isPostgres && isOneHost && /^\/[^/]+$/.test(pathname) ? text : undefined
}
