/** Reads times of ASN.1: UTCTime and GeneralizedTime (ITU-T X.680, 46 and 47). */

import { TAG } from './der.ts'
import { DerError, type DerElement } from './der-reader.ts'

const DIGIT_0 = 0x30
const ZULU = 0x5a
const POINT = 0x2e
const COMMA = 0x2c
const MAX_FRACTION_DIGITS = 9

const isDigit = (octet: number): boolean => octet >= DIGIT_0 && octet <= DIGIT_0 + 9

/** A decimal number of `count` digits. @throws DerError */
function readDigits(octets: Uint8Array, at: number, count: number): number {
  let value = 0
  for (let index = at; index < at + count; index++) {
    if (!isDigit(octets[index])) throw new DerError('bad time')
    value = value * 10 + octets[index] - DIGIT_0
  }
  return value
}

/** Milliseconds of the fraction of a second between two offsets. @throws DerError */
function readFraction(octets: Uint8Array, at: number, end: number): number {
  if (at === end) return 0
  const digits = end - at - 1
  const isSeparated = octets[at] === POINT || octets[at] === COMMA
  if (!isSeparated || digits < 1 || digits > MAX_FRACTION_DIGITS) throw new DerError('bad time')
  return Math.floor((readDigits(octets, at + 1, digits) / 10 ** digits) * 1000)
}

/**
 * UTCTime or GeneralizedTime, both in UTC. Lists of revocations have thousands: it makes nothing
 * but the result.
 *
 * @throws DerError
 */
export function readTime(element: DerElement): Date {
  const { content: octets, tag } = element
  const isShort = tag === TAG.utcTime
  const end = octets.length - 1
  if ((!isShort && tag !== TAG.generalizedTime) || octets[end] !== ZULU)
    throw new DerError('bad time')
  const yearDigits = isShort ? 2 : 4
  const year = readDigits(octets, 0, yearDigits)
  const month = readDigits(octets, yearDigits, 2)
  const day = readDigits(octets, yearDigits + 2, 2)
  const hour = readDigits(octets, yearDigits + 4, 2)
  const minute = readDigits(octets, yearDigits + 6, 2)
  const at = yearDigits + 8
  const hasSeconds = isDigit(octets[at])
  const second = hasSeconds ? readDigits(octets, at, 2) : 0
  const afterSeconds = hasSeconds ? at + 2 : at
  if (isShort && afterSeconds !== end) throw new DerError('bad time')
  const milliseconds = readFraction(octets, afterSeconds, end)
  const century = isShort ? (year < 50 ? 2000 : 1900) : 0
  const time = new Date(0)
  time.setUTCFullYear(century + year, month - 1, day)
  time.setUTCHours(hour, minute, second, milliseconds)
  if (time.getUTCMonth() !== month - 1 || time.getUTCDate() !== day || hour > 23 || minute > 59) {
    throw new DerError('bad time')
  }
  return time
}
