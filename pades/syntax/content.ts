/**
 * Judges content streams: every reader must draw the same with them (ISO 32000-2, 7.8.2 and annex
 * A). What one reader skips, another may stop at.
 */
import type { Buffer } from 'node:buffer'
import { CLASS_OF, REGULAR, WHITE } from '../pdf/characters.ts'
import { AmbiguousSyntax, type FaultCode } from './faults.ts'
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

/** @returns the first fault; undefined when every reader draws the same */
export function findContentFault(data: Buffer): FaultCode | undefined {
  try {
    new ContentScan(data).run()
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
  /** A fault of placing glyphs, which counts once glyphs are shown. */
  #misplaced = false

  constructor(data: Buffer) {
    this.#data = data
    this.#scanner = new StrictScanner(data, 0, data.length, {
      tolerated: () => undefined,
      reference: () => {
        throw new AmbiguousSyntax('CONTENT_OPERATOR', this.#scanner.position)
      },
    })
  }

  run(): void {
    const scanner = this.#scanner
    for (scanner.skipWhiteSpace(); !scanner.isAtEnd; scanner.skipWhiteSpace()) {
      if (VALUE_STARTS.has(this.#data[scanner.position]) || this.#isValueKeyword()) {
        scanner.scanValue()
        this.#operands += 1
      } else {
        this.#takeOperator(this.#readWord())
      }
    }
    if (this.#operands > 0) scanner.fail('CONTENT_OPERANDS')
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
    if (name === 'BI') {
      this.#takeInlineImage()
      return
    }
    const expected = OPERATORS.get(name)
    if (expected === undefined && this.#compatibility === 0) this.#scanner.fail('CONTENT_OPERATOR')
    if (name === 'BX') this.#compatibility += 1
    if (name === 'EX') this.#compatibility -= 1
    // Readers ignore what stands before an operator without operands.
    const isRight = expected === undefined || expected <= 0 || expected === this.#operands
    this.#operands = 0
    if (name === 'BT') this.#misplaced = false
    if (!isRight && PLACING.has(name)) this.#misplaced = true
    else if (!isRight) this.#scanner.fail('CONTENT_OPERANDS')
    if (this.#misplaced && SHOWING.has(name)) this.#scanner.fail('CONTENT_OPERANDS')
  }

  /** The first `EI` between white space ends the data; another one would be an unknown operator. */
  #takeInlineImage(): void {
    const scanner = this.#scanner
    if (this.#operands > 0) scanner.fail('CONTENT_OPERANDS')
    for (scanner.skipWhiteSpace(); !scanner.takeKeyword('ID'); scanner.skipWhiteSpace()) {
      if (this.#data[scanner.position] !== 0x2f) scanner.fail('CONTENT_OPERATOR')
      scanner.scanName()
      scanner.skipWhiteSpace()
      scanner.scanValue()
    }
    let at = this.#data.indexOf('EI', scanner.position, 'latin1')
    while (at !== -1 && !this.#isEnd(at)) at = this.#data.indexOf('EI', at + 1, 'latin1')
    if (at === -1) scanner.fail('UNCLOSED')
    scanner.position = at + 2
  }

  #isEnd(at: number): boolean {
    const after = this.#data[at + 2]
    return (
      CLASS_OF[this.#data[at - 1]] === WHITE && (after === undefined || CLASS_OF[after] === WHITE)
    )
  }
}
