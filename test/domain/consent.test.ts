import t from 'tap'
import {
  acceptedLanguage,
  CONSENT_TEXTS,
  consentLanguages,
  CURRENT_CONSENTS,
} from '../../domain/consent.ts'

t.test('published texts keep their words', async (t) => {
  const [first] = CONSENT_TEXTS
  t.equal(first?.version, '2026-11')
  t.match(first?.texts.sk, /^Prečítal\(a\) som si dokument/)
  t.match(first?.texts.en, /^I have read the document/)
  const versions = CONSENT_TEXTS.map(({ version }) => version)
  t.equal(new Set(versions).size, versions.length, 'each version appears once')
})

t.test('a version of one language names the language that was accepted', async (t) => {
  t.equal(CURRENT_CONSENTS.sk.version, '2026-11-28-sk')
  t.equal(acceptedLanguage('2026-11-22-en', 'sk'), 'en')
  t.same(consentLanguages('2026-11-22-en'), ['en'])
})

t.test('the text promises nobody the document: a case can be without mails', async (t) => {
  t.match(CURRENT_CONSENTS.sk.text, /môžu dostať všetky strany prípadu\.$/)
  t.match(CURRENT_CONSENTS.en.text, /can receive the signed document\.$/)
})

t.test('a version of two languages was shown in that of the person', async (t) => {
  t.same(consentLanguages('2026-11'), ['sk', 'en'])
  t.equal(acceptedLanguage('2026-11', 'sk'), 'sk')
  t.equal(acceptedLanguage('unknown', 'en'), 'en')
})
