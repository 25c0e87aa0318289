/** Names of PDF (ISO 32000-2, 7.3.5); those that a file repeats are made once. */
import { PdfName } from './values.ts'

/** A later name with the same hash takes the place of an earlier one. */
const KNOWN_NAMES_MASK = 0x3ff
const LONGEST_KNOWN_NAME = 32
const knownNames: (PdfName | undefined)[] = Array<PdfName | undefined>(KNOWN_NAMES_MASK + 1).fill(
  undefined,
)

/** @returns the hash of a name that goes on with `byte`; that of none is 0 */
export function hashWith(hash: number, byte: number): number {
  return (hash * 31 + byte) & KNOWN_NAMES_MASK
}

/** The name whose escaped form is in the bytes from `start` to before `end`, if it is known. */
export function knownName(
  bytes: Uint8Array,
  start: number,
  end: number,
  hash: number,
): PdfName | undefined {
  const known = knownNames[hash]
  if (known?.value.length !== end - start) return undefined
  for (let index = 0; index < end - start; index += 1) {
    if (bytes[start + index] !== known.value.charCodeAt(index)) return undefined
  }
  return known
}

/** @param raw one character per byte, `#xx` not yet decoded */
export function newName(raw: string, hash: number): PdfName {
  if (raw.includes('#')) return new PdfName(unescapedName(raw))
  const name = new PdfName(raw)
  if (raw.length <= LONGEST_KNOWN_NAME) knownNames[hash] = name
  return name
}

/** Replaces the escapes of a name (ISO 32000-2, 7.3.5). @param raw one character per byte */
function unescapedName(raw: string): string {
  return raw.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
