/** Sends mail: SMTP on a cluster, `.eml` files on one machine. */
import { DeliveryRefusedError } from './delivery-refused.ts'

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

/** The mail will not be accepted, however often it is sent: its address is the reason. */
export class MailRefusedError extends DeliveryRefusedError {
  override readonly name = 'MailRefusedError'

  /** @param answer reply code of the server, if it gave one */
  constructor(message: string, answer?: number) {
    super(message, 'recipient', answer)
  }
}

export interface Mailer {
  /**
   * @throws MailRefusedError when trying again cannot help
   * @throws DeliveryRefusedError when the server refuses every mail of this service
   * @throws Error when the mail was not accepted; the caller tries again later
   */
  send(mail: Mail): Promise<void>
}
