/** Folds texts so that a search finds them without regard to case, accents and spacing. */

/** Returns the text in lower case, without diacritics, with single spaces. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
