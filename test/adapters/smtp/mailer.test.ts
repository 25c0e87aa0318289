/** Mails reach a real SMTP server whole, over TLS, and its refusals are distinguished. */
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import t, { type Test } from 'tap'
import { SmtpMailer, type SmtpMailerOptions } from '../../../adapters/smtp/mailer.ts'
import type { Mail } from '../../../domain/ports/mailer.ts'
import { tlsIdentity } from '../../fixtures/tls-identity.ts'

const identity = await tlsIdentity(['127.0.0.1'])
const CREDENTIALS = { user: 'sigcase', password: 'a-very-secret-password' }
const FROM = 'no-reply@sign.example'
const MAIL: Mail = {
  id: '6f1c0a52-7c0b-5d9e-9c36-1f0b8a2f6d11',
  fromName: 'Žltý kôň, s. r. o.',
  replyTo: { name: 'Office', address: 'office@acme.example' },
  to: { name: 'Ján Novák', address: 'jan@people.example' },
  subject: 'Na podpis: „Zmluva“',
  text: 'Dobrý deň',
  html: '<p>Dobrý deň</p>',
  language: 'sk',
  attachments: [
    { name: 'zmluva ž.pdf', mediaType: 'application/pdf', bytes: new Uint8Array([1, 2, 3, 250]) },
  ],
}

interface Received {
  secure: boolean
  user: string | undefined
  from: string
  to: string[]
  text: string
}

/** What the server refuses, by step, with the code of the answer. */
interface Refusing {
  mailFrom?: number
  recipient?: number
  data?: number
}

async function open(t: Test, security: SmtpMailerOptions['security'], refusing: Refusing = {}) {
  const received: Received[] = []
  const refusal = (code: number | undefined) =>
    code === undefined
      ? null
      : Object.assign(new Error('no jan@people.example here'), { responseCode: code })
  const server = new SMTPServer({
    secure: security === 'tls',
    key: identity.key,
    cert: identity.cert,
    authOptional: security === 'none',
    ...(security === 'none' ? { disabledCommands: ['STARTTLS', 'AUTH'] } : {}),
    onAuth: ({ username, password }, _session, done) => {
      const isGood = username === CREDENTIALS.user && password === CREDENTIALS.password
      if (isGood) done(null, { user: username })
      else done(Object.assign(new Error('no'), { responseCode: 535 }))
    },
    onMailFrom: (_address, _session, done) => done(refusal(refusing.mailFrom)),
    onRcptTo: (_address, _session, done) => done(refusal(refusing.recipient)),
    onData: (stream, { secure, user, envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({
          secure,
          user,
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
        })
        done(refusal(refusing.data))
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  const mailer = (changed: Partial<SmtpMailerOptions> = {}) => {
    const mailer = new SmtpMailer({
      host: '127.0.0.1',
      port,
      security,
      from: FROM,
      authorities: identity.authority,
      ...(security === 'none' ? {} : { credentials: CREDENTIALS }),
      ...changed,
    })
    t.teardown(() => mailer.close())
    return mailer
  }
  return { received, mailer }
}

for (const security of ['tls', 'starttls', 'none'] as const) {
  t.test(`a mail arrives whole (${security})`, async (t) => {
    const { received, mailer } = await open(t, security)
    await mailer().send(MAIL)
    const [mail] = received
    t.equal(received.length, 1)
    t.equal(mail?.secure, security !== 'none')
    t.equal(mail?.user, security === 'none' ? undefined : 'sigcase')
    t.equal(mail?.from, FROM)
    t.same(mail?.to, ['jan@people.example'])
    const text = mail?.text ?? ''
    t.match(text, `Message-ID: <${MAIL.id}@sign.example>`)
    t.match(text, /^Reply-To: "?Office"? <office@acme\.example>/m)
    t.match(text, /^From: =\?UTF-8\?[^]*?<no-reply@sign\.example>/m)
    t.match(text, /^Auto-Submitted: auto-generated/m)
    t.match(text, /^Content-Language: sk/m)
    t.match(text, /^Content-Type: application\/pdf/m)
    t.match(text, Buffer.from([1, 2, 3, 250]).toString('base64'))
    t.match(text, /^Content-Type: text\/html/m)
  })
}

/** Texts that a reader would decode into others: whole, in a sentence, split, lenient, two. */
const LOOK_ALIKES = [
  '=?utf-8?q?Your_bank?=',
  '=?UTF-8?B?WW91ciBiYW5r?=',
  'Contract =?utf-8?q?Your_bank?= of May',
  '=?utf-8?q?Your?= =?utf-8?q?_bank?=',
  '=?utf-8?q?Your bank?=',
  '"=?utf-8?q?Your_bank?="',
  '=?utf-8*en?q?Your_bank?=',
  '=?x?=',
  'Zmluva č. 1 =?utf-8?q?Your_bank?=',
]

t.test('a usable server is distinguished from one that is unavailable or refuses', async (t) => {
  const { received, mailer } = await open(t, 'tls')
  await mailer().ping()
  t.same(received, [], 'without a mail')
  const credentials = { user: 'sigcase', password: 'wrong' }
  await t.rejects(mailer({ credentials }).ping(), {
    name: 'SmtpError',
    message: 'the server cannot be used: EAUTH AUTH PLAIN 535',
  })
  await t.rejects(mailer({ port: 1 }).ping(), { name: 'SmtpError' })
})

t.test('texts that look like encoded words arrive as they are', async (t) => {
  const { received, mailer } = await open(t, 'none')
  const sender = mailer()
  for (const text of LOOK_ALIKES) {
    await sender.send({
      ...MAIL,
      subject: text,
      fromName: text,
      replyTo: { name: text, address: 'office@acme.example' },
      to: { name: text, address: 'jan@people.example' },
      attachments: [
        { name: `${text} x.pdf`, mediaType: 'application/pdf', bytes: new Uint8Array([1]) },
      ],
    })
    const raw = received.at(-1)?.text ?? ''
    const parsed = await PostalMime.parse(raw)
    t.equal(parsed.subject?.trim(), text, 'Subject')
    t.equal(parsed.from?.name.trim(), text, 'From')
    t.equal(parsed.to?.[0]?.name.trim(), text, 'To')
    t.equal(parsed.replyTo?.[0]?.name.trim(), text, 'Reply-To')
    t.equal(parsed.from?.address, FROM)
    t.equal(parsed.to?.[0]?.address, 'jan@people.example')
    t.notMatch(parsed.attachments[0]?.filename, /^Your|^x\.pdf/, 'the name of the file')
    t.notMatch(raw, /=\?utf-8\?q\?Your/i, 'no word of the text is in a header as it is')
  }
})

t.test('what is said of the recipient or the mail is for good, in numbers alone', async (t) => {
  for (const refusing of [{ recipient: 550 }, { recipient: 553 }, { data: 552 }, { data: 554 }]) {
    const { mailer } = await open(t, 'tls', refusing)
    const error: unknown = await mailer()
      .send(MAIL)
      .catch((error: unknown) => error)
    const answer = refusing.recipient ?? refusing.data
    t.match(error, { name: 'MailRefusedError', refused: 'recipient', answer }, String(answer))
    t.notMatch(String(error), 'people.example')
  }
  const { mailer } = await open(t, 'tls')
  const nobody = { ...MAIL, to: { name: 'Nobody', address: '' } }
  await t.rejects(mailer().send(nobody), { name: 'MailRefusedError' })
})

t.test('what passes, or is said of the service, is tried again', async (t) => {
  const cases: Refusing[] = [
    { recipient: 450 },
    { recipient: 451 },
    { recipient: 452 },
    { data: 451 },
    { mailFrom: 421 },
  ]
  for (const refusing of cases) {
    const { mailer } = await open(t, 'tls', refusing)
    await t.rejects(mailer().send(MAIL), { name: 'SmtpError' }, JSON.stringify(refusing))
  }
  const { mailer } = await open(t, 'tls', { mailFrom: 550 })
  const refused = { name: 'DeliveryRefusedError', refused: 'sender', answer: 550 }
  await t.rejects(mailer().send(MAIL), refused, 'said of every mail of the service')
})

t.test('credentials, certificate and TLS are insisted on', async (t) => {
  const { mailer, received } = await open(t, 'tls')
  const wrong = { user: 'sigcase', password: 'wrong-password' }
  const error: unknown = await mailer({ credentials: wrong })
    .send(MAIL)
    .catch((error: unknown) => error)
  t.match(error, { name: 'DeliveryRefusedError', refused: 'sender', message: /EAUTH.* 535/ })
  t.notMatch(String(error), 'wrong-password')
  const other = await tlsIdentity(['127.0.0.1'])
  const untrusted = mailer({ authorities: other.authority })
  await t.rejects(untrusted.send(MAIL), { name: 'SmtpError' })
  const plain = await open(t, 'none')
  const insisting = plain.mailer({ security: 'starttls' })
  const refused = { name: 'DeliveryRefusedError', refused: 'sender' }
  await t.rejects(insisting.send(MAIL), refused, 'a server without STARTTLS')
  t.equal(received.length + plain.received.length, 0)
})

t.test('a server that is unavailable, or disconnects, is tried again', async (t) => {
  const away = new SmtpMailer({ host: '127.0.0.1', port: 1, security: 'none', from: FROM })
  t.teardown(() => away.close())
  await t.rejects(away.send(MAIL), {
    name: 'SmtpError',
    message: /ECONNREFUSED|ECONNECTION|ESOCKET/,
  })
})
