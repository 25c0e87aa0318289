/** Parses the URL of a mail server. */

export interface SmtpServer {
  host: string
  port: number
  /**
   * `tls`: TLS from the first byte. `starttls`: STARTTLS, or the mail is not sent. `none`: plain
   * text, only for a server in the same pod or network.
   */
  security: 'tls' | 'starttls' | 'none'
}

const SECURITY: Readonly<Record<string, { security: SmtpServer['security']; port: number }>> = {
  'smtps:': { security: 'tls', port: 465 },
  'smtp:': { security: 'starttls', port: 587 },
  'smtp+plain:': { security: 'none', port: 25 },
}

export const SMTP_RULE = 'smtps://host[:port], smtp://host[:port] or smtp+plain://host[:port]'

/** @returns undefined when the text is not such a URL, or has a user name or password */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.parse(text)
  if (!url) return undefined
  const { protocol, hostname, port, pathname, search, hash, username, password } = url
  const kind = Object.hasOwn(SECURITY, protocol) ? SECURITY[protocol] : undefined
  const rest = pathname.replace('/', '') + search + hash + username + password
  if (!kind || hostname === '' || rest !== '') return undefined
  const host = hostname.replace(/^\[|\]$/g, '')
  return { host, port: port === '' ? kind.port : Number(port), security: kind.security }
}
