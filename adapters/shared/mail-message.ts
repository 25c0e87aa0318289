/** Converts a mail of the port for nodemailer, with the same headers for every transport. */
import { Buffer } from 'node:buffer'
import type { Mail, MailAddress } from '../../domain/ports/mailer.ts'

/** How an encoded word begins (RFC 2047, 2). */
const ENCODED_WORD = '=?'
const NO_BREAK_SPACE = '\u00a0'

/**
 * Makes a header text that recipients see literally even when it looks like an encoded word.
 * Nodemailer does not encode such words, and many readers decode them even in quotes. A character
 * beyond ASCII makes nodemailer encode the whole text.
 */
const asLiteral = (text: string) =>
  text.includes(ENCODED_WORD) ? `${text}${NO_BREAK_SPACE}` : text

const literalAddress = ({ name, address }: MailAddress): MailAddress => ({
  name: asLiteral(name),
  address,
})

/** A question mark is not allowed in file names of Windows anyway. */
const literalFileName = (name: string) => name.replaceAll(ENCODED_WORD, '=_')

/** Lines end with CR and LF in every mail (RFC 5322, 2.3). */
const withLineEnds = (text: string) => text.replaceAll(/\r?\n/g, '\r\n')

/** @param from address of the sender; its domain ends the Message-ID */
export function mailMessage(mail: Mail, from: string) {
  const domain = from.slice(from.lastIndexOf('@') + 1)
  return {
    messageId: `<${mail.id}@${domain}>`,
    from: literalAddress({ name: mail.fromName, address: from }),
    to: literalAddress(mail.to),
    ...(mail.replyTo ? { replyTo: literalAddress(mail.replyTo) } : {}),
    subject: asLiteral(mail.subject),
    text: withLineEnds(mail.text),
    html: withLineEnds(mail.html),
    headers: { 'Content-Language': mail.language, 'Auto-Submitted': 'auto-generated' },
    attachments: (mail.attachments ?? []).map(({ name, mediaType, bytes }) => ({
      filename: literalFileName(name),
      contentType: mediaType,
      content: Buffer.from(bytes),
    })),
  }
}
