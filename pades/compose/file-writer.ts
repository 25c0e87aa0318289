/** Writes a whole PDF: numbered objects, a cross-reference table, a trailer (ISO 32000-2, 7.5). */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

import type { ObjectSink } from '../appearance/object-sink.ts'

/** The comment of four bytes above 127 tells transports that the file is binary (7.5.2). */
const HEADER = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')
const FREE_ENTRY = '0000000000 65535 f \n'

/** Collects the objects of a new file; equal objects in equal order give equal bytes. */
export class FileWriter implements ObjectSink {
  readonly #objects: Buffer[][] = []

  add(source: string, stream?: Uint8Array): number {
    const number = this.reserve()
    this.put(number, source, stream)
    return number
  }

  /** Numbers an object that others must name before it can be written. */
  reserve(): number {
    return this.#objects.push([])
  }

  /** Writes an object under its reserved number. */
  put(number: number, source: string, stream?: Uint8Array): void {
    const parts = [`${number} 0 obj\n`]
    if (!stream) {
      parts.push(source, '\nendobj\n')
      this.#objects[number - 1] = [Buffer.from(parts.join(''), 'latin1')]
      return
    }
    const dictionary = source.slice(0, source.lastIndexOf('>>'))
    parts.push(dictionary, `/Length ${stream.length} >>\nstream\n`)
    this.#objects[number - 1] = [
      Buffer.from(parts.join(''), 'latin1'),
      Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength),
      Buffer.from('\nendstream\nendobj\n'),
    ]
  }

  /**
   * Returns the file.
   *
   * @param root number of the catalogue
   * @param info number of the document information dictionary
   */
  finish(root: number, info: number): Buffer {
    const offsets: string[] = []
    const digest = createHash('sha256')
    let offset = HEADER.length
    for (const parts of this.#objects) {
      offsets.push(`${String(offset).padStart(10, '0')} 00000 n \n`)
      for (const part of parts) {
        digest.update(part)
        offset += part.length
      }
    }
    // The identifier follows from the content, so that the same content is the same file.
    const id = digest.digest('hex').slice(0, 32)
    const size = this.#objects.length + 1
    const tail = `xref\n0 ${size}\n${FREE_ENTRY}${offsets.join('')}trailer\n`
      + `<< /Size ${size} /Root ${root} 0 R /Info ${info} 0 R /ID [<${id}> <${id}>] >>\n`
      + `startxref\n${offset}\n%%EOF\n`
    return Buffer.concat([HEADER, ...this.#objects.flat(), Buffer.from(tail)])
  }
}
