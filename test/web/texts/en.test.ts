import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { CURRENT_CONSENTS } from '../../../domain/consent.ts'
import { readDrawing } from '../../../pades/appearance/drawing.ts'
import { withBoundWords } from '../../../web/texts/bound-words.ts'
import { ENGLISH, type Texts } from '../../../web/texts/en.ts'
import { SLOVAK } from '../../../web/texts/sk.ts'
import { signerRequest } from '../../../workers/finalise/signers.ts'
import { participant, signature, SIGNED_AT } from '../../fixtures/signature-case.ts'
import { instantIn, waitIn } from '../../../web/texts/times.ts'

const WEB = join(import.meta.dirname, '../../../web')
const sources = globSync('**/*.{ts,tsx}', { cwd: WEB, exclude: ['dist/**'] }).map((path) => ({
  path,
  text: readFileSync(join(WEB, path), 'utf8'),
}))
const KEYS = Object.keys(ENGLISH) as (keyof Texts)[]
/** The same in every language. */
const SAME = new Set<keyof Texts>(['serviceName', 'pageCounter', 'pinLabel', 'reportDigest'])
/** What no language writes: letters of Slovak. */
const SLOVAK_LETTERS = /[áäčďéíĺľňóôŕšťúýž]/i

/** The sentence with every number from 1 to 5, or with a name. */
function said(texts: Texts, key: keyof Texts): string[] {
  const sentence = texts[key] as string | ((...values: unknown[]) => string)
  if (typeof sentence === 'string') return [sentence]
  return [1, 2, 5].map((value) => sentence(value, value))
}

t.test('both languages say everything, each in its own words (S13)', async (t) => {
  t.strictSame(Object.keys(SLOVAK).sort(), [...KEYS].sort())
  for (const key of KEYS) {
    const [english, slovak] = [said(ENGLISH, key), said(SLOVAK, key)]
    for (const sentence of [...english, ...slovak]) t.ok(sentence.trim(), `${key} says something`)
    if (!SAME.has(key)) t.notSame(slovak, english, `${key} is translated`)
    t.notOk(
      english.some((sentence) => SLOVAK_LETTERS.test(sentence)),
      `${key} is English`,
    )
  }
})

t.test('every sentence is said somewhere (S13)', async (t) => {
  const views = sources.filter(({ path }) => !path.startsWith('texts/'))
  const all = views.map(({ text }) => text).join('\n')
  const silent = KEYS.filter(
    (key) => key !== 'languageName' && !new RegExp(`\\b${key}\\b`).test(all),
  )
  t.strictSame(silent, [])
})

/** Text between tags, and attributes that people read. */
const IN_VIEWS = [
  />\s*([^<>{}=;()]*\p{L}{2}[^<>{}=;()]*)\s*<\//gu,
  /\b(?:aria-label|alt|title|placeholder)="([^"]*\p{L}[^"]*)"/gu,
]

function hardCoded(text: string): string[] {
  return IN_VIEWS.flatMap((form) => [...text.matchAll(form)].map(([, words]) => `${words}`.trim()))
}

t.test('no sentence is hard-coded in a view (S13)', async (t) => {
  t.same(hardCoded('<p>Sign here</p>'), ['Sign here'])
  t.same(hardCoded('<p class="quiet">{texts.a}</p><img alt="" />'), [])
  t.same(hardCoded('<button aria-label="Close" />'), ['Close'])
  // The reference of the API is in English only.
  const views = sources.filter(({ path }) => path.endsWith('.tsx') && !path.startsWith('docs/'))
  t.ok(views.length > 15)
  t.strictSame(
    views.flatMap(({ path, text }) => hardCoded(text).map((words) => `${path}: ${words}`)),
    [],
  )
})

t.test('numbers take the right words (S13)', async (t) => {
  t.same([1, 2, 5].map(SLOVAK.pageCount), ['1 strana', '2 strany', '5 strán'])
  t.same([1, 2].map(ENGLISH.pageCount), ['1 page', '2 pages'])
  t.match([1, 3, 5].map(SLOVAK.codeWrong).join(), /1 pokus\..*3 pokusy\..*5 pokusov\./)
})

t.test('the sentence that is emphasised begins the published consent (S7)', async (t) => {
  for (const [language, { consentShort }] of Object.entries({ sk: SLOVAK, en: ENGLISH })) {
    const { text, version } = CURRENT_CONSENTS[language as 'sk' | 'en']
    t.ok(text.startsWith(consentShort), text)
    t.match(version, new RegExp(`-${language}$`), 'the version names the language')
  }
})

t.test('the preview says under the drawing what the signed PDF says (S6)', async (t) => {
  for (const [language, { signedLine }] of Object.entries({ sk: SLOVAK, en: ENGLISH })) {
    const person = participant(1, { language: language as 'sk' | 'en' })
    const credential = () => Promise.reject(new Error('not asked for'))
    const drawing = readDrawing('M0 20 C20 0 40 40 60 20')
    const { appearance } = signerRequest(signature(person), person, drawing, credential)
    const time = `${SIGNED_AT.slice(0, 19).replace('T', ' ')} UTC`
    t.same(appearance.lines, [`${person.firstName} ${person.lastName}`, signedLine(time)])
  }
})

/** What lawyers and testers of the pages asked for, word for word. */
const WORDED = {
  sk: {
    progressOf: 'hotové: 1 z\u00a01',
    trustOwn: 'Certifikát vydala táto služba',
    signOffline: /Podpis ostal v\u00a0tomto zariadení a\u00a0skúšame ho odoslať znova/,
    codeAgain: /Potvrďte svoju totožnosť znova/,
    expiredText: /^Do konca lehoty chýbal aspoň jeden podpis/,
    fieldShort: 'Podpíšte sa tu',
    consentShort: /^Obsah dokumentu poznám a\u00a0chcem ho podpísať elektronicky/,
    reviewed: /^Zobrazené/,
    verdictUncertainText: /^Podrobnosti nájdete nižšie/,
    checkUnknown: 'nezistené',
    whyFormat: /podľa normy/,
    consentMissing: /^Zaškrtnite/,
    kioskClosedText: /Obráťte sa na\sobsluhu/,
  },
  en: {
    codeLabel: 'Six-digit code',
    codeResend: 'Request a new code',
    linkExpiredHeading: /has expired/,
    signRefused: /Please create it again/,
    signOffline: /we’ll keep trying/,
    signingAs: 'Signing as',
    kioskOther: /^The previous document was closed/,
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    trustNobody: 'Issuer unknown to us',
    reviewed: /^Viewed/,
  },
} as const

t.test('the wording that was agreed is kept', async (t) => {
  for (const [texts, agreed] of [
    [SLOVAK, WORDED.sk],
    [ENGLISH, WORDED.en],
  ] as const) {
    for (const [key, words] of Object.entries(agreed)) {
      const [first = ''] = said(texts, key as keyof Texts)
      if (typeof words === 'string') t.equal(first, words)
      else t.match(first, words)
    }
  }
  const forms = [1, 2, 5].map(SLOVAK.fieldsLeft)
  const expected = ['Ostáva 1 pole', 'Ostávajú 2 polia', 'Ostáva 5 polí']
  t.same(
    forms,
    expected.map((words) => `${words} na podpis`),
  )
  t.notMatch(SLOVAK.qualificationOther('AdESig'), /kvalifikovanom certifikáte/)
  t.notMatch(ENGLISH.qualificationOther('AdES'), /qualified certificate/)
  const all = KEYS.flatMap((key) => said(SLOVAK, key)).join('\n')
  t.notMatch(all, /, alebo |e-mail/i, 'no comma before “alebo”, no “e-mail” that breaks')
  const english = KEYS.flatMap((key) => said(ENGLISH, key)).join('\n')
  t.notMatch(english, /e-mail/i, 'nor in English')
})

t.test('mails about protected and large documents have only a link', async (t) => {
  for (const { doneNext, kioskThanksText } of [ENGLISH, SLOVAK]) {
    for (const text of [doneNext, kioskThanksText]) t.match(text, /or a link|alebo odkaz/)
  }
})

t.test('the button that signs names the act (S7)', async (t) => {
  t.equal(ENGLISH.signDocument, 'Sign document')
  t.equal(SLOVAK.signDocument, 'Podpísať dokument')
})

t.test('no Slovak line ends with a word of one letter', async (t) => {
  t.equal(SLOVAK.kioskPairText.includes(' v '), false)
  t.match(SLOVAK.codeSentEmail('j***@e***.sk'), 'e\u2011mailom na j***@e***.sk')
  t.match(SLOVAK.homeStartText, 's\u00a0ľubovoľným')
  const { said } = withBoundWords({ said: 'drží a v ruke i s perom' })
  t.match(SLOVAK.codeByEmail, 'e\u2011mailom')
  t.equal(said, 'drží a\u00a0v\u00a0ruke i\u00a0s\u00a0perom', 'two such words as well')
})

t.test('instants name their zone, spans count down (S10)', async (t) => {
  const instant = '2026-11-30T22:30:00Z'
  t.match(instantIn('sk', instant), /november|novembra/)
  t.match(instantIn('en', instant), /November 2026.*(UTC|GMT|C?ET)/)
  const waits = [1, 20_000, 64_000, 901_000, 3_600_000, 7_000_000]
  const slovak = ['1 sekundu', '20 sekúnd', '2 minúty', '15 minút', '60 minút', '2 hodiny']
  t.same(
    waits.map((spanMs) => waitIn('sk', spanMs).replace('\u00a0', ' ')),
    slovak,
  )
  t.same(
    [899_000, 60_000].map((spanMs) => waitIn('en', spanMs)),
    ['15 minutes', '1 minute'],
  )
})
