/**
 * Judges content streams: every reader must draw the same with them (ISO 32000-2, 7.8.2 and annex
 * A). What one reader skips, another may stop at.
 */
import type { Buffer } from 'node:buffer'
import { CLASS_OF, FULL_STOP, REGULAR } from '../pdf/characters.ts'
import { MAX_INFLATED_BYTES } from '../pdf/limits.ts'
import { AmbiguousSyntax, type FaultCode } from './faults.ts'
import { scanInlineImage } from './inline-image.ts'
import { SILENT } from './listener.ts'
import { StrictScanner } from './scanner.ts'

/** Operators by the number of their operands. */
const OPERANDS: Readonly<Record<number, string>> = {
  0: 'b B b* B* BT BX EMC ET EX f F f* h n q Q s S T* W W*',
  1: "BMC CS cs Do G g gs i j J M MP ri sh Tc Tf- Tj TJ TL Tr Ts Tw Tz w '",
  2: 'BDC d d0 DP l m Td TD Tf',
  3: 'RG rg "',
  4: 'K k re v y',
  6: 'c cm d1 Tm',
}
const ANY_NUMBER = -1
/** Their operands depend on the colour space. */
const COLOUR_OPERATORS = ['SC', 'sc', 'SCN', 'scn']

const OPERATORS: ReadonlyMap<string, number> = new Map([
  ...Object.entries(OPERANDS).flatMap(([count, names]) =>
    names
      .split(' ')
      .filter((name) => !name.endsWith('-'))
      .map((name) => [name, Number(count)] as const),
  ),
  ...COLOUR_OPERATORS.map((name) => [name, ANY_NUMBER] as const),
])
/** They show glyphs. */
const SHOWING: ReadonlySet<string> = new Set(['Tj', 'TJ', "'", '"'])
/** Without glyphs to show they have no effect; a word processor writes them with odd operands. */
const PLACING: ReadonlySet<string> = new Set(['Td', 'TD', 'Tm', 'T*'])

const VALUE_STARTS = new Set([...'/<[(+-.0123456789'].map((character) => character.charCodeAt(0)))
const VALUE_KEYWORDS: ReadonlySet<string> = new Set(['true', 'false', 'null'])

/** A viewer takes an inline image for ended when the next operator ends within so many bytes. */
const OPERATOR_WINDOW_BYTES = 72

/**
 * Judges the operators and operands of a content stream.
 *
 * @param data of all parts, decoded
 * @param partEnds offsets at which parts end; no string may lie in two parts (7.8.2)
 * @returns the first fault; undefined when every reader draws the same
 * @throws PadesError `LIMIT_EXCEEDED` - inline images decode to more than 96 MB
 */
export function findContentFault(
  data: Buffer,
  partEnds: readonly number[] = [],
): FaultCode | undefined {
  try {
    new ContentScan(data, partEnds).run()
    return undefined
  } catch (error) {
    if (error instanceof AmbiguousSyntax) return error.code
    throw error
  }
}

class ContentScan {
  readonly #data: Buffer
  readonly #scanner: StrictScanner
  #operands = 0
  /** Depth of BX, within which unknown operators are permitted (7.8.2). */
  #compatibility = 0
  readonly #partEnds: readonly number[]
  readonly #images = { remainingBytes: MAX_INFLATED_BYTES }
  /** Index of the first part that ends behind what was read. */
  #part = 0
  /** Offset before which the next operator must end; only behind an inline image. */
  #operatorLimit = Infinity
  /** A fault of placing glyphs, which counts once glyphs are shown. */
  #misplaced = false

  constructor(data: Buffer, partEnds: readonly number[]) {
    this.#data = data
    this.#partEnds = partEnds
    this.#scanner = new StrictScanner(data, 0, data.length, {
      ...SILENT,
      string: (start, end) => this.#checkPart(start, end),
      reference: () => {
        throw new AmbiguousSyntax('CONTENT_OPERATOR', this.#scanner.position)
      },
    })
  }

  run(): void {
    const scanner = this.#scanner
    for (scanner.skipWhiteSpace(); !scanner.isAtEnd; scanner.skipWhiteSpace()) {
      if (this.#takeLonePoint()) {
        this.#operands += 1
      } else if (VALUE_STARTS.has(this.#data[scanner.position]) || this.#isValueKeyword()) {
        scanner.scanValue()
        this.#operands += 1
      } else {
        this.#takeOperator(this.#readWord())
      }
    }
    if (this.#operands > 0) scanner.fail('CONTENT_OPERANDS')
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
    return VALUE_KEYWORDS.has(
      this.#data.toString('latin1', position, Math.min(this.#wordEnd(), position + 6)),
    )
  }

  #readWord(): string {
    const start = this.#scanner.position
    const end = this.#wordEnd()
    if (end === start) this.#scanner.fail('CONTENT_OPERATOR')
    this.#scanner.position = end
    return this.#data.toString('latin1', start, end)
  }

  #takeOperator(name: string): void {
    if (this.#scanner.position > this.#operatorLimit) this.#scanner.fail('INLINE_IMAGE_ODD')
    this.#operatorLimit = Infinity
    if (name === 'BI') {
      this.#takeInlineImage()
      return
    }
    const expected = OPERATORS.get(name)
    if (expected === undefined && this.#compatibility === 0) this.#scanner.fail('CONTENT_OPERATOR')
    if (name === 'BX') this.#compatibility += 1
    if (name === 'EX') this.#compatibility -= 1
    // Readers ignore operands before an operator that takes none.
    const isRight = expected === undefined || expected <= 0 || expected === this.#operands
    this.#operands = 0
    if (name === 'BT') this.#misplaced = false
    if (!isRight && PLACING.has(name)) this.#misplaced = true
    else if (!isRight) this.#scanner.fail('CONTENT_OPERANDS')
    if (this.#misplaced && SHOWING.has(name)) this.#scanner.fail('CONTENT_OPERANDS')
  }

  #takeInlineImage(): void {
    if (this.#operands > 0) this.#scanner.fail('CONTENT_OPERANDS')
    const start = this.#scanner.position
    scanInlineImage(this.#scanner, this.#data, this.#images)
    this.#checkPart(start, this.#scanner.position)
    this.#operatorLimit = this.#scanner.position + OPERATOR_WINDOW_BYTES
  }
}
