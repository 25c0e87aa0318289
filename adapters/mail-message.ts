/** A mail of the port as nodemailer takes it: the same headers, wherever it goes. */
import { Buffer } from 'node:buffer'
import type { Mail } from '../domain/ports/mailer.ts'

/** @param from address of the sender; its domain ends the Message-ID */
export function mailMessage(mail: Mail, from: string) {
  const domain = from.slice(from.lastIndexOf('@') + 1)
  return {
    messageId: `<${mail.id}@${domain}>`,
    from: { name: mail.fromName, address: from },
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
  }
}
