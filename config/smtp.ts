/** Which server takes the mail. */
import { readFileSync } from 'node:fs'
import type { EnvironmentReader } from './reader.ts'

export interface SmtpConfig {
  host: string
  port: number
  /**
   * TLS from the first octet, TLS by STARTTLS or no connection, or none at all (a server beside the
   * service alone).
   */
  security: 'tls' | 'starttls' | 'none'
  credentials?: { user: string; password: string }
  /** Address of the sender of every mail. */
  from: string
  /** PEM of the authorities that the server's certificate leads to, instead of the public ones. */
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

function parseAuthorities(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8')
    return text.includes('-----BEGIN CERTIFICATE-----') ? text : undefined
  } catch {
    return undefined
  }
}

const NO_SERVER: Server = { host: '', port: 0, security: 'tls' }
const WANTED = 'smtps://host[:port], smtp://host[:port] or smtp+plain://host[:port] and no more'

/** Passwords that somebody puts into the address by mistake are not repeated: it is a secret. */
function readServer(reader: EnvironmentReader): Server {
  const text = reader.readSecret('SMTP_URL', WANTED, (given) =>
    parseServer(given) ? given : undefined,
  )
  if (text !== undefined) return parseServer(text) as Server
  if (!reader.faults.some((fault) => fault.startsWith('SMTP_URL:'))) {
    reader.faults.push(`SMTP_URL: required, ${WANTED}`)
  }
  return NO_SERVER
}

/** The variables about mail. A password never goes over a connection without TLS. */
export function readSmtp(reader: EnvironmentReader): SmtpConfig {
  const server = readServer(reader)
  const from = reader.readNeeded('SMTP_FROM', 'an e-mail address', (text) =>
    EMAIL.test(text) ? text : undefined,
  )
  const user = reader.readSecret('SMTP_USER', 'a text', (text) => text)
  const password = reader.readSecret('SMTP_PASSWORD', 'a text', (text) => text)
  const authorities = reader.read<string | undefined>(
    'SMTP_CA_FILE',
    undefined,
    'a file with certificates in PEM',
    parseAuthorities,
  )
  const hasCredentials = user !== undefined && password !== undefined
  if ((user === undefined) !== (password === undefined)) {
    reader.faults.push('SMTP_USER and SMTP_PASSWORD: each requires the other')
  }
  if (hasCredentials && server.security === 'none') {
    reader.faults.push('SMTP_PASSWORD: would go in clear to an smtp+plain server')
  }
  return {
    ...server,
    from,
    ...(hasCredentials ? { credentials: { user, password } } : {}),
    ...(authorities === undefined ? {} : { authorities }),
  }
}
