/** Writes values as PDF source (ISO 32000-2, 7.3). */
import { Buffer } from 'node:buffer'

import { CLASS_OF, REGULAR } from './characters.ts'
import {
  isDictionary,
  PdfName,
  PdfReference,
  PdfStream,
  PdfString,
  type PdfValue,
} from './values.ts'

const FRACTION_DIGITS = 10
/** Larger numbers would be written with an exponent, which PDF does not know. */
const LARGEST = 1e20

/**
 * Writes a value as in a file; numbers with at most ten digits after the point.
 *
 * @param value no stream: those are objects of their own
 */
export function serialise(value: PdfValue): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return numberSource(value)
  if (value instanceof PdfName) return nameSource(value.value)
  if (value instanceof PdfString) return stringSource(value.bytes)
  if (value instanceof PdfReference) return `${value.number} ${value.generation} R`
  if (isDictionary(value)) {
    const entries = Array.from(value, ([key, entry]) => `${nameSource(key)} ${serialise(entry)}`)
    return `<< ${entries.join(' ')} >>`
  }
  if (value instanceof PdfStream) throw new TypeError('a stream cannot be inside an object')
  return `[${value.map(serialise).join(' ')}]`
}

function numberSource(value: number): string {
  if (Math.abs(value) >= LARGEST) return String(Math.sign(value) * LARGEST)
  if (Number.isInteger(value)) return String(value)
  return value.toFixed(FRACTION_DIGITS).replace(/\.?0+$/, '')
}

/** A name with its solidus; what is not a regular printable character becomes `#xx`. */
export function nameSource(name: string): string {
  let source = '/'
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index) & 0xff
    const isPlain = code > 0x20 && code < 0x7f && code !== 0x23 && CLASS_OF[code] === REGULAR
    source += isPlain ? name[index] : `#${code.toString(16).padStart(2, '0')}`
  }
  return source
}

/** A string: literal where its bytes are printable ASCII, else hexadecimal. */
function stringSource(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const isPrintable = buffer.every((byte) => byte >= 0x20 && byte < 0x7f)
  if (!isPrintable) return `<${buffer.toString('hex')}>`
  return `(${buffer.toString('latin1').replace(/[\\()]/g, '\\$&')})`
}

/** A text string (7.9.2.2): ASCII as it is, anything else as UTF-16BE with its mark. */
export function textSource(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return stringSource(Buffer.from(text, 'latin1'))
  return `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
}
