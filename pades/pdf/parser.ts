/**
 * Reads values of PDF syntax from bytes, forgiving what readers forgive (ISO 32000-2, 7.2 and 7.3).
 */
import { Buffer } from 'node:buffer'

import { PadesError } from '../errors.ts'
import {
  CLASS_OF,
  CR,
  DELIMITER,
  HEX_VALUE,
  isDigit,
  LF,
  REGULAR,
  SPACE,
  WHITE,
} from './characters.ts'
import { MAX_DEPTH, MAX_NAME_BYTES } from './limits.ts'
import { PdfName, PdfReference, PdfStream, PdfString, type PdfValue } from './values.ts'

/** Stands for a keyword that is not a value: `endobj`, `stream`, an operator, garbage. */
const KEYWORD = Symbol('keyword')
/** These end a container that was never closed. */
const ENDING_KEYWORDS = new Set([
  'endobj',
  'obj',
  'stream',
  'endstream',
  'xref',
  'trailer',
  'startxref',
])
const LONGEST_KEYWORD = 16

/** What a value takes of the memory, in units of a number. */
const WEIGHT = {
  number: 1,
  name: 2,
  escapedName: 8,
  string: 4,
  reference: 2,
  array: 4,
  dictionary: 8,
} as const

export interface IndirectObject {
  readonly number: number
  readonly generation: number
  readonly value: PdfValue
  /** Offset of `number`. */
  readonly start: number
  /** Offset after the value (for a stream: of its first encoded byte). */
  readonly end: number
}

/** The few names that files repeat, by a hash of their bytes: most names need no new string. */
const KNOWN_NAMES_MASK = 0x3ff
const LONGEST_KNOWN_NAME = 32
const knownNames: (PdfName | undefined)[] = Array<PdfName | undefined>(KNOWN_NAMES_MASK + 1).fill(
  undefined,
)

function isAt(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (text.length !== end - start) return false
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[start + index] !== text.charCodeAt(index)) return false
  }
  return true
}

function unescapedName(raw: string): string {
  return raw.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** A position in bytes and the reading of values from it. */
export class Parser {
  readonly #bytes: Buffer
  readonly #end: number
  position: number
  /** Sum of the weights of all values read. */
  weight = 0
  readonly #maxWeight: number

  /** @param maxWeight of all values that this parser may make */
  constructor(bytes: Buffer, position: number, end: number, maxWeight: number) {
    this.#bytes = bytes
    this.#end = Math.min(end, bytes.length)
    this.position = position
    this.#maxWeight = maxWeight
  }

  /** Steps over white space and comments. */
  skipWhiteSpace(): void {
    const bytes = this.#bytes
    const end = this.#end
    let at = this.position
    while (at < end) {
      const byte = bytes[at]
      if (CLASS_OF[byte] === WHITE) {
        at += 1
        continue
      }
      if (byte !== 0x25) break
      while (at < end && bytes[at] !== LF && bytes[at] !== CR) at += 1
    }
    this.position = at
  }

  /** Steps over a keyword, or says that it is not there. */
  takeKeyword(keyword: string): boolean {
    this.skipWhiteSpace()
    const start = this.position
    const end = start + keyword.length
    if (end > this.#end) return false
    for (let index = 0; index < keyword.length; index += 1) {
      if (this.#bytes[start + index] !== keyword.charCodeAt(index)) return false
    }
    this.position = end
    return true
  }

  /** Reads a number without sign and fraction, or says that there is none. */
  takeInteger(): number | undefined {
    this.skipWhiteSpace()
    const start = this.position
    let at = start
    let value = 0
    while (at < this.#end && isDigit(this.#bytes[at])) {
      value = value * 10 + (this.#bytes[at] - 0x30)
      at += 1
    }
    if (at === start || !Number.isSafeInteger(value)) return undefined
    this.position = at
    return value
  }

  /** Reads `1 0 obj` and the value behind it, or says that no object begins here. */
  readIndirectObject(): IndirectObject | undefined {
    this.skipWhiteSpace()
    const start = this.position
    const number = this.takeInteger()
    const generation = number === undefined ? undefined : this.takeInteger()
    if (number === undefined || generation === undefined || !this.takeKeyword('obj')) {
      this.position = start
      return undefined
    }
    const value = this.readValue()
    if (!(value instanceof Map)) return { number, generation, value, start, end: this.position }
    const end = this.position
    if (!this.takeKeyword('stream')) return { number, generation, value, start, end }
    this.#skipSpacesBeforeLineEnd()
    if (this.#bytes[this.position] === CR) this.position += 1
    if (this.#bytes[this.position] === LF) this.position += 1
    const stream = new PdfStream(value, this.position)
    return { number, generation, value: stream, start, end: this.position }
  }

  #skipSpacesBeforeLineEnd(): void {
    let at = this.position
    while (at < this.#end && (this.#bytes[at] === SPACE || this.#bytes[at] === 0x09)) at += 1
    if (this.#bytes[at] === CR || this.#bytes[at] === LF) this.position = at
  }

  /**
   * Reads one value; what is no value reads as null.
   *
   * @throws PadesError `LIMIT_EXCEEDED` - nested too deeply or too many values
   */
  readValue(): PdfValue {
    const value = this.#read(0)
    return value === KEYWORD ? null : value
  }

  #read(depth: number): PdfValue | typeof KEYWORD {
    this.skipWhiteSpace()
    if (this.position >= this.#end) return null
    const byte = this.#bytes[this.position]
    switch (byte) {
      case 0x2f:
        return this.#readName()
      case 0x28:
        return this.#readLiteralString()
      case 0x5b:
        return this.#readArray(depth)
      case 0x3c:
        return this.#bytes[this.position + 1] === 0x3c
          ? this.#readDictionary(depth)
          : this.#readHexString()
      default:
    }
    if (isDigit(byte) || byte === 0x2b || byte === 0x2d || byte === 0x2e) return this.#readNumber()
    if (CLASS_OF[byte] === DELIMITER) {
      // A bracket that closes nothing.
      this.position += 1
      return null
    }
    return this.#readKeyword()
  }

  #weigh(weight: number): void {
    this.weight += weight
    if (this.weight > this.#maxWeight) throw new PadesError('LIMIT_EXCEEDED')
  }

  #endOfToken(from: number): number {
    let at = from
    while (at < this.#end && CLASS_OF[this.#bytes[at]] === REGULAR) at += 1
    return at
  }

  #readKeyword(): PdfValue | typeof KEYWORD {
    const start = this.position
    const end = this.#endOfToken(start)
    this.position = end
    if (end - start > LONGEST_KEYWORD) return KEYWORD
    switch (this.#bytes.toString('latin1', start, end)) {
      case 'true':
        return true
      case 'false':
        return false
      case 'null':
        return null
      default:
        return KEYWORD
    }
  }

  /** After a keyword within a container: whether it ends the container, which stays unclosed. */
  #endsContainer(start: number): boolean {
    const end = Math.min(this.position, start + LONGEST_KEYWORD)
    const keyword = this.#bytes.toString('latin1', start, end)
    if (!ENDING_KEYWORDS.has(keyword)) return false
    this.position = start
    return true
  }

  #readName(): PdfName {
    const bytes = this.#bytes
    const start = this.position + 1
    let at = start
    let hash = 0
    while (at < this.#end && CLASS_OF[bytes[at]] === REGULAR) {
      hash = (hash * 31 + bytes[at]) & KNOWN_NAMES_MASK
      at += 1
    }
    this.position = at
    if (at - start > MAX_NAME_BYTES) throw new PadesError('LIMIT_EXCEEDED')
    this.#weigh(WEIGHT.name)
    const known = knownNames[hash]
    if (known && isAt(bytes, start, at, known.value)) return known
    const raw = bytes.toString('latin1', start, at)
    if (raw.includes('#')) {
      this.#weigh(WEIGHT.escapedName)
      return new PdfName(unescapedName(raw))
    }
    const name = new PdfName(raw)
    if (raw.length <= LONGEST_KNOWN_NAME) knownNames[hash] = name
    return name
  }

  /** A number, or the reference that it begins. */
  #readNumber(): number | PdfReference {
    const bytes = this.#bytes
    const end = this.#end
    let at = this.position
    let sign = 1
    while (at < end && (bytes[at] === 0x2d || bytes[at] === 0x2b)) {
      if (bytes[at] === 0x2d) sign = -1
      at += 1
    }
    const digits = at
    let value = 0
    while (at < end && isDigit(bytes[at])) {
      value = value * 10 + (bytes[at] - 0x30)
      at += 1
    }
    this.#weigh(WEIGHT.number)
    const isPlain = digits === this.position && at > digits
    if (bytes[at] === 0x2e && at < end) {
      at += 1
      let scale = 1
      while (at < end && isDigit(bytes[at])) {
        if (scale < 1e15) {
          scale *= 10
          value += (bytes[at] - 0x30) / scale
        }
        at += 1
      }
      this.position = this.#endOfToken(at)
      return roundedTo(sign * value, scale)
    }
    this.position = this.#endOfToken(at)
    if (!isPlain || this.position !== at || value > Number.MAX_SAFE_INTEGER) {
      return Number.isFinite(value) ? sign * value : 0
    }
    return this.#readReferenceAfter(value) ?? value
  }

  #readReferenceAfter(number: number): PdfReference | undefined {
    const start = this.position
    if (CLASS_OF[this.#bytes[start]] !== WHITE) return undefined
    this.skipWhiteSpace()
    if (isDigit(this.#bytes[this.position]) && this.position < this.#end) {
      const generation = this.takeInteger()
      this.skipWhiteSpace()
      const at = this.position
      const isReference =
        this.#bytes[at] === 0x52 &&
        at < this.#end &&
        (at + 1 >= this.#end || CLASS_OF[this.#bytes[at + 1]] !== REGULAR)
      if (isReference && generation !== undefined) {
        this.position = at + 1
        this.#weigh(WEIGHT.reference)
        return new PdfReference(number, generation)
      }
    }
    this.position = start
    return undefined
  }

  #readArray(depth: number): PdfValue[] {
    if (depth >= MAX_DEPTH) throw new PadesError('LIMIT_EXCEEDED')
    this.position += 1
    this.#weigh(WEIGHT.array)
    const items: PdfValue[] = []
    for (;;) {
      this.skipWhiteSpace()
      const start = this.position
      if (start >= this.#end) return items
      if (this.#bytes[start] === 0x5d) {
        this.position += 1
        return items
      }
      // `[1 2 >>`: the bracket was forgotten.
      if (this.#bytes[start] === 0x3e) return items
      const item = this.#read(depth + 1)
      if (item === KEYWORD && this.#endsContainer(start)) return items
      this.#weigh(WEIGHT.number)
      items.push(item === KEYWORD ? null : item)
    }
  }

  #readDictionary(depth: number): Map<string, PdfValue> {
    if (depth >= MAX_DEPTH) throw new PadesError('LIMIT_EXCEEDED')
    this.position += 2
    this.#weigh(WEIGHT.dictionary)
    const entries = new Map<string, PdfValue>()
    for (;;) {
      this.skipWhiteSpace()
      const start = this.position
      if (start >= this.#end) return entries
      const byte = this.#bytes[start]
      if (byte === 0x3e) {
        this.position += this.#bytes[start + 1] === 0x3e ? 2 : 1
        return entries
      }
      if (byte !== 0x2f) {
        if (this.#read(depth + 1) === KEYWORD && this.#endsContainer(start)) return entries
        continue
      }
      const key = this.#readName().value
      this.skipWhiteSpace()
      const valueStart = this.position
      if (this.#bytes[valueStart] === 0x3e) continue
      const value = this.#read(depth + 1)
      if (value === KEYWORD && this.#endsContainer(valueStart)) return entries
      // A null value is as good as no entry (7.3.7); of two equal keys readers take the last.
      if (value !== KEYWORD && value !== null) entries.set(key, value)
    }
  }

  #readHexString(): PdfString {
    const bytes = this.#bytes
    const start = this.position + 1
    let close = bytes.indexOf(0x3e, start)
    if (close === -1 || close > this.#end) close = this.#end
    this.position = Math.min(close + 1, this.#end)
    this.#weigh(WEIGHT.string)
    const plain = Buffer.from(bytes.toString('latin1', start, close), 'hex')
    if (plain.length * 2 === close - start) return new PdfString(plain)
    const decoded = Buffer.alloc((close - start + 1) >> 1)
    let digits = 0
    for (let at = start; at < close; at += 1) {
      const value = HEX_VALUE[bytes[at]]
      if (value === 255) continue
      decoded[digits >> 1] |= digits % 2 === 0 ? value << 4 : value
      digits += 1
    }
    return new PdfString(decoded.subarray(0, (digits + 1) >> 1))
  }

  #readLiteralString(): PdfString {
    const bytes = this.#bytes
    const start = this.position + 1
    let at = start
    let open = 1
    let isPlain = true
    while (at < this.#end) {
      const byte = bytes[at]
      if (byte === 0x5c) {
        isPlain = false
        at += 1
      } else if (byte === 0x28) {
        open += 1
      } else if (byte === 0x29) {
        open -= 1
        if (open === 0) break
      } else if (byte === CR) {
        isPlain = false
      }
      at += 1
    }
    const end = Math.min(at, this.#end)
    this.position = Math.min(end + 1, this.#end)
    this.#weigh(WEIGHT.string)
    const raw = bytes.subarray(start, end)
    return new PdfString(isPlain ? raw : unescaped(raw))
  }
}

/** Takes the error of adding up decimal digits off again. */
function roundedTo(value: number, scale: number): number {
  if (!Number.isFinite(value)) return 0
  return Math.abs(value) < 1e6 && scale <= 1e9 ? Math.round(value * scale) / scale : value
}

const ESCAPES: Readonly<Record<number, number>> = {
  0x6e: LF,
  0x72: CR,
  0x74: 0x09,
  0x62: 0x08,
  0x66: 0x0c,
  0x28: 0x28,
  0x29: 0x29,
  0x5c: 0x5c,
}

/** ISO 32000-2, 7.3.4.2: escape sequences, octal codes, continued lines, one kind of line end. */
function unescaped(raw: Uint8Array): Uint8Array {
  const out = new Uint8Array(raw.length)
  let length = 0
  let at = 0
  while (at < raw.length) {
    const byte = raw[at]
    at += 1
    if (byte === CR) {
      if (raw[at] === LF) at += 1
      out[length++] = LF
      continue
    }
    if (byte !== 0x5c) {
      out[length++] = byte
      continue
    }
    const escaped = raw[at]
    if (escaped === undefined) break
    at += 1
    if (escaped === CR && raw[at] === LF) at += 1
    if (escaped === CR || escaped === LF) continue
    if (escaped < 0x30 || escaped > 0x37) {
      out[length++] = ESCAPES[escaped] ?? escaped
      continue
    }
    let code = escaped - 0x30
    for (let digits = 1; digits < 3 && raw[at] >= 0x30 && raw[at] <= 0x37; digits += 1) {
      code = code * 8 + (raw[at] - 0x30)
      at += 1
    }
    out[length++] = code & 0xff
  }
  return out.subarray(0, length)
}
