/** The published consent texts, by version. The text of a version never changes. */
import type { Language } from './cases/definition.ts'

export interface ConsentText {
  version: string
  texts: Readonly<Record<Language, string>>
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
]

/** The text for participants who sign now. */
export const CURRENT_CONSENT = CONSENT_TEXTS.at(-1) as ConsentText
