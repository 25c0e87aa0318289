/** Which cases the list shows, and in which order. Pure. */
import { foldText } from '../../domain/fold-text.ts'
import type { CaseStatus, ListedCase } from './use-cases.ts'

export type CaseOrder = 'CREATED_DESC' | 'CREATED_ASC'

/** What a person chose; an empty text selects all cases. */
export interface CaseChoice {
  /** Words, which all occur in the id, the title, a name or an e-mail address. */
  search: string
  status: CaseStatus | ''
  /** The first and the last day of creation, as `2026-11-23`, in the zone of the browser. */
  firstDay: string
  lastDay: string
  order: CaseOrder
}

export const ALL_CASES: CaseChoice = {
  search: '',
  status: '',
  firstDay: '',
  lastDay: '',
  order: 'CREATED_DESC',
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

/** Midnight at the beginning of a day, some days later. @returns undefined unless it is a day */
function midnightOf(day: string, daysLater = 0): Date | undefined {
  const [, year, month, date] = (DAY.exec(day) ?? []).map(Number)
  if (year === undefined || month === undefined || date === undefined) return undefined
  const midnight = new Date(0)
  midnight.setFullYear(year, month - 1, date + daysLater)
  midnight.setHours(0, 0, 0, 0)
  // The API reads years of four digits.
  return /^\d{4}-/.test(midnight.toISOString()) ? midnight : undefined
}

const rangeOf = ({ firstDay, lastDay }: CaseChoice) => ({
  from: midnightOf(firstDay)?.toISOString(),
  before: midnightOf(lastDay, 1)?.toISOString(),
})

/** The variables of the query, without the order. */
export function variablesOf(choice: CaseChoice): Record<string, unknown> {
  const { from, before } = rangeOf(choice)
  const { status } = choice
  return {
    search: choice.search,
    filter: {
      ...(status === '' ? {} : { status: [status] }),
      ...(from === undefined ? {} : { createdFrom: from }),
      ...(before === undefined ? {} : { createdBefore: before }),
    },
  }
}

/** Whether the API would list the case. */
export function matches(one: ListedCase, choice: CaseChoice): boolean {
  const { from = '', before = '\u{10FFFF}' } = rangeOf(choice)
  const { id, title, status, created, participants } = one
  if (choice.status !== '' && choice.status !== status) return false
  if (created < from || created >= before) return false
  const people = participants.flatMap((person) => [
    `${person.firstName} ${person.lastName}`,
    person.email,
  ])
  const text = [id, title, ...people].map(foldText).join('\n')
  return foldText(choice.search)
    .split(' ')
    .every((word) => text.includes(word))
}

/** Compares two cases by the time of their creation. */
export const comparisonOf =
  (order: CaseOrder) =>
  (a: ListedCase, b: ListedCase): number =>
    order === 'CREATED_ASC'
      ? a.created.localeCompare(b.created)
      : b.created.localeCompare(a.created)
