/** The names under which documents of a case are saved. */

const MAXIMUM_STEM_LENGTH = 150
/** What file systems do not take, control characters and what turns the reading direction. */
const UNSAFE = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** @param title of the case, as the tenant gave it */
export function documentNames(title: string): {
  original: string
  signed: string
  evidence: string
} {
  const cleaned = title.toWellFormed().replace(UNSAFE, ' ').replace(/\s+/g, ' ')
  const short =
    cleaned.length <= MAXIMUM_STEM_LENGTH
      ? cleaned
      : [...cleaned].slice(0, MAXIMUM_STEM_LENGTH).join('')
  const stem = short.trim().replace(/^\.+/, '') || 'document'
  return {
    original: `${stem}.pdf`,
    signed: `${stem}-signed.pdf`,
    evidence: `${stem}-evidence.pdf`,
  }
}
