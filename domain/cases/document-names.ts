/** File names of the documents of a case. */
import { Buffer } from 'node:buffer'

/**
 * File systems allow 255 octets; the rest is for suffix and extension, such as a browser's ` (1)`.
 */
const MAXIMUM_STEM_OCTETS = 200
/** Characters that file systems reject, control characters, and direction overrides. */
const UNSAFE = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** Returns the longest prefix that fits, without splitting a character. */
function fitting(text: string): string {
  if (Buffer.byteLength(text) <= MAXIMUM_STEM_OCTETS) return text
  let octets = 0
  let end = 0
  for (const character of text) {
    octets += Buffer.byteLength(character)
    if (octets > MAXIMUM_STEM_OCTETS) break
    end += character.length
  }
  return text.slice(0, end)
}

/** @param title of the case, as the tenant gave it */
export function documentNames(title: string): {
  original: string
  signed: string
  evidence: string
} {
  const cleaned = title.toWellFormed().replace(UNSAFE, ' ').replace(/\s+/g, ' ')
  const stem = fitting(cleaned.replace(/^[ .]+/, '')).trim() || 'document'
  return {
    original: `${stem}.pdf`,
    signed: `${stem}-signed.pdf`,
    evidence: `${stem}-evidence.pdf`,
  }
}
