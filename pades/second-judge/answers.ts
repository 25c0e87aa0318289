/**
 * Finds the OCSP answers about a certificate (RFC 6960, 4.2.1). pkijs takes some milliseconds to
 * read one: only those about a certificate in question are read.
 */

import { Buffer } from 'node:buffer'
import { BasicOCSPResponse, OCSPResponse } from 'pkijs'
import type { Certificate } from 'pkijs'
import { readOnce } from '../cms/read-once.ts'
import { type Element, elementsOf, firstElement } from './elements.ts'

/** Answers that are looked through; our own reader looks at as many. */
const MAX_ANSWERS = 1_000
const MAX_ANSWER_BYTES = 262_144
/** Answers that pkijs reads for one document: anybody can put a thousand about one into a file. */
const MAX_READ = 200
const MAX_READ_BYTES = 2 * 1_048_576

const SEQUENCE = 0x30
const CONTEXT_0 = 0xa0
const OCTET_STRING = 0x04

const octetsOf = (bytes: Uint8Array) => Uint8Array.from(bytes).buffer
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** OCSPResponse, or the BasicOCSPResponse in it: PDFs carry either. */
const readAnswer = readOnce((octets: Uint8Array): BasicOCSPResponse => {
  const der = octetsOf(octets)
  try {
    const { responseBytes } = OCSPResponse.fromBER(der)
    if (responseBytes) return BasicOCSPResponse.fromBER(responseBytes.response.getValue())
  } catch {
    // The inner structure alone.
  }
  return BasicOCSPResponse.fromBER(der)
})

/** The answers of a document. */
export class Answers {
  readonly #bySerial = new Map<string, Set<Uint8Array>>()
  /** What was read; undefined where pkijs cannot. */
  readonly #read = new Map<Uint8Array, BasicOCSPResponse | undefined>()
  #bytes = 0
  #isWhole: boolean

  constructor(pieces: readonly Uint8Array[]) {
    this.#isWhole = pieces.length <= MAX_ANSWERS
    for (const der of pieces.slice(0, MAX_ANSWERS)) {
      const serials = der.length > MAX_ANSWER_BYTES ? undefined : serialsOf(der)
      if (!serials) this.#isWhole = false
      for (const serial of serials ?? []) {
        const known = this.#bySerial.get(serial) ?? new Set()
        this.#bySerial.set(serial, known.add(der))
      }
    }
  }

  /** Whether all answers were looked at that were asked for. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** The answers that have the serial number of a certificate. */
  about({ serialNumber }: Certificate): BasicOCSPResponse[] {
    const pieces = this.#bySerial.get(textOf(serialNumber.valueBlock.valueHexView)) ?? []
    return [...pieces].flatMap((der) => this.#readOne(der) ?? [])
  }

  #readOne(der: Uint8Array): BasicOCSPResponse | undefined {
    if (this.#read.has(der)) return this.#read.get(der)
    this.#bytes += der.length
    if (this.#read.size >= MAX_READ || this.#bytes > MAX_READ_BYTES) {
      this.#isWhole = false
      return undefined
    }
    const answer = tryRead(der)
    this.#isWhole &&= answer !== undefined
    this.#read.set(der, answer)
    return answer
  }
}

function tryRead(der: Uint8Array): BasicOCSPResponse | undefined {
  try {
    return readAnswer(der)
  } catch {
    return undefined
  }
}

/** Serial numbers of an answer in hexadecimal; undefined for a structure that is not DER. */
function serialsOf(der: Uint8Array): string[] | undefined {
  try {
    const responseData = elementsOf(basicOf(firstElement(der)).content)[0]
    // After the version and the responder, with tags of their own, and the time.
    const responses = elementsOf(responseData.content).find(({ tag }) => tag === SEQUENCE)
    return elementsOf(responses?.content ?? new Uint8Array()).map(({ content }) => {
      const [, , , serialNumber] = elementsOf(firstElement(content).content)
      return textOf(serialNumber.content)
    })
  } catch {
    return undefined
  }
}

/** The BasicOCSPResponse, which may be within an OCSPResponse. @throws RangeError */
function basicOf(answer: Element): Element {
  const wrapped = elementsOf(answer.content).find(({ tag }) => tag === CONTEXT_0)
  const [, octets] = wrapped ? elementsOf(firstElement(wrapped.content).content) : []
  return octets?.tag === OCTET_STRING ? firstElement(octets.content) : answer
}
