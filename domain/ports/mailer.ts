/** The port that sends mail: SMTP on a cluster, `.eml` files on one machine. */

export interface MailAddress {
  name: string
  address: string
}

/** One mail, with a plain-text part and an HTML part. */
export interface Mail {
  /** Local part of the Message-ID: the event id of the mail, the same in every attempt. */
  id: string
  /** Display name of the sender; the mailer sets the address. */
  fromName: string
  replyTo?: MailAddress
  to: MailAddress
  subject: string
  text: string
  html: string
  language: 'sk' | 'en'
  attachments?: readonly { name: string; mediaType: string; bytes: Uint8Array }[]
}

/** The mail server permanently refuses the mail because of its address. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError'
}

export interface Mailer {
  /**
   * @throws MailRefusedError when a retry cannot help
   * @throws Error when the mail was not accepted; the caller retries later
   */
  send(mail: Mail): Promise<void>
}
