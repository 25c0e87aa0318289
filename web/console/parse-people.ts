/** Reads people from pasted text: a list of addresses, or columns of a spreadsheet. */
import type { DraftPerson } from './draft.ts'

export type PastedPerson = Pick<DraftPerson, 'firstName' | 'lastName' | 'email' | 'phone'>

const EMAIL = /<?([^\s<>;,"]+@[^\s<>;,"]+)>?/
const PHONE = /\+?\d[\d ()/.-]{5,}\d/
const COLUMNS = /[\t;,]/

/** The last word is the family name. */
function splitName(name: string): [string, string] {
  const words = name.split(/\s+/).filter(Boolean)
  return [
    words.slice(0, -1).join(' ') || (words[0] ?? ''),
    words.length > 1 ? `${words.at(-1)}` : '',
  ]
}

/** Academic degrees that Slovak puts after the name. */
const DEGREE = /^(?:PhD|Ph\.\s?D|CSc|DrSc|ArtD|ThDr|DiS|MBA|MPH|MSc|LL\.?\s?M)\.?$/i

function personOf(line: string): PastedPerson | undefined {
  const [matchedEmail, email] = EMAIL.exec(line) ?? []
  if (matchedEmail === undefined || email === undefined) return undefined
  const withoutEmail = line.replace(matchedEmail, '')
  const [phone = ''] = PHONE.exec(withoutEmail) ?? []
  const columns = withoutEmail
    .replace(phone, '')
    .split(COLUMNS)
    .map((column) => column.replaceAll('"', '').trim())
    .filter(Boolean)
  const names = columns.filter((column) => !DEGREE.test(column))
  const degrees = columns.filter((column) => DEGREE.test(column))
  const [first = '', last] = names
  const [firstName, family] = last === undefined ? splitName(first) : [first, last]
  const lastName = [family, ...degrees].filter(Boolean).join(', ')
  return { firstName, lastName, email, phone: phone.trim() }
}

const linesOf = (text: string) => text.split(/\r?\n/)

/** One person for each line with an address: `Jana Nováková <jana@example.com>`, or columns. */
export function parsePeople(text: string): PastedPerson[] {
  return linesOf(text).flatMap((line) => personOf(line) ?? [])
}

/** The lines that name nobody, because they have no address. */
export function unreadLines(text: string): string[] {
  return linesOf(text)
    .map((line) => line.trim())
    .filter((line) => line !== '' && personOf(line) === undefined)
}
