/** The structure of the document security store (EN 319 142-1, 5.4.2; ISO 32000-2, 12.8.4.3). */

import { createHash } from 'node:crypto'
import { PadesError } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { PdfReference, PdfStream, PdfString } from '../pdf/values.ts'
import type { PdfArray, PdfValue } from '../pdf/values.ts'

/** Entries of a store and of its parts; far more than certificates and lists of one document. */
const MAX_ENTRIES = 10_000
/** References in all parts together: several parts may share one list. */
const MAX_REFERENCES = 100_000

const LISTS: ReadonlySet<string> = new Set(['Certs', 'CRLs', 'OCSPs', 'Cert', 'CRL', 'OCSP'])

/** Objects of a store, and a bound on the references that lead to them. */
class StoreParts {
  readonly numbers = new Set<number>()
  #left = MAX_REFERENCES

  /** @returns whether there are not too many */
  note(value: PdfValue): boolean {
    if (value instanceof PdfReference) this.numbers.add(value.number)
    this.#left -= 1
    return this.#left >= 0
  }
}

/**
 * Numbers of all objects of a store, when every part is of the type that it must be; empty when
 * there is no store; undefined when something is not right.
 */
export function collectSecurityStore(
  document: PdfDocument,
  store: PdfValue | undefined,
): ReadonlySet<number> | undefined {
  const parts = new StoreParts()
  const { numbers } = parts
  if (store === undefined) return numbers
  const isStore = isPart(document, store, parts, (key, value) => {
    if (key === 'Type') return document.name(value) === 'DSS'
    if (key === 'VRI') {
      return isPart(document, value, parts, (name, part) => {
        // Some producers name the type of the table itself.
        if (name === 'Type') return document.name(part) === 'VRI'
        return isInformation(document, part, parts)
      })
    }
    return isList(document, key, value, parts)
  })
  const isEmpty = document.dictionary(store)?.size === 0
  return isStore && !isEmpty && numbers.size <= MAX_ENTRIES ? numbers : undefined
}

/** An entry that is null counts as absent (ISO 32000-2, 7.3.7); in a list it holds nothing. */
const isAbsent = (document: PdfDocument, value: PdfValue): boolean =>
  document.resolve(value) === null

/** A dictionary all of whose entries are right. */
function isPart(
  document: PdfDocument,
  value: PdfValue,
  parts: StoreParts,
  isRight: (key: string, value: PdfValue) => boolean,
): boolean {
  if (!parts.note(value)) return false
  const resolved = document.resolve(value)
  if (!(resolved instanceof Map) || resolved.size > MAX_ENTRIES) return false
  return [...resolved].every(([key, entry]) => isAbsent(document, entry) || isRight(key, entry))
}

/** Validation-related information of one signature. */
function isInformation(document: PdfDocument, value: PdfValue, parts: StoreParts): boolean {
  return isPart(document, value, parts, (key, entry) => {
    if (key === 'Type') return document.name(entry) === 'VRI'
    if (key === 'TU') return document.resolve(entry) instanceof PdfString
    if (key === 'TS') return isStream(document, entry, parts)
    return isList(document, key, entry, parts)
  })
}

function isList(document: PdfDocument, key: string, value: PdfValue, parts: StoreParts): boolean {
  const items = parts.note(value) ? document.array(value) : undefined
  return (
    LISTS.has(key) &&
    items !== undefined &&
    items.length <= MAX_ENTRIES &&
    items.every((item) => isStream(document, item, parts) || isAbsent(document, item))
  )
}

const isStream = (document: PdfDocument, value: PdfValue, parts: StoreParts): boolean =>
  parts.note(value) && document.resolve(value) instanceof PdfStream

/** The store, its table of signatures, and the entry of one signature. */
const STORE_DEPTH = 3

/** Whether a store still has every piece that it had, under the same key. */
export const storeOnlyGrew = (
  before: PdfDocument,
  old: PdfValue | undefined,
  after: PdfDocument,
  store: PdfValue | undefined,
): boolean => partOnlyGrew({ before, after, left: MAX_REFERENCES }, old, store, STORE_DEPTH)

interface Growth {
  readonly before: PdfDocument
  readonly after: PdfDocument
  /** References that may still be looked at. */
  left: number
}

/** What is nested more deeply than a store is none, and may be endless. */
function partOnlyGrew(
  growth: Growth,
  old: PdfValue | undefined,
  part: PdfValue | undefined,
  depth: number,
): boolean {
  const { before, after } = growth
  const entries = old === undefined ? undefined : before.dictionary(old)
  if (!entries) return true
  if (depth === 0) return false
  const current = after.dictionary(part)
  return [...entries].every(([key, value]) => {
    const items = before.array(value)
    if (!items) return partOnlyGrew(growth, value, current?.get(key), depth - 1)
    const later = after.array(current?.get(key)) ?? []
    growth.left -= items.length + later.length
    return growth.left >= 0 && keepsItems(before, items, after, later)
  })
}

/** Each object once. */
const distinct = (items: PdfArray): PdfValue[] => [
  ...new Map(
    items.map((item) => [item instanceof PdfReference ? item.number : item, item]),
  ).values(),
]

/** A piece may have got another number: its content identifies it. */
function keepsItems(
  before: PdfDocument,
  old: PdfArray,
  after: PdfDocument,
  items: PdfArray,
): boolean {
  const numbers = new Set(items.map((item) => (item instanceof PdfReference ? item.number : 0)))
  const missing = distinct(old).filter(
    (item) =>
      !isAbsent(before, item) && !(item instanceof PdfReference && numbers.has(item.number)),
  )
  if (missing.length === 0) return true
  const digests = new Set(distinct(items).map((item) => digestOf(after, item)))
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
