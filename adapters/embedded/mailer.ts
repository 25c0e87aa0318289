/** Writes mails as `.eml` files into a folder instead of sending them. */
import type { Buffer } from 'node:buffer'
import { createTransport } from 'nodemailer'
import { MailRefusedError, type Mail, type Mailer } from '../../domain/ports/mailer.ts'
import { mailMessage } from '../shared/mail-message.ts'
import { FolderWriter } from './folder-writer.ts'

const FROM_ADDRESS = 'no-reply@sigcase.localhost'

export class FileMailer implements Mailer {
  readonly #files: FolderWriter
  readonly #transport = createTransport({ streamTransport: true, buffer: true })

  constructor(folder: string) {
    this.#files = new FolderWriter(folder)
  }

  /** Removes unfinished mails of a killed process; call it only while nothing is being sent. */
  async sweep(): Promise<void> {
    await this.#files.sweep()
  }

  /** A repeated mail replaces its file, which is named after its id. */
  async send(mail: Mail): Promise<void> {
    await this.#files.replace(`${mail.id}.eml`, () => this.#compose(mail))
  }

  /** Always succeeds, because a folder needs no connection. */
  async ping(): Promise<void> {}

  async #compose(mail: Mail): Promise<Buffer> {
    const { message, envelope } = await this.#transport.sendMail(mailMessage(mail, FROM_ADDRESS))
    if (envelope.to.length === 0) throw new MailRefusedError('the mail has no recipient address')
    return message as Buffer
  }
}
