/** The values of which PDF objects are made, as the parser gives them (ISO 32000-2, 7.3). */

/** A name without its solidus, `#xx` decoded, one character per byte. */
export class PdfName {
  readonly value: string

  constructor(value: string) {
    this.value = value
  }
}

/** A string's bytes, escapes and hexadecimal digits decoded. */
export class PdfString {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/** `12 0 R`. */
export class PdfReference {
  readonly number: number
  readonly generation: number

  constructor(number: number, generation: number) {
    this.number = number
    this.generation = generation
  }
}

export type PdfDictionary = ReadonlyMap<string, PdfValue>
export type PdfArray = readonly PdfValue[]

/** A stream: its dictionary and where its encoded bytes begin; `/Length` is not trusted yet. */
export class PdfStream {
  readonly dictionary: PdfDictionary
  /** Offset of the first encoded byte in the file. */
  readonly start: number
  /** The object for which the data are encrypted; undefined when they are not encrypted. */
  readonly encryptedFor: PdfReference | undefined

  constructor(dictionary: PdfDictionary, start: number, encryptedFor?: PdfReference) {
    this.dictionary = dictionary
    this.start = start
    this.encryptedFor = encryptedFor
  }
}

export type PdfValue =
  | null
  | boolean
  | number
  | PdfName
  | PdfString
  | PdfReference
  | PdfArray
  | PdfDictionary
  | PdfStream

/** A stream is none; its dictionary is. References are not followed, here and below. */
export function isDictionary(value: PdfValue | undefined): value is PdfDictionary {
  return value instanceof Map
}

/** Narrows to {@link PdfArray}, where `Array.isArray` would to `any[]`. */
export function isArray(value: PdfValue | undefined): value is PdfArray {
  return Array.isArray(value)
}

/** A whole number that doubles hold exactly; the `4.` of some producers is one too. */
export function isInteger(value: PdfValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value)
}

/** The name's text, or undefined for anything that is not a name. */
export function nameOf(value: PdfValue | undefined): string | undefined {
  return value instanceof PdfName ? value.value : undefined
}

/** A string's or name's bytes as a key for comparing; undefined for anything else. */
export function textKeyOf(value: PdfValue | undefined): string | undefined {
  if (value instanceof PdfName) return value.value
  if (!(value instanceof PdfString)) return undefined
  let key = ''
  for (const byte of value.bytes) key += String.fromCharCode(byte)
  return key
}
