/** Sends mail by SMTP (RFC 5321), over TLS unless the server is in the same pod or network. */
import { createTransport } from 'nodemailer'
import { DeliveryRefusedError } from '../../domain/ports/delivery-refused.ts'
import { MailRefusedError, type Mail, type Mailer } from '../../domain/ports/mailer.ts'
import { mailMessage } from '../shared/mail-message.ts'

/** Maximum concurrent connections, so that a slow server is not overloaded. */
const MAXIMUM_CONNECTIONS = 5
const MAXIMUM_MAILS_PER_CONNECTION = 100
const CONNECTION_LIMIT_MS = 10_000
/**
 * Timeout of a silent server. RFC 5321, 4.5.3.2 recommends minutes, but the job is retried anyway.
 */
const SILENCE_LIMIT_MS = 60_000

export interface SmtpMailerOptions {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
  credentials?: { user: string; password: string }
  /** Address of the sender of every mail. */
  from: string
  /** PEM: authorities for the server's certificate, instead of the public ones. */
  authorities?: string
}

/** The server is unavailable, or does not accept the mail now. */
class SmtpError extends Error {
  override readonly name = 'SmtpError'
}

interface SmtpFault {
  /** nodemailer's name of the failed step. */
  code?: string
  responseCode?: number
  command?: string
  /** One entry per refused recipient. */
  rejectedErrors?: readonly SmtpFault[]
}

/**
 * Replies about this recipient or mail, not about the service's right to send (RFC 5321, 4.2.2).
 */
const ABOUT_THE_RECIPIENT: ReadonlySet<number | undefined> = new Set([550, 551, 552, 553, 556])
const ABOUT_THE_MAIL: ReadonlySet<number | undefined> = new Set([550, 552, 554, 555])

/**
 * Whether the refusal is permanent: the server replied 5xx to the recipient or to the mail. A
 * refusal of the sender address or of the password concerns all mails, and the platform team can
 * fix it.
 */
function isForGood(fault: SmtpFault): boolean {
  const { code, command } = fault
  const refused = replyOf(fault)
  if (command === 'RCPT TO') return ABOUT_THE_RECIPIENT.has(refused)
  if (command === 'DATA') return ABOUT_THE_MAIL.has(refused)
  return code === 'EENVELOPE' && command === 'API'
}

/** The reply code of the server: of the recipient, when it refused all of them. */
const replyOf = ({ responseCode, rejectedErrors }: SmtpFault): number | undefined =>
  rejectedErrors?.[0]?.responseCode ?? responseCode

/** RFC 5321, 4.2.1: 5yz is a permanent negative reply. */
const isPermanent = (reply: number | undefined): reply is number =>
  reply !== undefined && reply >= 500

/** The server's answer may repeat the address: only its number is reported. */
function describe({ code = 'error', command, responseCode }: SmtpFault): string {
  const parts = [code, command, responseCode].filter((part) => part !== undefined)
  return parts.join(' ')
}

export class SmtpMailer implements Mailer {
  readonly #transport
  readonly #from: string

  constructor(options: SmtpMailerOptions) {
    const { host, port, security, credentials, from, authorities } = options
    this.#from = from
    this.#transport = createTransport({
      pool: true,
      maxConnections: MAXIMUM_CONNECTIONS,
      maxMessages: MAXIMUM_MAILS_PER_CONNECTION,
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      connectionTimeout: CONNECTION_LIMIT_MS,
      greetingTimeout: CONNECTION_LIMIT_MS,
      socketTimeout: SILENCE_LIMIT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(credentials ? { auth: { user: credentials.user, pass: credentials.password } } : {}),
      tls: { minVersion: 'TLSv1.2', ...(authorities === undefined ? {} : { ca: authorities }) },
    })
  }

  /**
   * @throws MailRefusedError when trying again cannot help
   * @throws DeliveryRefusedError when the server refuses this service until an operator fixes that
   * @throws SmtpError when trying again may help
   */
  async send(mail: Mail): Promise<void> {
    try {
      await this.#transport.sendMail(mailMessage(mail, this.#from))
    } catch (error) {
      const fault = error as SmtpFault
      const message = `the mail was not taken: ${describe(fault)}`
      const reply = replyOf(fault)
      if (isForGood(fault)) throw new MailRefusedError(message, reply)
      if (isPermanent(reply)) throw new DeliveryRefusedError(message, 'sender', reply)
      throw new SmtpError(message)
    }
  }

  /**
   * Connects and authenticates without sending a mail.
   *
   * @throws SmtpError when the server is not reachable or refuses
   */
  async ping(): Promise<void> {
    try {
      await this.#transport.verify()
    } catch (error) {
      throw new SmtpError(`the server cannot be used: ${describe(error as SmtpFault)}`)
    }
  }

  close(): void {
    this.#transport.close()
  }
}
