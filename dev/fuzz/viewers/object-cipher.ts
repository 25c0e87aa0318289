/**
 * Encrypts the objects that the fuzzer writes into encrypted documents, and decrypts those that it
 * reads (ISO 32000-2, 7.6). Sources may be malformed. All texts are Latin-1.
 */
import { Buffer } from 'node:buffer'
import type { PdfDocument } from '../../../pades/pdf/document.ts'
import type { CipherOwner, DocumentCipher } from '../../../pades/pdf/encryption/cipher.ts'
import { forEachString } from '../../../pades/pdf/encryption/source-strings.ts'
import { PdfReference, PdfStream } from '../../../pades/pdf/values.ts'

/** The keyword before the data of a stream, with its end of line. */
const STREAM_KEYWORD = /(?<!end)stream(?:\r\n|\n|\r)?/
const END_OF_DATA = /(?:\r\n|\n|\r)?endstream/g
/** Streams that the standard does not encrypt; metadata only in some documents. */
const PLAIN_STREAM = /\/Type\s*\/XRef\b|\/Crypt\b/
/** The value of Contents follows; it is not encrypted in a signature. */
const BEFORE_CONTENTS = /\/Contents\s*$/
const LONGEST_LENGTH = 1_000_000

const bytesOf = (text: string) => Buffer.from(text, 'latin1')
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

/** Writes a string: in hexadecimal digits, or in parentheses, as its first byte decides. */
function stringSource(bytes: Uint8Array): string {
  if ((bytes[0] ?? 0) % 2 === 0) return `<${Buffer.from(bytes).toString('hex')}>`
  const escaped = textOf(bytes)
    .replaceAll(/[\\()]/g, '\\$&')
    .replaceAll('\r', '\\r')
  return `(${escaped})`
}

/** Replaces the strings of a source, except an unclosed one and the Contents of a signature. */
function replaceStrings(
  source: string,
  replace: (bytes: Uint8Array) => Uint8Array | undefined,
): string {
  const hasSignature = source.includes('/ByteRange')
  let replaced = ''
  let at = 0
  forEachString(bytesOf(source), 0, source.length, ({ start, end, bytes }) => {
    const isContents = hasSignature && BEFORE_CONTENTS.test(source.slice(0, start))
    const isKept = isContents || end > source.length
    const changed = isKept ? undefined : replace(bytes)
    replaced +=
      source.slice(at, start) + (changed ? stringSource(changed) : source.slice(start, end))
    at = end
  })
  return replaced + source.slice(at)
}

/** The key of an encrypted document, for those who write its revisions. */
export class ObjectCipher {
  readonly #cipher: DocumentCipher
  /** Number of the encryption dictionary, which is not encrypted. */
  readonly dictionaryNumber: number

  constructor(cipher: DocumentCipher, dictionaryNumber: number) {
    this.#cipher = cipher
    this.dictionaryNumber = dictionaryNumber
  }

  /** Encrypts the data of a stream. */
  encryptData(owner: CipherOwner, data: string): string {
    return textOf(this.#cipher.encrypt('streams', owner, bytesOf(data)))
  }

  /** Encrypts a string. */
  encryptString(owner: CipherOwner, text: string): Buffer {
    return Buffer.from(this.#cipher.encrypt('strings', owner, bytesOf(text)))
  }

  /**
   * Encrypts what is between `obj` and `endobj`; it may contain further objects, which get the same
   * key.
   */
  encryptObject(owner: CipherOwner, body: string): string {
    if (owner.number === this.dictionaryNumber) return body
    const parts = body.split(/(?<=endobj)/)
    return parts.map((part) => this.#encryptPart(owner, part)).join('')
  }

  #encryptPart(owner: CipherOwner, part: string): string {
    const keyword = STREAM_KEYWORD.exec(part)
    if (!keyword) return this.#encryptStrings(owner, part)
    const head = part.slice(0, keyword.index)
    const rest = part.slice(keyword.index + keyword[0].length)
    if (PLAIN_STREAM.test(head)) return this.#encryptStrings(owner, head) + keyword[0] + rest
    const end = rest.search(END_OF_DATA)
    const data = end === -1 ? rest : rest.slice(0, end)
    const encrypted = this.encryptData(owner, data)
    const growth = encrypted.length - data.length
    const lengthened = head.replaceAll(/\/Length (\d+)(?! \d+ R)/g, (entry, digits: string) => {
      const length = Number(digits)
      const isAdapted = length >= data.length && length < LONGEST_LENGTH
      return isAdapted ? `/Length ${length + growth}` : entry
    })
    const written =
      growth === 0 ? this.#encryptAround(owner, rest) : encrypted + rest.slice(data.length)
    return this.#encryptStrings(owner, lengthened) + keyword[0] + written
  }

  /** Encrypts data with a stream cipher: readers that find another end decrypt it as well. */
  #encryptAround(owner: CipherOwner, rest: string): string {
    const encrypted = [...this.encryptData(owner, rest)]
    const ends = [...rest.matchAll(END_OF_DATA)]
    for (const { index, 0: text } of ends) encrypted.splice(index, text.length, ...text)
    const last = ends.at(-1)
    if (!last) return encrypted.join('')
    const after = last.index + last[0].length
    return encrypted.slice(0, after).join('') + rest.slice(after)
  }

  #encryptStrings = (owner: CipherOwner, source: string): string =>
    replaceStrings(source, (bytes) => this.#cipher.encrypt('strings', owner, bytes))

  /**
   * Decrypts an object of a well-formed document.
   *
   * @param source between `obj` and `endobj`
   */
  decryptObject(document: PdfDocument, owner: CipherOwner, source: string): string {
    if (owner.number === this.dictionaryNumber) return source
    const decrypt = (text: string) =>
      replaceStrings(text, (bytes) => this.#cipher.decrypt('strings', owner, bytes))
    const keyword = STREAM_KEYWORD.exec(source)
    if (!keyword) return decrypt(source)
    const stream = document.get(new PdfReference(owner.number, owner.generation))
    const head = source.slice(0, keyword.index)
    if (!(stream instanceof PdfStream) || !stream.encryptedFor) {
      return decrypt(head) + source.slice(keyword.index)
    }
    const data = textOf(document.decrypted(stream))
    const length = `/Length ${data.length}`
    const lengthened = head.replace(/\/Length \d+(?!\d* \d+ R)/, length)
    return `${decrypt(lengthened)}stream\n${data}\nendstream`
  }
}
