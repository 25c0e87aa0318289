/**
 * Judges content streams: every reader must draw the same with them (ISO 32000-2, 7.8.2 and annex
 * A). What one reader skips, another may stop at.
 */
import type { Buffer } from 'node:buffer'
import {
  CLASS_OF,
  FULL_STOP,
  HEX_VALUE,
  LESS_THAN,
  NO_DIGIT,
  REGULAR,
  RIGHT_BRACKET,
  WHITE,
} from '../pdf/characters.ts'
import { MAX_INFLATED_BYTES } from '../pdf/limits.ts'
import {
  areRightOperands,
  isOperator,
  kindOf,
  MAX_KINDS,
  operatorAt,
  type OperandKind,
  SHOWING,
} from './content-operators.ts'
import type { DecodingBudget } from './content-filters.ts'
import type { ContentKind } from './content-kind.ts'
import { ContentState } from './content-state.ts'
import { AmbiguousSyntax, type FaultCode } from './faults.ts'
import { scanInlineImage } from './inline-image.ts'
import { SILENT } from './listener.ts'
import { stringBytes } from '../pdf/strings.ts'
import { StrictScanner } from './scanner.ts'

/** Without glyphs to show they have no effect; a word processor writes them with odd operands. */
const PLACING: ReadonlySet<string> = new Set(['Td', 'TD', 'Tm', 'T*'])
/** All that do not place them where the text before ends. */
const BEGINNING: ReadonlySet<string> = new Set([...PLACING, 'BT', "'", '"'])

/** Operators that begin and end marked content. */
const MARKS: Readonly<Record<string, 1 | -1>> = { BDC: 1, BMC: 1, EMC: -1 }

/** Kinds of the elements of an array of glyphs or dashes. */
const PLAIN_KINDS: ReadonlySet<string> = new Set(['n', '('])

/** Numbers of single precision, with which some readers calculate, are whole up to about here. */
export const MOST_OPERAND = 10_000_000
const MOST_OPERAND_DIGITS = 8
/** PDFium cuts off longer strings. */
const MOST_STRING_BYTES = 32_767

const VALUE_STARTS = new Set([...'/<[(+-.0123456789'].map((character) => character.charCodeAt(0)))
const VALUE_KEYWORDS: ReadonlySet<string> = new Set(['true', 'false', 'null'])
const KEYWORD_STARTS = new Set([...VALUE_KEYWORDS].map((keyword) => keyword.charCodeAt(0)))

const WIDE_END_BYTES = 3
/** A viewer takes an inline image for ended when the next operator ends within so many bytes. */
const OPERATOR_WINDOW_BYTES = 72

/**
 * Judges the operators and operands of a content stream.
 *
 * @param data of all parts, decoded, each with a line feed behind it
 * @param partEnds offsets at which parts end; no string may lie in two parts (7.8.2)
 * @param kind what the stream draws, and which resources it has
 * @returns the first fault; undefined when every reader draws the same
 * @throws PadesError `LIMIT_EXCEEDED` - inline images decode to more than 96 MB
 */
export function findContentFault(
  data: Buffer,
  partEnds: readonly number[] = [],
  kind: ContentKind = {},
): FaultCode | undefined {
  try {
    new ContentScan(data, partEnds, kind).run()
    return undefined
  } catch (error) {
    if (error instanceof AmbiguousSyntax) return error.code
    throw error
  }
}

class ContentScan {
  readonly #data: Buffer
  readonly #scanner: StrictScanner
  readonly #state: ContentState
  readonly #kind: ContentKind
  /** Kinds of the operands of the next operator. */
  #kinds = ''
  /** Offsets at which the strings of its operands begin and end. */
  readonly #strings: number[] = []
  /** Those that are names, without their escapes. */
  readonly #names: string[] = []
  /** Offset of the first of them; infinite before there is one. */
  #operandsStart = Infinity
  readonly #partEnds: readonly number[]
  readonly #images: DecodingBudget
  /** Index of the first part that ends behind what was read. */
  #part = 0
  /** Offset before which the next operator must end; only behind an inline image. */
  #operatorLimit = Infinity
  /** Whether an inline image was JPEG. */
  #hasJpeg = false
  /** A fault of placing glyphs, which counts once glyphs are shown. */
  #misplaced = false
  /** Whether the next text begins at a place of its own. */
  #isPlaced = true

  constructor(data: Buffer, partEnds: readonly number[], kind: ContentKind) {
    this.#data = data
    this.#kind = kind
    this.#state = new ContentState(kind)
    this.#partEnds = partEnds
    this.#images = kind.images ?? { remainingBytes: MAX_INFLATED_BYTES }
    this.#scanner = new StrictScanner(data, 0, data.length, {
      ...SILENT,
      tolerated: (code, at) => this.#checkTolerated(code, at),
      string: (start, end) => {
        this.#checkPart(start, end)
        this.#checkString(start, end)
        if (kind.onText) this.#strings.push(start, end)
      },
      reference: () => {
        throw new AmbiguousSyntax('CONTENT_OPERATOR', this.#scanner.position)
      },
    })
  }

  run(): void {
    const scanner = this.#scanner
    for (scanner.skipWhiteSpace(); !scanner.isAtEnd; scanner.skipWhiteSpace()) {
      if (this.#kinds === '') this.#operandsStart = scanner.position
      if (this.#takeLonePoint()) {
        this.#addOperand('n')
      } else if (VALUE_STARTS.has(this.#data[scanner.position]) || this.#isValueKeyword()) {
        this.#addOperand(this.#scanOperand())
      } else {
        this.#takeOperator(this.#readWord())
      }
    }
    if (this.#kinds !== '') scanner.fail('CONTENT_OPERANDS')
    const fault = this.#state.end()
    if (fault) scanner.fail(fault)
    if (this.#hasJpeg && !this.#hasWideEnd()) scanner.fail('INLINE_IMAGE_ODD')
  }

  /**
   * Behind a JPEG image, PDFium loses the last operator, unless two bytes of white space follow it.
   * A further one is that between two parts of the contents.
   */
  #hasWideEnd(): boolean {
    const end = this.#data.subarray(-WIDE_END_BYTES)
    return end.length === WIDE_END_BYTES && end.every((byte) => CLASS_OF[byte] === WHITE)
  }

  #addOperand(kind: OperandKind): void {
    if (this.#kinds.length < MAX_KINDS) this.#kinds += kind
  }

  #scanOperand(): OperandKind {
    const { position } = this.#scanner
    const kind = kindOf(this.#data[position], this.#data[position + 1])
    if (kind === '[') return this.#scanArray()
    if (kind === '/') {
      const name = this.#scanner.scanName()
      if (this.#names.length < MAX_KINDS) this.#names.push(name)
      return kind
    }
    this.#scanner.scanValue()
    if (kind === 'n') this.#checkNumber(position)
    return kind
  }

  /** Readers skip other values than numbers and strings in different ways. */
  #scanArray(): OperandKind {
    const scanner = this.#scanner
    const start = scanner.position
    let isPlain = true
    scanner.position += 1
    for (;;) {
      scanner.skipWhiteSpace()
      const { position } = scanner
      if (scanner.isAtEnd) scanner.fail('UNCLOSED', start)
      if (this.#data[position] === RIGHT_BRACKET) break
      const kind = kindOf(this.#data[position], this.#data[position + 1])
      isPlain &&= PLAIN_KINDS.has(kind)
      scanner.scanValue(1)
      if (kind === 'n') this.#checkNumber(position)
    }
    scanner.position += 1
    return isPlain ? '[' : '*'
  }

  /** A comment among operands (7.2.4) could say something else than they do. */
  #checkTolerated(code: FaultCode, at: number): void {
    if (code === 'COMMENT' && at > this.#operandsStart) this.#scanner.fail('CONTENT_OPERANDS', at)
  }

  #checkNumber(start: number): void {
    const { position } = this.#scanner
    let end = start
    while (end < position && this.#data[end] !== FULL_STOP) end += 1
    if (end - start < MOST_OPERAND_DIGITS) return
    const number = Number(this.#data.toString('latin1', start, position))
    if (Math.abs(number) > MOST_OPERAND) this.#scanner.fail('CONTENT_VALUE', start)
  }

  #checkString(start: number, end: number): void {
    const bytes = end - start - '()'.length
    const isHexadecimal = this.#data[start] === LESS_THAN
    if (bytes > MOST_STRING_BYTES * (isHexadecimal ? 2 : 1)) {
      this.#scanner.fail('CONTENT_VALUE', start)
    }
    // Ghostscript drops a last digit, which others take for the first of two.
    if (isHexadecimal && this.#countDigits(start, end) % 2 === 1) {
      this.#scanner.fail('HEX_STRING_ODD', start)
    }
  }

  #countDigits(start: number, end: number): number {
    let count = 0
    for (let at = start; at < end; at += 1) if (HEX_VALUE[this.#data[at]] !== NO_DIGIT) count += 1
    return count
  }

  /** A point alone is the number 0 to every reader, as an operand of its own. */
  #takeLonePoint(): boolean {
    const { position } = this.#scanner
    const next = this.#data[position + 1]
    const isAlone = next === undefined || CLASS_OF[next] !== REGULAR
    if (this.#data[position] !== FULL_STOP || !isAlone) return false
    this.#scanner.position = position + 1
    return true
  }

  /** Some readers end a string where a part ends. */
  #checkPart(start: number, end: number): void {
    while (this.#partEnds[this.#part] <= start) this.#part += 1
    if (this.#partEnds[this.#part] < end) this.#scanner.fail('UNCLOSED', start)
  }

  #wordEnd(): number {
    let end = this.#scanner.position
    while (end < this.#data.length && CLASS_OF[this.#data[end]] === REGULAR) end += 1
    return end
  }

  #isValueKeyword(): boolean {
    const { position } = this.#scanner
    if (!KEYWORD_STARTS.has(this.#data[position])) return false
    return VALUE_KEYWORDS.has(
      this.#data.toString('latin1', position, Math.min(this.#wordEnd(), position + 6)),
    )
  }

  #readWord(): string {
    const start = this.#scanner.position
    const end = this.#wordEnd()
    if (end === start) this.#scanner.fail('CONTENT_OPERATOR')
    this.#scanner.position = end
    return operatorAt(this.#data, start, end) ?? this.#data.toString('latin1', start, end)
  }

  #takeOperator(name: string): void {
    if (this.#scanner.position > this.#operatorLimit) this.#scanner.fail('INLINE_IMAGE_ODD')
    this.#operatorLimit = Infinity
    if (name === 'BI') {
      this.#judgeState(name)
      this.#operandsStart = Infinity
      this.#takeInlineImage()
      return
    }
    // Within BX and EX (7.8.2), too: pdf.js finds known operators in unknown ones, or stops there.
    if (!isOperator(name)) this.#scanner.fail('CONTENT_OPERATOR')
    const kinds = this.#kinds
    const isRight = areRightOperands(name, kinds)
    this.#kinds = ''
    if (name === 'BT') this.#misplaced = false
    if (!isRight && PLACING.has(name)) this.#misplaced = true
    else if (!isRight) this.#scanner.fail('CONTENT_OPERANDS')
    if (this.#misplaced && SHOWING.has(name)) this.#scanner.fail('CONTENT_OPERANDS')
    this.#judgeState(name, kinds)
    const step = MARKS[name]
    if (step) this.#kind.onMark?.(step)
    this.#reportText(name)
    this.#names.length = 0
    this.#operandsStart = Infinity
  }

  #reportText(operator: string): void {
    const strings = this.#strings
    this.#isPlaced ||= BEGINNING.has(operator)
    for (let index = 0; index < strings.length && SHOWING.has(operator); index += 2) {
      const text = stringBytes(this.#data, strings[index], strings[index + 1])
      const { font, isFilled } = this.#state.text
      // It would depend on the content that draws this one.
      if (font === undefined) this.#scanner.fail('RESOURCE_MISSING')
      this.#kind.onText?.({ font, text, isFilled, isPlaced: this.#isPlaced })
      this.#isPlaced = false
    }
    strings.length = 0
  }

  #judgeState(name: string, kinds = ''): void {
    const operands = () => this.#sourceOfOperands(name)
    const fault = this.#state.take({ name, kinds, names: this.#names, operands })
    if (fault) this.#scanner.fail(fault)
  }

  /** @param operator behind them, which was read last */
  #sourceOfOperands(operator: string): string {
    const end = this.#scanner.position - operator.length
    return this.#data.toString('latin1', this.#operandsStart, end)
  }

  #takeInlineImage(): void {
    if (this.#kinds !== '') this.#scanner.fail('CONTENT_OPERANDS')
    const start = this.#scanner.position
    const image = scanInlineImage(this.#scanner, this.#data, this.#images)
    this.#hasJpeg ||= image.isJpeg
    this.#state.takeImage(image.entries.get('ImageMask') === 'true')
    const fault = this.#kind.judgeInlineImage?.(image)
    if (fault) this.#scanner.fail(fault, start)
    this.#checkPart(start, this.#scanner.position)
    this.#operatorLimit = this.#scanner.position + OPERATOR_WINDOW_BYTES
  }
}
