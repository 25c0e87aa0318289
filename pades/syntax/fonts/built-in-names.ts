/**
 * Judges which glyphs of Type 1 and compact programs the codes of a simple font show (ISO 32000-2,
 * 9.6.5): some readers prefer the encoding of the program, others the standard encoding.
 */
import { charactersOf } from './code-characters.ts'
import { nameOf } from './glyph-names.ts'
import type { CodeSet } from './shown-codes.ts'
import { standardName } from './standard-strings.ts'
import type { SimpleEncoding } from './true-type-codes.ts'

/** The glyphs of a program. */
export interface BuiltInNames {
  readonly names: ReadonlySet<string>
  /** Names that readers take for a code from the encoding of the program; undefined for none. */
  readonly namesOf: (code: number) => readonly (string | undefined)[]
}

export const NOT_DEFINED = '.notdef'

/** @returns whether every reader shows the same glyph for each code that a text shows */
export function namesAlike(
  program: BuiltInNames,
  encoding: SimpleEncoding,
  codes: CodeSet,
): boolean {
  return codes.every((isShown, code) => isShown === 0 || isAlike(program, encoding, code))
}

function isAlike(program: BuiltInNames, encoding: SimpleEncoding, code: number): boolean {
  const has = (name: string | undefined) =>
    name !== undefined && name !== NOT_DEFINED && program.names.has(name)
  const owns = program.namesOf(code)
  const [own] = owns
  const standard = standardName(code)
  const isSameAs = (other: string | undefined) => own === other || (!has(own) && !has(other))
  const name = encoding.names.get(code)
  // MuPDF takes the glyph of the code in place of one that is missing.
  if (name !== undefined) return has(name) || (!has(own) && !has(standard))
  if (encoding.base === undefined) {
    const isOwn = encoding.isSymbolic && !encoding.isStandard
    return owns.every(isSameAs) && (isOwn || isSameAs(standard))
  }
  const named = charactersOf(encoding.base, code).map(nameOf).filter(has)
  // Ghostscript prefers the encoding of a symbolic program.
  return !encoding.isSymbolic || !has(own) || named.length === 0 || named.includes(own ?? '')
}
