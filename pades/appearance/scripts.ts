/**
 * Which scripts need which font and which rules. The PDF and the preview of the signing page use
 * the same table; nothing here needs a platform.
 */

/** A script whose letters join, move or stack, or are written from right to left. */
export interface ComplexScript {
  /** As in the names of the Noto packages. */
  readonly id: string
  /** ISO 15924. */
  readonly script: string
  readonly letters: RegExp
}

const complex = (id: string, script: string): ComplexScript => ({
  id,
  script,
  letters: new RegExp(`\\p{Script_Extensions=${script}}`, 'u'),
})

export const COMPLEX_SCRIPTS: readonly ComplexScript[] = [
  complex('arabic', 'Arab'),
  complex('hebrew', 'Hebr'),
  complex('devanagari', 'Deva'),
  complex('bengali', 'Beng'),
  complex('gurmukhi', 'Guru'),
  complex('gujarati', 'Gujr'),
  complex('oriya', 'Orya'),
  complex('tamil', 'Taml'),
  complex('telugu', 'Telu'),
  complex('kannada', 'Knda'),
  complex('malayalam', 'Mlym'),
  complex('sinhala', 'Sinh'),
  complex('thai', 'Thai'),
  complex('lao', 'Laoo'),
  complex('khmer', 'Khmr'),
  complex('myanmar', 'Mymr'),
  complex('ethiopic', 'Ethi'),
]

/** Han, kana, bopomofo and Hangul, with their punctuation: each letter is drawn alone. */
export const EAST_ASIAN =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}\uFF00-\uFFEF]/u

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
/**
 * Scripts that the primary font has and that need no rules: Latin, Greek, Cyrillic and punctuation.
 * Other letters of it (Armenian, Georgian, ...) are found one by one.
 */
const COMMON = /^[\u0000-\u052F\u1C80-\u1C8F\u1D00-\u2BFF\uA720-\uA7FF\uFFFD]*$/u
/** Letters written from right to left (Unicode Standard Annex 9, 3.2, R and AL), by block. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/** Whether the primary font alone has the rules for the text; the usual case, and a quick test. */
export const isCommon = (cleaned: string): boolean => COMMON.test(cleaned)

export const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text)

/** Whether the text has kana: its Han characters then get their Japanese forms. */
export const hasKana = (text: string): boolean => KANA.test(text)

/**
 * The direction of a row: from right to left when it begins so. A number before a name does not
 * turn the row of a list, as its first strong letter would (Unicode Standard Annex 9, rule P2).
 */
export const directionOf = (cleaned: string): 'ltr' | 'rtl' =>
  hasRightToLeft(String.fromCodePoint(cleaned.codePointAt(0) ?? 0)) ? 'rtl' : 'ltr'
