/** The structure of the document security store (EN 319 142-1, 5.4.2; ISO 32000-2, 12.8.4.3). */

import { createHash } from 'node:crypto'
import { PadesError } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { PdfReference, PdfStream, PdfString } from '../pdf/values.ts'
import type { PdfArray, PdfValue } from '../pdf/values.ts'

/** Entries of a store and of its parts; far more than certificates and lists of one document. */
const MAX_ENTRIES = 10_000

const LISTS: ReadonlySet<string> = new Set(['Certs', 'CRLs', 'OCSPs', 'Cert', 'CRL', 'OCSP'])

/**
 * Numbers of all objects of a store, when every part is of the type that it must be; empty when
 * there is no store; undefined when something is not right.
 */
export function collectSecurityStore(
  document: PdfDocument,
  store: PdfValue | undefined,
): ReadonlySet<number> | undefined {
  const numbers = new Set<number>()
  if (store === undefined) return numbers
  const isStore = isPart(document, store, numbers, (key, value) => {
    if (key === 'Type') return document.name(value) === 'DSS'
    if (key === 'VRI') {
      return isPart(document, value, numbers, (name, part) => {
        // Some producers name the type of the table itself.
        if (name === 'Type') return document.name(part) === 'VRI'
        return isInformation(document, part, numbers)
      })
    }
    return isList(document, key, value, numbers)
  })
  const isEmpty = document.dictionary(store)?.size === 0
  return isStore && !isEmpty && numbers.size <= MAX_ENTRIES ? numbers : undefined
}

function note(value: PdfValue, numbers: Set<number>): void {
  if (value instanceof PdfReference) numbers.add(value.number)
}

/** An entry that is null counts as absent (ISO 32000-2, 7.3.7); in a list it holds nothing. */
const isAbsent = (document: PdfDocument, value: PdfValue): boolean =>
  document.resolve(value) === null

/** A dictionary all of whose entries are right. */
function isPart(
  document: PdfDocument,
  value: PdfValue,
  numbers: Set<number>,
  isRight: (key: string, value: PdfValue) => boolean,
): boolean {
  note(value, numbers)
  const resolved = document.resolve(value)
  if (!(resolved instanceof Map) || resolved.size > MAX_ENTRIES) return false
  return [...resolved].every(([key, entry]) => isAbsent(document, entry) || isRight(key, entry))
}

/** Validation-related information of one signature. */
function isInformation(document: PdfDocument, value: PdfValue, numbers: Set<number>): boolean {
  return isPart(document, value, numbers, (key, entry) => {
    if (key === 'Type') return document.name(entry) === 'VRI'
    if (key === 'TU') return document.resolve(entry) instanceof PdfString
    if (key === 'TS') return isStream(document, entry, numbers)
    return isList(document, key, entry, numbers)
  })
}

function isList(
  document: PdfDocument,
  key: string,
  value: PdfValue,
  numbers: Set<number>,
): boolean {
  note(value, numbers)
  const items = document.array(value)
  return (
    LISTS.has(key) &&
    items !== undefined &&
    items.length <= MAX_ENTRIES &&
    items.every((item) => isAbsent(document, item) || isStream(document, item, numbers))
  )
}

function isStream(document: PdfDocument, value: PdfValue, numbers: Set<number>): boolean {
  note(value, numbers)
  return document.resolve(value) instanceof PdfStream
}

/** Whether a store still has every piece that it had, under the same key. */
export function storeOnlyGrew(
  before: PdfDocument,
  old: PdfValue | undefined,
  after: PdfDocument,
  store: PdfValue | undefined,
): boolean {
  const entries = old === undefined ? undefined : before.dictionary(old)
  if (!entries) return true
  const current = after.dictionary(store)
  return [...entries].every(([key, value]) => {
    const items = before.array(value)
    if (items) return keepsItems(before, items, after, after.array(current?.get(key)) ?? [])
    const own = before.dictionary(value)
    return !own || storeOnlyGrew(before, value, after, current?.get(key))
  })
}

/** A piece may have got another number: its content identifies it. */
function keepsItems(
  before: PdfDocument,
  old: PdfArray,
  after: PdfDocument,
  items: PdfArray,
): boolean {
  const numbers = new Set(items.map((item) => (item instanceof PdfReference ? item.number : 0)))
  const missing = old.filter(
    (item) =>
      !isAbsent(before, item) && !(item instanceof PdfReference && numbers.has(item.number)),
  )
  if (missing.length === 0) return true
  const digests = new Set(items.map((item) => digestOf(after, item)))
  return missing.every((item) => {
    const digest = digestOf(before, item)
    return digest !== undefined && digests.has(digest)
  })
}

/** Digest of the content of a stream; undefined when the stream cannot be read. */
function digestOf(document: PdfDocument, item: PdfValue): string | undefined {
  const stream = document.resolve(item)
  if (!(stream instanceof PdfStream)) return undefined
  try {
    return createHash('sha256').update(document.decode(stream)).digest('hex')
  } catch (error) {
    if (error instanceof PadesError && error.code === 'DAMAGED') return undefined
    throw error
  }
}
