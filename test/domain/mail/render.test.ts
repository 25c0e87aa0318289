import t from 'tap'
import { MAIL_TYPES, type MailType } from '../../../domain/cases/due-mails.ts'
import { LANGUAGES, type Language } from '../../../domain/cases/definition.ts'
import { instantIn } from '../../../domain/mail/dates.ts'
import { renderMail, type MailInput } from '../../../domain/mail/render.ts'
import { MAIL_TEXTS, type MailValues } from '../../../domain/mail/texts.ts'
import {
  participant,
  signatureCase,
  SIGNED_AT,
  VALID_UNTIL,
} from '../../fixtures/signature-case.ts'

const URL = 'https://sign.example.com/sign/p1#token_ab-c'

interface Options {
  type?: MailType
  language?: Language
  title?: string
  sender?: { name?: string; replyTo?: string } | null
  firstName?: string
  lastName?: string
  email?: string
  reason?: string
  now?: string
  signedPdf?: Uint8Array
}

function input(options: Options = {}): MailInput {
  const { type = 'invitation', language = 'sk', title = 'Zmluva o dielo', reason } = options
  const { sender = { name: 'Stavby Žilina, s. r. o.', replyTo: 'office@example.com' } } = options
  const recipient = participant(2, {
    language,
    ...(options.firstName === undefined ? {} : { firstName: options.firstName }),
    ...(options.lastName === undefined ? {} : { lastName: options.lastName }),
    ...(options.email === undefined ? {} : { email: options.email }),
  })
  const { signedPdf } = options
  return {
    eventId: '5f6b0f0e-1111-5222-8333-444455556666',
    type,
    participant: recipient,
    signingUrl: URL,
    now: new Date(options.now ?? SIGNED_AT),
    signatureCase: signatureCase({
      participants: [participant(1), recipient],
      definition: { title, ...(sender ? { sender } : {}) },
      ...(reason === undefined ? {} : { cancellation: { at: SIGNED_AT, reason } }),
    }),
    ...(signedPdf ? { signedPdf } : {}),
  }
}

const every = MAIL_TYPES.flatMap((type) => LANGUAGES.map((language) => ({ type, language })))

/** The sentences of a catalogue by the path of their key. */
function keysOf(texts: object, path = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'object' ? keysOf(value, `${path}${key}.`) : [`${path}${key}`],
  )
}

t.test(
  'both languages have the same sentences, none is empty and none is the same (S13)',
  async (t) => {
    t.same(keysOf(MAIL_TEXTS.sk).sort(), keysOf(MAIL_TEXTS.en).sort())
    const values = {
      title: '',
      name: '',
      email: '',
      sender: '',
      replyTo: '',
      until: '',
      host: '',
      reason: '',
    }
    for (const key of keysOf(MAIL_TEXTS.sk)) {
      const [sk, en] = LANGUAGES.map((language) => {
        let sentence: unknown = MAIL_TEXTS[language]
        for (const part of key.split('.')) sentence = (sentence as Record<string, unknown>)[part]
        return (sentence as (given: unknown) => string)(key.startsWith('subject.') ? '' : values)
      })
      t.ok(sk?.trim(), `${key} in sk`)
      t.notMatch(sk, /(?:^|\s)[aikosuvz] |e-mail|, alebo /i, `typography of ${key}`)
      t.ok(en?.trim(), `${key} in en`)
      t.not(sk, en, key)
    }
  },
)

t.test('the wording that was agreed is kept', async (t) => {
  const mail = renderMail(input({ language: 'en' }))
  t.equal(mail.subject, 'Please sign: Zmluva o dielo')
  t.match(mail.text, 'You received this message at p2@example.com')
})

t.test('a mail names title, recipient, sender and host in both of its parts (S15)', async (t) => {
  for (const { type, language } of every) {
    const mail = renderMail(input({ type, language }))
    for (const part of [mail.text, mail.html]) {
      t.match(part, 'Zmluva o dielo', `${type} ${language}`)
      t.match(part, 'Jana Nováková')
      t.match(part, 'p2@example.com')
      t.match(part, 'office@example.com')
      t.notMatch(part, /undefined|\[object|null|NaN/)
    }
    t.equal(mail.language, language)
    t.match(mail.html, `<html lang="${language}"`)
    t.same(mail.to, { name: 'Jana Nováková', address: 'p2@example.com' })
    t.same(mail.replyTo, { name: 'Stavby Žilina, s. r. o.', address: 'office@example.com' })
    t.equal(mail.fromName, 'Stavby Žilina, s. r. o.')
    t.equal(mail.id, '5f6b0f0e-1111-5222-8333-444455556666')
  }
})

t.test('only what can be acted on has a button, and its host can be read (S15)', async (t) => {
  for (const { type, language } of every) {
    const { text, html } = renderMail(input({ type, language }))
    const hasButton = ['invitation', 'reminder', 'completion'].includes(type)
    t.equal(html.split('<a ').length - 1, hasButton ? 1 : 0, `${type} ${language}`)
    t.equal(text.includes(`\n${URL}\n`), hasButton)
    t.equal(html.includes(`href="${URL}"`), hasButton)
    if (hasButton) t.match(text, 'sign.example.com.')
  }
})

t.test('until when is the same time in both languages, with its zone (S15)', async (t) => {
  t.match(renderMail(input()).text, '30.\u00a0novembra 2026, 01:00 (SEČ, UTC+1)')
  t.match(renderMail(input({ language: 'en' })).text, '30\u00a0November 2026, 01:00 (CET, UTC+1)')
  const summer = '2026-07-30T00:00:00.000Z'
  t.equal(instantIn({ language: 'en' }, summer), '30\u00a0July 2026, 02:00 (CEST, UTC+2)')
})

t.test('until when is in the time zone of the tenant', async (t) => {
  const inZone = (language: Language, timeZone: string) =>
    renderMail({ ...input({ language }), timeZone }).text
  t.match(inZone('en', 'America/New_York'), '29\u00a0November 2026, 19:00 (UTC-5)')
  t.match(inZone('sk', 'Europe/Vienna'), '30.\u00a0novembra 2026, 01:00 (SEČ, UTC+1)')
  t.match(inZone('sk', 'UTC'), '30.\u00a0novembra 2026, 00:00 (UTC)')
})

t.test('a completion carries the document, or says until when the link works', async (t) => {
  const signedPdf = new Uint8Array([37, 80, 68, 70])
  const attached = renderMail(input({ type: 'completion', title: 'A/B: "x"', signedPdf }))
  t.same(attached.attachments, [
    { name: 'A B x-signed.pdf', mediaType: 'application/pdf', bytes: signedPdf },
  ])
  t.match(attached.text, 'v\u00a0prílohe')
  const linked = renderMail(input({ type: 'completion' }))
  t.equal(linked.attachments, undefined)
  t.match(linked.text, 'stiahnuť do 30.')
  t.notMatch(linked.text, 'prílohe')
})

t.test('a completion warns of passing its link on, and repeats no beginning', async (t) => {
  for (const language of LANGUAGES) {
    for (const signedPdf of [new Uint8Array([37, 80, 68, 70]), undefined]) {
      const { text } = renderMail(
        input({ type: 'completion', language, ...(signedPdf ? { signedPdf } : {}) }),
      )
      t.match(text, MAIL_TEXTS[language].linkIsPersonal({} as MailValues))
      const beginnings = text
        .split(/[.\n] */)
        .filter((sentence) => sentence.includes(' '))
        .map((sentence) => sentence.split(' ').slice(0, 2).join(' '))
      t.equal(new Set(beginnings).size, beginnings.length, beginnings.join(' | '))
    }
  }
})

t.test(
  'a completion that asks for a second factor says so, not that it is too large',
  async (t) => {
    const textIn = (language: Language, now: string) => {
      const plain = input({ type: 'completion', language, now })
      const { spec } = plain.signatureCase
      const definition = { ...spec.definition, multiFactorType: 'EMAIL' as const }
      const signatureCase = { ...plain.signatureCase, spec: { ...spec, definition } }
      return renderMail({ ...plain, signatureCase }).text
    }
    t.match(textIn('en', SIGNED_AT), 'verify yourself')
    t.match(textIn('sk', SIGNED_AT), 'overíte')
    t.notMatch(textIn('en', VALID_UNTIL), 'too large')
    t.match(textIn('en', VALID_UNTIL), 'worked until 30')
  },
)

t.test('a completion after validUntil has no link, because the link is over', async (t) => {
  const late = renderMail(input({ type: 'completion', language: 'en', now: VALID_UNTIL }))
  t.notMatch(late.html, '<a ')
  t.match(late.text, 'the link to it worked until 30')
})

t.test('a cancellation gives the reason on one line', async (t) => {
  const mail = renderMail(input({ type: 'cancellation', reason: 'Zmenila sa\r\ncena' }))
  t.match(mail.text, 'Dôvod: Zmenila sa cena\n')
  t.notMatch(renderMail(input({ type: 'cancellation' })).text, 'Dôvod')
})

t.test('no name or title can add a header', async (t) => {
  const evil = 'A\r\nBcc: victim@example.com\u2028\u0085\0\x1b[31mB'
  const mail = renderMail(
    input({
      title: evil,
      firstName: evil,
      email: 'a@b.sk>\r\nBcc: <c@d.sk',
      sender: { name: evil, replyTo: 'r@b.sk\r\nBcc: c@d.sk' },
    }),
  )
  const headers = [
    mail.subject,
    mail.fromName,
    mail.to.name,
    mail.to.address,
    mail.replyTo?.name,
    mail.replyTo?.address,
  ]
  for (const header of headers) t.notMatch(header, /[\p{Cc}\u2028\u2029]/u)
  t.notMatch(mail.to.address, /[\s<>:,]/)
  t.notMatch(mail.replyTo?.address, /[\s<>:,]/)
  t.equal(mail.subject, 'Na podpis: A Bcc: victim@example.com [31mB')
})

t.test('markup in a name, title or reason is shown, not obeyed', async (t) => {
  const evil = `<img src=x onerror="a()">'&amp;`
  const { html } = renderMail(
    input({
      type: 'cancellation',
      title: evil,
      lastName: evil,
      sender: { name: evil },
      reason: evil,
    }),
  )
  t.notMatch(html, '<img')
  t.equal(html.split('&lt;img src=x onerror=&quot;a()&quot;&gt;&#39;&amp;amp;').length - 1, 4)
})

t.test('characters that turn text are taken out; right-to-left names are isolated', async (t) => {
  const mail = renderMail(input({ title: 'fdp.\u202Eexe\u202C\u200B\u2066x', firstName: 'דנה' }))
  t.equal(mail.subject, 'Na podpis: fdp.exex')
  for (const part of [mail.text, mail.html]) {
    t.notMatch(part, /[\u202A-\u202E\u200B\u2066]/)
    t.match(part, '\u2068דנה Nováková\u2069')
  }
})

t.test('a subject stays short however long the title is (S15)', async (t) => {
  const { subject, text } = renderMail(input({ title: 'Ž'.repeat(255) }))
  t.ok([...subject].length <= 80)
  t.match(subject, /…$/)
  t.match(text, 'Ž'.repeat(255))
})

t.test('without a sender the mail names none and says where to turn', async (t) => {
  for (const { type, language } of every) {
    const mail = renderMail(input({ type, language, sender: null }))
    t.equal(mail.fromName, 'sigcase')
    t.equal(mail.replyTo, undefined)
    t.match(mail.text, language === 'sk' ? 'odoslaná automaticky' : 'sent automatically')
    t.notMatch(mail.text, 'undefined')
  }
})

t.test('the HTML part fetches nothing and sets no colour that dark screens hide', async (t) => {
  const { html } = renderMail(input())
  t.notMatch(html, /<(img|link|script|iframe)|url\(|@import/)
  t.notMatch(html.replace(/<a [^>]*>/g, ''), /style="[^"]*(?<!-)color:/)
  t.match(html, 'color-scheme:light dark')
})
