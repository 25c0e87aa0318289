/** The port for mails that are stored for inspection instead of sent. */

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
  /**
   * Returns the HTML part.
   *
   * @returns undefined when the mail does not exist
   */
  read(id: string): Promise<string | undefined>
}
