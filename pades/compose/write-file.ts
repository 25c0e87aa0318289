/**
 * Writes a composed document as a file: objects in packed streams, and a cross-reference stream
 * (ISO 32000-2, 7.5.7 and 7.5.8). The library's own way deflates in JavaScript and serialises every
 * object three times.
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

import {
  PDFCatalog,
  type PDFContext,
  type PDFDocument,
  type PDFObject,
  PDFPageLeaf,
  PDFPageTree,
  PDFStream,
} from 'pdf-lib'

/** Readers inflate a whole stream for one object of it. */
const OBJECTS_IN_STREAM = 100
/** Widths of the fields of the cross-reference stream: type, offset or stream, index. */
const WIDTHS = [1, 4, 2] as const
const ENTRY_OCTETS = WIDTHS[0] + WIDTHS[1] + WIDTHS[2]
const IN_FILE = 1
const IN_STREAM = 2
/** Digits of the file identifier. */
const IDENTIFIER_DIGITS = 32

/** These stay readable without inflating anything. */
const isPlain = (object: PDFObject) =>
  object instanceof PDFStream ||
  object instanceof PDFCatalog ||
  object instanceof PDFPageTree ||
  object instanceof PDFPageLeaf

function serialised(object: PDFObject): Buffer {
  if (!(object instanceof PDFStream)) return Buffer.from(object.toString(), 'latin1')
  const octets = Buffer.alloc(object.sizeInBytes())
  object.copyBytesInto(octets, 0)
  return octets
}

/** Collects the parts of the file, and where its objects are. */
class FileWriter {
  readonly #parts: Buffer[] = []
  readonly #entries = new Map<number, readonly [type: number, place: number, index: number]>()
  readonly #digest = createHash('sha256')
  #length = 0

  constructor(header: string) {
    this.#add(`${header}\n`)
  }

  addObject(number: number, content: Buffer): void {
    this.#entries.set(number, [IN_FILE, this.#length, 0])
    this.#digest.update(content)
    this.#add(`${number} 0 obj\n`)
    this.#add(content)
    this.#add('\nendobj\n')
  }

  addStream(number: number, entries: string, content: Uint8Array): void {
    const packed = deflateSync(content)
    const dictionary = `<< ${entries} /Filter /FlateDecode /Length ${packed.length} >>`
    const parts = [Buffer.from(`${dictionary}\nstream\n`), packed, Buffer.from('\nendstream')]
    this.addObject(number, Buffer.concat(parts))
  }

  /** Adds a stream of objects. */
  addPacked(number: number, objects: readonly (readonly [number: number, content: Buffer])[]) {
    let offset = 0
    const places = objects.map(([one, content], index) => {
      this.#entries.set(one, [IN_STREAM, number, index])
      const place = `${one} ${offset}`
      offset += content.length + 1
      return place
    })
    const first = `${places.join(' ')}\n`
    const newLine = Buffer.from('\n')
    const contents = objects.flatMap(([, content]) => [content, newLine])
    const content = Buffer.concat([Buffer.from(first), ...contents])
    this.addStream(number, `/Type /ObjStm /N ${objects.length} /First ${first.length}`, content)
  }

  /** Ends the file with a cross-reference stream, which has the last object number. */
  end(number: number, trailer: string): Buffer {
    // An identifier that follows from the content (ISO 32000-2, 14.4).
    const identifier = `<${this.#digest.copy().digest('hex').slice(0, IDENTIFIER_DIGITS)}>`
    const offset = this.#length
    this.#entries.set(number, [IN_FILE, offset, 0])
    const size = number + 1
    const table = Buffer.alloc(size * ENTRY_OCTETS)
    for (const [one, [type, place, index]] of this.#entries) {
      const at = one * ENTRY_OCTETS
      table.writeUInt8(type, at)
      table.writeUInt32BE(place, at + WIDTHS[0])
      table.writeUInt16BE(index, at + WIDTHS[0] + WIDTHS[1])
    }
    // Object 0 heads the list of free objects (7.5.4).
    table.writeUInt16BE(0xffff, WIDTHS[0] + WIDTHS[1])
    const entries =
      `/Type /XRef /Size ${size} /W [${WIDTHS.join(' ')}]` +
      ` /ID [${identifier} ${identifier}] ${trailer}`
    this.addStream(number, entries, table)
    this.#add(`startxref\n${offset}\n%%EOF\n`)
    return Buffer.concat(this.#parts)
  }

  #add(part: Buffer | string): void {
    const octets = typeof part === 'string' ? Buffer.from(part, 'latin1') : part
    this.#parts.push(octets)
    this.#length += octets.length
  }
}

function trailerOf({ trailerInfo }: PDFContext): string {
  const { Root, Info } = trailerInfo
  return `/Root ${Root}${Info ? ` /Info ${Info}` : ''}`
}

/** @returns the file; equal content gives equal bytes on one runtime */
export function writeFile({ context }: PDFDocument): Uint8Array {
  const writer = new FileWriter(serialisedHeader(context))
  const packed: [number, Buffer][] = []
  for (const [{ objectNumber }, object] of context.enumerateIndirectObjects()) {
    const content = serialised(object)
    if (isPlain(object)) writer.addObject(objectNumber, content)
    else packed.push([objectNumber, content])
  }
  let number = context.largestObjectNumber
  for (let at = 0; at < packed.length; at += OBJECTS_IN_STREAM) {
    number += 1
    writer.addPacked(number, packed.slice(at, at + OBJECTS_IN_STREAM))
  }
  return writer.end(number + 1, trailerOf(context))
}

function serialisedHeader({ header }: PDFContext): string {
  const octets = Buffer.alloc(header.sizeInBytes())
  header.copyBytesInto(octets, 0)
  return octets.toString('latin1')
}
