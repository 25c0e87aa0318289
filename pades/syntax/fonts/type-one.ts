/** Judges Type 1 font programs (Adobe Type 1 Font Format, 2 and 7). */
import { Buffer } from 'node:buffer'
import type { BuiltInNames } from './built-in-names.ts'
import { standardName } from './standard-strings.ts'

/** The key of the encrypted part, and the constants of its cipher (7.1). */
const KEY = 55_665
const FACTOR = 52_845
const ADDEND = 22_719
const START = '%!'
const ENCRYPTED = 'eexec'
const GLYPHS = '/CharStrings'
/** Random octets that begin the encrypted part. */
const RANDOM_OCTETS = 4
const HEXADECIMAL = /^[0-9A-Fa-f \t\r\n]{8}/

/** Whether every reader finds the glyphs of a program: they are in its encrypted part. */
export function isTypeOne(program: Buffer): boolean {
  if (program.toString('latin1', 0, START.length) !== START) return false
  const keyword = program.indexOf(ENCRYPTED)
  if (keyword === -1) return false
  const encrypted = encryptedPart(program, keyword + ENCRYPTED.length)
  const secret = decrypt(encrypted)
  const glyphs = secret.indexOf(GLYPHS)
  // Readers that find two lists of glyphs replace the font.
  const isAlone = glyphs !== -1 && secret.indexOf(GLYPHS, glyphs + 1) === -1
  const hasNames = isAlone && glyphNames(secret) !== undefined
  return hasNames && isPlain(program.toString('latin1', 0, keyword))
}

const ENCODING = '/Encoding'
const PAINT = '/PaintType'
const AREAS = /^[ \t\r\n]+0[ \t\r\n]/
/** White space either of PostScript or of regular expressions, but not of both. */
const ODD_WHITE_SPACE = /[\0\v\u00a0]/
const IN_COMMENT = /%[^\r\n]*\/Encoding/

/**
 * Only some readers draw the lines of outlines. Comments in an encoding would be read as a part of
 * it; pdfTeX writes one behind it.
 */
function isPlain(clear: string): boolean {
  const [, ...paints] = clear.split(PAINT)
  if (!paints.every((source) => AREAS.test(source))) return false
  const [, ...encodings] = clear.split(ENCODING)
  const codes = encodings.map((source) => source.slice(0, source.lastIndexOf('put') + 1))
  const isClear = codes.every((source) => !source.includes('%') && !ODD_WHITE_SPACE.test(source))
  return isClear && !IN_COMMENT.test(clear)
}

const STANDARD = /^\s+StandardEncoding\s+def/
const CODE = /\bdup\s+(?:(\d+)#)?(\w+)\s*\/(\S+)\s+put\b/g
/** White space is that of PostScript: `\s` is another set. */
const WHITE = '[\\0\\t\\n\\f\\r ]'
const REGULAR = '[^\\0\\t\\n\\f\\r /<>[\\](){}%]'
/** What is before a glyph, its name, the size of its data, and the operator before these. */
const GLYPH = new RegExp(`[^/%]*/(${REGULAR}+)${WHITE}+(\\d+)${WHITE}+${REGULAR}+${WHITE}`, 'y')

/** The end of the list of glyphs, behind the operators of the last one. */
const GLYPHS_END = new RegExp(`[^/%]*?${WHITE}end(?=${WHITE}|$)`, 'y')

/**
 * Reads the names of the glyphs, whose data may hold anything.
 *
 * @param secret the decrypted part
 * @returns undefined where the list holds something else, such as a comment
 */
function glyphNames(secret: Buffer): ReadonlySet<string> | undefined {
  const source = secret.toString('latin1', secret.indexOf(GLYPHS) + GLYPHS.length)
  const names = new Set<string>()
  GLYPH.lastIndex = 0
  let at = 0
  for (let glyph = GLYPH.exec(source); glyph; glyph = GLYPH.exec(source)) {
    const [, name = '', bytes = ''] = glyph
    names.add(name)
    at = GLYPH.lastIndex += Number(bytes)
  }
  GLYPHS_END.lastIndex = at
  return GLYPHS_END.test(source) ? names : undefined
}

/**
 * Reads the names of the glyphs and the encoding of a program.
 *
 * @param program that {@link isTypeOne} accepts
 */
export function readTypeOneNames(program: Buffer): BuiltInNames {
  const keyword = program.indexOf(ENCRYPTED)
  const secret = decrypt(encryptedPart(program, keyword + ENCRYPTED.length))
  const names = glyphNames(secret) ?? new Set()
  const [, ...encodings] = program.toString('latin1', 0, keyword).split(ENCODING)
  // Some readers take the first encoding, some the last; some know no digits of another base.
  const readings = encodings.flatMap((source) => [readEncoding(source), readEncoding(source, 10)])
  return { names, namesOf: (code) => readings.map((read) => read(code)) }
}

/**
 * Reads an encoding.
 *
 * @param base the only one of its numbers that is known; absent: all
 * @returns a function that gives the name of a code
 */
function readEncoding(source: string, base?: number): (code: number) => string | undefined {
  if (STANDARD.test(source)) return standardName
  const names = new Map<number, string>()
  for (const [, radix = '10', digits = '', name = ''] of source.matchAll(CODE)) {
    const isKnown = base === undefined || Number(radix) === base
    if (isKnown) names.set(Number.parseInt(digits, Number(radix)), name)
  }
  return (code) => names.get(code)
}

/** White space follows the keyword; the part is binary or hexadecimal (7.2). */
function encryptedPart(program: Buffer, after: number): Buffer {
  let at = after
  while (at < program.length && ' \t\r\n'.includes(String.fromCharCode(program[at]))) at += 1
  const part = program.subarray(at)
  const isText = HEXADECIMAL.test(part.toString('latin1', 0, 8))
  if (!isText) return part
  return Buffer.from(part.toString('latin1').replaceAll(/[\0\t\n\f\r ]/g, ''), 'hex')
}

function decrypt(part: Buffer): Buffer {
  const plain = Buffer.alloc(part.length)
  let state = KEY
  for (let index = 0; index < part.length; index += 1) {
    const octet = part[index]
    plain[index] = octet ^ (state >> 8)
    state = ((octet + state) * FACTOR + ADDEND) & 0xffff
  }
  return plain.subarray(RANDOM_OCTETS)
}
