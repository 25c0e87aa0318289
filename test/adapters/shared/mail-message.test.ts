import t from 'tap'
import { mailMessage } from '../../../adapters/shared/mail-message.ts'
import type { Mail } from '../../../domain/ports/mailer.ts'

const MAIL: Mail = {
  id: 'f3b1',
  fromName: 'ACME',
  to: { name: 'Jana', address: 'jana@x.example' },
  subject: 'Sign the contract',
  language: 'en',
  text: 'text',
  html: '<p>text</p>',
}
const FROM = 'no-reply@sign.example'

t.test('the id of a mail is its Message-ID, so that a repetition is recognised', async (t) => {
  t.match(mailMessage(MAIL, FROM), {
    messageId: '<f3b1@sign.example>',
    from: { name: 'ACME', address: FROM },
    headers: { 'Content-Language': 'en', 'Auto-Submitted': 'auto-generated' },
    attachments: [],
  })
  t.notOk('replyTo' in mailMessage(MAIL, FROM))
})

t.test('a text that looks like an encoded word is shown as it is (RFC 2047)', async (t) => {
  const word = '=?utf-8?q?Bank?='
  const message = mailMessage(
    {
      ...MAIL,
      fromName: word,
      subject: word,
      attachments: [
        { name: `${word}.pdf`, mediaType: 'application/pdf', bytes: new Uint8Array(1) },
      ],
    },
    FROM,
  )
  t.equal(message.subject, `${word}\u00a0`, 'a character beyond ASCII forces an encoding')
  t.equal(message.from.name, `${word}\u00a0`)
  t.equal(message.attachments[0]?.filename, '=_utf-8?q?Bank?=.pdf')
})
