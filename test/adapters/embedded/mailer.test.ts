/** Mails in files: the whole mail, safe headers, and refusals. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { FileMailer } from '../../../adapters/embedded/mailer.ts'
import { MailRefusedError, type Mail } from '../../../domain/ports/mailer.ts'

const mail: Mail = {
  id: '2ed6657d-e927-568b-95e1-2665a8aea6a2',
  fromName: 'Firma, s.r.o.',
  replyTo: { name: 'Sekretariát', address: 'office@example.com' },
  to: { name: 'Ľuboš Šťastný', address: 'lubos@example.com' },
  subject: 'Podpíšte: Zmluva',
  text: 'Dobrý deň',
  html: '<p>Dobrý deň</p>',
  language: 'sk',
  attachments: [{ name: 'Zmluva.pdf', mediaType: 'application/pdf', bytes: new Uint8Array(10) }],
}

t.test('a mail that is sent twice is one file with both parts and the attachment', async (t) => {
  const place = join(t.testdir(), 'mail')
  const mailer = new FileMailer(place)
  await mailer.send(mail)
  await mailer.send(mail)
  t.same(readdirSync(place), [`${mail.id}.eml`])
  const text = readFileSync(join(place, `${mail.id}.eml`), 'utf8')
  for (const part of [
    /^Message-ID: <2ed6657d-e927-568b-95e1-2665a8aea6a2@/m,
    /^Reply-To: /m,
    /^Content-Type: text\/plain/m,
    /^Content-Type: text\/html/m,
    /^Content-Type: application\/pdf/m,
  ]) {
    t.match(text, part)
  }
})

t.test('every line ends with CR and LF, however the texts end theirs', async (t) => {
  const place = join(t.testdir(), 'mail')
  const text = 'Dobrý deň,\nJana\r\n\nplease sign'
  for (const [id, said] of Object.entries({ encoded: text, plain: 'Hello,\nplease sign\n' })) {
    await new FileMailer(place).send({ ...mail, id, text: said, html: said })
    const written = readFileSync(join(place, `${id}.eml`), 'latin1')
    t.notMatch(written, /(?<!\r)\n|\r(?!\n)/, id)
    t.match(written, 'please sign\r\n', id)
  }
})

t.test('the text of a name cannot add a header', async (t) => {
  const place = join(t.testdir(), 'mail')
  await new FileMailer(place).send({
    ...mail,
    fromName: 'x\r\nBcc: victim@example.com',
    subject: 'x\r\nBcc: victim@example.com',
  })
  t.notMatch(readFileSync(join(place, `${mail.id}.eml`), 'utf8'), /^Bcc:/im)
})

t.test('a mail that has nowhere to go is refused for good', async (t) => {
  const mailer = new FileMailer(join(t.testdir(), 'mail'))
  const to = { name: 'Nobody', address: '' }
  await t.rejects(mailer.send({ ...mail, to }), MailRefusedError)
})
