/** What a URL of PostgreSQL says about TLS. */

/** Whether the URL asks for connections without TLS, for a server on the same machine. */
export const isWithoutTls = (url: string): boolean =>
  new URL(url).searchParams.get('sslmode') === 'disable'
