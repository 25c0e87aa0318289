/** Opens a pool of connections to PostgreSQL, with short limits so that requests wait little. */
import { Pool } from 'pg'
import { isWithoutTls } from '../../domain/postgres-url.ts'

const CONNECTIONS = 3
const CONNECT_LIMIT_MS = 1_000
/** The server ends a statement by then, and the client waits a little longer. */
const STATEMENT_LIMIT_MS = 2_000
const ANSWER_LIMIT_MS = 2_500
const IDLE_LIMIT_MS = 60_000

export interface PostgresOptions {
  /** `postgres://[user[:password]@]host[:port]/database[?sslmode=disable]` */
  url: string
  /** PEM: the certificate of the server must chain to one of these, not to a public authority. */
  authorities?: string | undefined
  /** At most; three by default. */
  connections?: number
  /** Milliseconds that a statement may take; commands of operators wait longer. */
  statementLimitMs?: number
}

/**
 * Opens a pool; connections are made when they are needed. TLS is used unless the URL has
 * `sslmode=disable`, and the certificate of the server is always verified.
 *
 * @param onError called with failures of idle connections
 */
export function connectPostgres(
  {
    url,
    authorities,
    connections = CONNECTIONS,
    statementLimitMs = STATEMENT_LIMIT_MS,
  }: PostgresOptions,
  onError: (error: unknown) => void,
): Pool {
  const { hostname, port, username, password, pathname } = new URL(url)
  const ca = authorities === undefined ? {} : { ca: authorities }
  const pool = new Pool({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || '5432'),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    ssl: isWithoutTls(url) ? false : { rejectUnauthorized: true, ...ca },
    max: connections,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    statement_timeout: statementLimitMs,
    query_timeout: statementLimitMs + ANSWER_LIMIT_MS - STATEMENT_LIMIT_MS,
    idleTimeoutMillis: IDLE_LIMIT_MS,
    application_name: 'sigcase',
    keepAlive: true,
  })
  pool.on('error', onError)
  return pool
}
