/** The names under which documents of a case are saved. */
import { Buffer } from 'node:buffer'

/** File systems take 255 octets: ending, and what a browser adds to a second copy, need room. */
const MAXIMUM_STEM_OCTETS = 200
/** What file systems do not take, control characters and what turns the reading direction. */
const UNSAFE = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** The characters from the start that fit; none is cut in two. */
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
