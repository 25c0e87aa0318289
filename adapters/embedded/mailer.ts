/** Mails as `.eml` files in a folder: what SMTP would have sent, to look at. */
import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { MailRefusedError, type Mail, type Mailer } from '../../domain/ports/mailer.ts'
import { replaceFile } from './data-directory.ts'

const FROM_ADDRESS = 'no-reply@sigcase.localhost'

export class FileMailer implements Mailer {
  readonly #folder: string
  readonly #transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

  constructor(folder: string) {
    this.#folder = folder
  }

  /** A mail that is sent again replaces its file, which is named after its id. */
  async send(mail: Mail): Promise<void> {
    const message = await this.#compose(mail)
    await replaceFile(join(this.#folder, `${mail.id}.eml`), message)
  }

  async #compose(mail: Mail): Promise<Buffer> {
    const { message, envelope } = await this.#transport.sendMail({
      messageId: `<${mail.id}@sigcase.localhost>`,
      from: { name: mail.fromName, address: FROM_ADDRESS },
      to: mail.to,
      ...(mail.replyTo ? { replyTo: mail.replyTo } : {}),
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      headers: { 'Content-Language': mail.language, 'Auto-Submitted': 'auto-generated' },
      attachments: (mail.attachments ?? []).map(({ name, mediaType, bytes }) => ({
        filename: name,
        contentType: mediaType,
        content: Buffer.from(bytes),
      })),
    })
    if (envelope.to.length === 0) throw new MailRefusedError('the mail has no address to go to')
    return message as Buffer
  }
}
