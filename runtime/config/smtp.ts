/** Reads the configuration of the mail server. */
import { readAuthoritiesFile } from './authorities-file.ts'
import type { EnvironmentReader } from './reader.ts'

export interface SmtpConfig {
  host: string
  port: number
  /**
   * `tls`: TLS from the first byte. `starttls`: STARTTLS, or the mail is not sent. `none`: plain
   * text, only for a server in the same pod or network.
   */
  security: 'tls' | 'starttls' | 'none'
  credentials?: { user: string; password: string }
  /** Address of the sender of every mail. */
  from: string
  /** PEM: authorities for the server's certificate, instead of the public ones. */
  authorities?: string
}

interface Server {
  host: string
  port: number
  security: SmtpConfig['security']
}

const SECURITY: Readonly<Record<string, { security: Server['security']; port: number }>> = {
  'smtps:': { security: 'tls', port: 465 },
  'smtp:': { security: 'starttls', port: 587 },
  'smtp+plain:': { security: 'none', port: 25 },
}
const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+$/

function parseServer(text: string): Server | undefined {
  const url = URL.parse(text)
  if (!url) return undefined
  const { protocol, hostname, port, pathname, search, hash, username, password } = url
  const kind = Object.hasOwn(SECURITY, protocol) ? SECURITY[protocol] : undefined
  const rest = pathname.replace('/', '') + search + hash + username + password
  if (!kind || hostname === '' || rest !== '') return undefined
  const host = hostname.replace(/^\[|\]$/g, '')
  return { host, port: port === '' ? kind.port : Number(port), security: kind.security }
}

const NO_SERVER: Server = { host: '', port: 0, security: 'tls' }
const WANTED = 'smtps://host[:port], smtp://host[:port] or smtp+plain://host[:port]'

/** Faults never repeat the URL, because it may contain a password by mistake. */
function readServer(reader: EnvironmentReader): Server {
  const text = reader.readSecret('SMTP_URL', WANTED, (given) =>
    parseServer(given) ? given : undefined,
  )
  if (text !== undefined) return parseServer(text) as Server
  if (!reader.faults.some((fault) => fault.startsWith('SMTP_URL:'))) {
    reader.faults.push(`SMTP_URL is required: ${WANTED}`)
  }
  return NO_SERVER
}

/** Reads the variables about mail. A password is never sent over a connection without TLS. */
export function readSmtp(reader: EnvironmentReader): SmtpConfig {
  const server = readServer(reader)
  const from = reader.readNeeded('SMTP_FROM', 'an e-mail address', (text) =>
    EMAIL.test(text) ? text : undefined,
  )
  const user = reader.readSecret('SMTP_USER', 'a text', (text) => text)
  const password = reader.readSecret('SMTP_PASSWORD', 'a text', (text) => text)
  const authorities = readAuthoritiesFile(reader, 'SMTP_CA_FILE')
  const hasCredentials = user !== undefined && password !== undefined
  if ((user === undefined) !== (password === undefined)) {
    reader.faults.push('SMTP_USER and SMTP_PASSWORD: set both or neither')
  }
  if (hasCredentials && server.security === 'none') {
    reader.faults.push('SMTP_PASSWORD: an smtp+plain connection would send it unencrypted')
  }
  return {
    ...server,
    from,
    ...(hasCredentials ? { credentials: { user, password } } : {}),
    ...(authorities === undefined ? {} : { authorities }),
  }
}
