/** Reads the configuration of the mail server. */
import { readCertificateFile } from './certificate-file.ts'
import type { EnvironmentReader } from './reader.ts'
import { parseSmtpUrl, type SmtpServer } from './smtp-url.ts'

export interface SmtpConfig extends SmtpServer {
  credentials?: { user: string; password: string }
  /** Address of the sender of every mail. */
  from: string
  /** PEM: authorities for the server's certificate, instead of the public ones. */
  authorities?: string
}

/** Takes the place of a server whose URL is absent or invalid. */
const NO_SERVER: SmtpServer = { host: '', port: 0, security: 'tls' }

/** Reads the variables about mail. A password is never sent over a connection without TLS. */
export function readSmtp(reader: EnvironmentReader): SmtpConfig {
  const server = parseSmtpUrl(reader.getRequired('SMTP_URL')) ?? NO_SERVER
  const from = reader.getRequired('SMTP_FROM')
  const user = reader.get('SMTP_USER')
  const password = reader.get('SMTP_PASSWORD')
  const authorities = readCertificateFile(reader, 'SMTP_CA_FILE')
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
