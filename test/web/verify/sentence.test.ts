/** The sentence at the top claims only what validation found. */
import t from 'tap'
import { VALIDATION_REPORT } from '../../../domain/contract/report-example.ts'
import type { ValidationReport } from '../../../domain/contract/validation-report.ts'
import { ENGLISH } from '../../../web/texts/en.ts'
import { SLOVAK } from '../../../web/texts/sk.ts'
import { sentenceOf, wordsOf } from '../../../web/verify/sentence.ts'
import { type SignatureReport, verdictOf } from '../../../web/verify/verdict.ts'

const [EXAMPLE] = VALIDATION_REPORT.signatures as [SignatureReport]
const SIGNER = EXAMPLE.signer!
const { validationTime } = VALIDATION_REPORT

const signedBy = (name: string, revision: number, more: Partial<SignatureReport> = {}) => ({
  ...EXAMPLE,
  id: `S-${revision}`,
  signer: { ...SIGNER, commonName: name, subject: `CN=${name},GN=${name},SN=N` },
  integrity: { ...EXAMPLE.integrity, revision },
  ...more,
})
const sealed = (revision: number, more: Partial<SignatureReport> = {}) =>
  signedBy('seal', revision, { signer: { ...SIGNER, subject: 'CN=seal,O=service' }, ...more })
/** The clock of the signer is all that says when. */
const claimed = { bestSignatureTime: validationTime, claimedSigningTime: '2020-01-01T00:00:00Z' }

const say = (...signatures: SignatureReport[]) =>
  [ENGLISH, SLOVAK].map((texts, index) =>
    sentenceOf(verdictOf({ ...VALIDATION_REPORT, signatures }), texts, index === 0 ? 'en' : 'sk')
      .replace(/[\u2068\u2069]/g, '')
      .replaceAll('\u00a0', ' '),
  )
const at = (bestSignatureTime: string) => ({ bestSignatureTime })

t.test('the day is that of the last signature', async (t) => {
  const jana = signedBy('Jana', 1, at('2026-03-01T12:00:00Z'))
  const seal = at('2026-03-02T12:00:00Z')
  t.same(say(jana, sealed(2, seal)), [
    'Signed by Jana, sealed on 2 March 2026, not changed since',
    'Podpísala osoba Jana, zapečatené 2. marca 2026, odvtedy nezmenené',
  ])
  t.same(say(sealed(1, seal)), [
    'Sealed on 2 March 2026, not changed since',
    'Zapečatené 2. marca 2026, odvtedy nezmenené',
  ])
  const later = signedBy('Peter', 3, at('2026-03-03T12:00:00Z'))
  t.same(say(jana, sealed(2, seal), later), [
    'Signed by Jana and Peter, last on 3 March 2026, not changed since',
    'Podpísali Jana a Peter, naposledy 3. marca 2026, odvtedy nezmenené',
  ])
})

t.test('a day that nothing proves is not named', async (t) => {
  const { claimedSigningTime: _, ...timeless } = signedBy('Jana', 1, at(validationTime))
  for (const one of [signedBy('Jana', 1, claimed), timeless]) {
    t.same(say(one), [
      'Signed by Jana, not changed since',
      'Podpísala osoba Jana, odvtedy nezmenené',
    ])
    t.same(say(one, sealed(2, claimed)), [
      'Signed by Jana, sealed, not changed since',
      'Podpísala osoba Jana, zapečatené, odvtedy nezmenené',
    ])
  }
  t.same(say(sealed(1, claimed)), ['Sealed, not changed since', 'Zapečatené, odvtedy nezmenené'])
})

t.test('a document that has only a time-stamp was not changed after it was signed', async (t) => {
  const headingOf = (signatures: readonly SignatureReport[], documentTimestamps: unknown[]) => {
    const report = { ...VALIDATION_REPORT, signatures, documentTimestamps } as ValidationReport
    return wordsOf(verdictOf(report), report)?.heading
  }
  const integrity = { ...EXAMPLE.integrity, digestMatch: false }
  const changed = signedBy('Jana', 1, { integrity })
  const changedStamp = { id: 'T-1', modifications: EXAMPLE.modifications, integrity }
  t.equal(headingOf([changed], []), 'verdictChanged')
  t.equal(headingOf([EXAMPLE], [changedStamp]), 'verdictChanged')
  t.equal(headingOf([], [changedStamp]), 'verdictChangedStamped')
  t.equal(headingOf([], []), 'verdictUnsigned')
  t.equal(headingOf([EXAMPLE], []), undefined)
})
