/** Encrypts and decrypts the strings and streams of a document (ISO 32000-2, 7.6.3). */
import { Buffer } from 'node:buffer'
import { createHash, createHmac } from 'node:crypto'
import { AES_BLOCK_BYTES, decryptAes, encryptAes, hasAesPadding } from './aes.ts'
import { rc4 } from './rc4.ts'

/** How strings or streams are encrypted (table 25, `CFM`); `Identity` leaves them as they are. */
export type CryptMethod = 'RC4' | 'AESV2' | 'AESV3' | 'Identity'

/** The indirect object to which a string or stream belongs. */
export interface CipherOwner {
  readonly number: number
  readonly generation: number
}

/** The kinds of data that a document may encrypt in different ways. */
export type DataKind = 'strings' | 'streams'

interface CipherOptions {
  /** File encryption key. */
  readonly key: Uint8Array
  readonly strings: CryptMethod
  readonly streams: CryptMethod
}

const AES_SALT = Buffer.from('sAlT', 'latin1')
const EMPTY = new Uint8Array()
const LONGEST_OBJECT_KEY_BYTES = 16
/** What the key of an object has more than that of the file, before it is cut. */
const OBJECT_KEY_EXTRA_BYTES = 5

/** The key of an open document. */
export class DocumentCipher {
  readonly #key: Uint8Array
  readonly #methods: Readonly<Record<DataKind, CryptMethod>>

  constructor({ key, strings, streams }: CipherOptions) {
    this.#key = key
    this.#methods = { strings, streams }
  }

  /**
   * Decrypts a string or the data of a stream. Empty data stay empty in every method.
   *
   * @returns undefined when the data cannot have been encrypted as the document says
   */
  decrypt(kind: DataKind, owner: CipherOwner, data: Uint8Array): Uint8Array | undefined {
    const method = this.#methods[kind]
    if (method === 'Identity' || data.length === 0) return data
    const key = this.#keyOf(method, owner)
    return method === 'RC4' ? rc4(key, data) : decryptAes(key, data)
  }

  /** Whether {@link decrypt} returns data. */
  canDecrypt(kind: DataKind, owner: CipherOwner, data: Uint8Array): boolean {
    const method = this.#methods[kind]
    if (method === 'Identity' || method === 'RC4' || data.length === 0) return true
    return hasAesPadding(this.#keyOf(method, owner), data)
  }

  /**
   * Encrypts a string or the data of a stream. The initialization vector follows from the key and
   * the data: to those who do not have the key it is random, and the same signing writes the same
   * bytes.
   */
  encrypt(kind: DataKind, owner: CipherOwner, data: Uint8Array): Uint8Array {
    const method = this.#methods[kind]
    if (method === 'Identity') return data
    const key = this.#keyOf(method, owner)
    if (method === 'RC4') return rc4(key, data)
    const place = Buffer.from(`${kind} ${owner.number} ${owner.generation} `, 'latin1')
    const digest = createHmac('sha256', this.#key).update(place).update(data).digest()
    return encryptAes(key, digest.subarray(0, AES_BLOCK_BYTES), data)
  }

  /** Algorithms 1 and 1.A. */
  #keyOf(method: CryptMethod, { number, generation }: CipherOwner): Uint8Array {
    if (method === 'AESV3') return this.#key
    const place = Buffer.alloc(OBJECT_KEY_EXTRA_BYTES)
    // Damaged files name larger numbers; the low-order bytes count.
    place.writeUIntLE(number & 0xff_ffff, 0, 3)
    place.writeUIntLE(generation & 0xffff, 3, 2)
    const length = Math.min(this.#key.length + OBJECT_KEY_EXTRA_BYTES, LONGEST_OBJECT_KEY_BYTES)
    const salt = method === 'AESV2' ? AES_SALT : EMPTY
    const digest = createHash('md5').update(this.#key).update(place).update(salt).digest()
    return digest.subarray(0, length)
  }
}
