/** Messages that bring a one-time code. */
import t from 'tap'
import { LANGUAGES } from '../../../domain/cases/definition.ts'
import { codeMail, codeSms } from '../../../domain/mail/code-messages.ts'
import { CODE_TEXTS } from '../../../domain/mail/code-texts.ts'
import { participant, signatureCase } from '../../fixtures/signature-case.ts'

const sender = { name: 'Stavby Žilina, s. r. o.', replyTo: 'office@example.com' }

function mailIn(language: 'sk' | 'en', definition: object = { sender }, overrides: object = {}) {
  const one = participant(2, { language, ...overrides })
  return codeMail({
    sendId: 'send-1',
    code: '042917',
    expiresAt: new Date('2026-11-02T08:40:00.000Z'),
    signatureCase: signatureCase({ participants: [one], definition }),
    participant: one,
  })
}

t.test('both parts have the code, until when it works, and no link', async (t) => {
  for (const language of LANGUAGES) {
    const mail = mailIn(language)
    for (const part of [mail.text, mail.html]) {
      for (const expected of ['042917', 'Zmluva o dielo', 'Jana Nováková', 'p2@example.com']) {
        t.ok(part.includes(expected), `${language} ${expected}`)
      }
      t.match(part, language === 'sk' ? '09:40 (SEČ, UTC+1)' : '09:40 (CET, UTC+1)')
      t.notMatch(part, /https?:|<a |undefined|\[object/)
    }
    t.match(mail.text, /\n\n042917\n\n/, 'on a line of its own')
    t.match(mail, { id: 'send-1', language, fromName: sender.name })
    t.same(mail.replyTo, { name: sender.name, address: sender.replyTo })
    t.match(mail.html, `<html lang="${language}"`)
    t.match(mail.text, language === 'sk' ? 'Túto správu dostávate' : 'You received this message')
  }
})

t.test('the subject names the document and not the code', async (t) => {
  t.equal(mailIn('sk').subject, 'Kód na podpis: Zmluva o dielo')
  t.equal(mailIn('en').subject, 'Your signing code: Zmluva o dielo')
  t.ok([...mailIn('en', { title: 'x'.repeat(255) }).subject].length < 80)
})

t.test('without a sender the service speaks for itself', async (t) => {
  const { fromName, replyTo, text } = mailIn('en', {})
  t.equal(fromName, 'sigcase')
  t.equal(replyTo, undefined)
  t.match(text, 'sent automatically')
})

t.test('names of strangers stay harmless', async (t) => {
  const hostile = '<b>\u202e"x"\r\nBcc: a@b.sk'
  const mail = mailIn('en', { title: hostile }, { firstName: hostile })
  t.notMatch(mail.subject + mail.to.name, /[\r\n\u202e]/)
  t.notMatch(mail.html, '<b>')
})

t.test('a short message is one, and both languages say the same things', async (t) => {
  for (const language of LANGUAGES) {
    const text = codeSms(language, '042917')
    t.match(text, '042917')
    t.match(text, '10')
    t.ok([...text].length <= 70, `${[...text].length} characters`)
  }
  t.same(Object.keys(CODE_TEXTS.sk), Object.keys(CODE_TEXTS.en))
})
