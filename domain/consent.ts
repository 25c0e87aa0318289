/**
 * The consent texts that this service has published, by version; a version's words never change.
 */
import { LANGUAGES, type Language } from './cases/definition.ts'

export interface ConsentText {
  version: string
  /** Since 2026-11-22 a version has one language, so that it names the exact words. */
  texts: Readonly<Partial<Record<Language, string>>>
}

export const CONSENT_TEXTS: readonly ConsentText[] = [
  {
    version: '2026-11',
    texts: {
      sk:
        'Prečítal(a) som si dokument a chcem ho podpísať elektronicky. Súhlasím, aby sa z mojej ' +
        'kresby alebo napísaného mena a z údajov o podpisovaní (čas, IP adresa, prehliadač) ' +
        'vytvoril elektronický podpis a dôkazný záznam. Viem, že podpísaný dokument dostanú ' +
        'všetky strany prípadu.',
      en:
        'I have read the document and I want to sign it electronically. I agree that my drawing ' +
        'or typed name and the data of the signing (time, IP address, browser) are used to make ' +
        'an electronic signature and a record of evidence. I know that all parties of the case ' +
        'receive the signed document.',
    },
  },
  {
    version: '2026-11-22-sk',
    texts: {
      // A word of one letter does not end a line: no-break spaces.
      sk:
        'Obsah dokumentu poznám a\u00a0chcem ho podpísať elektronicky. Súhlasím, aby sa ' +
        'z\u00a0vyobrazenia môjho podpisu a\u00a0z\u00a0údajov o\u00a0podpisovaní (čas, IP ' +
        'adresa, prehliadač) vytvoril elektronický podpis a\u00a0dôkazný záznam. Viem, že ' +
        'podpísaný dokument dostanú všetky strany prípadu.',
    },
  },
  {
    version: '2026-11-22-en',
    texts: {
      en:
        'I know the content of the document and I want to sign it electronically. I agree that ' +
        'the image of my signature and the data of the signing (time, IP address, browser) are ' +
        'used to make an electronic signature and a record of evidence. I know that all parties ' +
        'of the case receive the signed document.',
    },
  },
  // Not every party gets a mail with the document: a case can be without mails (`notify`).
  {
    version: '2026-11-28-sk',
    texts: {
      sk:
        'Obsah dokumentu poznám a\u00a0chcem ho podpísať elektronicky. Súhlasím, aby sa ' +
        'z\u00a0vyobrazenia môjho podpisu a\u00a0z\u00a0údajov o\u00a0podpisovaní (čas, IP ' +
        'adresa, prehliadač) vytvoril elektronický podpis a\u00a0dôkazný záznam. Viem, že ' +
        'podpísaný dokument môžu dostať všetky strany prípadu.',
    },
  },
  {
    version: '2026-11-28-en',
    texts: {
      en:
        'I know the content of the document and I want to sign it electronically. I agree that ' +
        'the image of my signature and the data of the signing (time, IP address, browser) are ' +
        'used to make an electronic signature and a record of evidence. I know that all parties ' +
        'of the case can receive the signed document.',
    },
  },
]

export const CONSENT_VERSIONS: readonly string[] = CONSENT_TEXTS.map(({ version }) => version)

/** One text in one language, as it is shown and recorded. */
export interface ShownConsent {
  version: string
  text: string
}

function newestIn(language: Language): ShownConsent {
  const newest = CONSENT_TEXTS.findLast(({ texts }) => texts[language] !== undefined)
  const text = newest?.texts[language]
  if (!newest || text === undefined) throw new Error(`no consent text in ${language}`)
  return { version: newest.version, text }
}

/** What is shown to people who sign now, by language. */
export const CURRENT_CONSENTS: Readonly<Record<Language, ShownConsent>> = {
  sk: newestIn('sk'),
  en: newestIn('en'),
}

/** The languages of a version's texts. @returns none for a version that was never published */
export function consentLanguages(version: string): Language[] {
  const texts = CONSENT_TEXTS.find((text) => text.version === version)?.texts ?? {}
  return LANGUAGES.filter((language) => texts[language] !== undefined)
}

/**
 * The language in which a text was accepted.
 *
 * @param ofPerson the language of the participant, in which texts of two languages were shown
 */
export function acceptedLanguage(version: string, ofPerson: Language): Language {
  const [first = ofPerson, ...others] = consentLanguages(version)
  return others.length > 0 ? ofPerson : first
}
