/** Mails that were kept instead of sent, to be looked at; only services that send none have it. */

export interface KeptMail {
  id: string
  /** Name and address, one line. */
  to: string
  subject: string
  /** ISO 8601. */
  sentAt: string
}

export interface Mailbox {
  /** The newest first. */
  list(): Promise<readonly KeptMail[]>
  /** The HTML part. @returns undefined when there is no such mail */
  read(id: string): Promise<string | undefined>
}
