/** Makes rows of an index with many cases, and the queries that tenants make. */
import { foldText } from '../../domain/fold-text.ts'
import { uuidV5 } from '../../domain/ids.ts'
import type { CaseQuery, CaseRow } from '../../domain/ports/case-index.ts'
import type { Phase } from '../../domain/cases/status.ts'
import { CASE_ID, TENANT } from '../../test/fixtures/signature-case.ts'

const HOUR_MS = 60 * 60 * 1000
const MONTHS = 24
export const NOW_MS = Date.parse('2026-11-20T12:00:00Z')
/** Rows span two years, and the newest ones are living. */
const SPAN_MS = MONTHS * 30 * 24 * HOUR_MS
const PAGE = 20
const SMALL_TENANTS = 50
/** One row in this many has this state. */
const RARE = 50_000

const FIRST_NAMES = ['Ľuboš', 'Janka', 'Peter', 'Mária', 'Tomáš', 'Zuzana', 'Ján', 'Eva']
const LAST_NAMES = ['Šťastný', 'Žltá', 'Kováč', 'Horváthová', 'Novák', 'Tóthová', 'Varga']
const ENDED: readonly Phase[] = ['DONE', 'DONE', 'DONE', 'DONE', 'EXPIRED', 'CANCELLED']

const pick = <T>(values: readonly T[], n: number) => values[n % values.length] as T

export interface ManyRows {
  archived: number
  living: number
}

/**
 * Row number `n` of all; one large tenant has four of five.
 *
 * @param n from 0, the oldest first
 */
function rowNumber(n: number, { archived, living }: ManyRows): CaseRow {
  const caseId = uuidV5(CASE_ID, 'many', String(n))
  const isArchived = n < archived
  const people = [n, n + 3].map((own) => {
    const [first, last] = [pick(FIRST_NAMES, own), pick(LAST_NAMES, own * 5 + n)]
    return [`${first} ${last}`, `${foldText(first)}.${own}@example.com`]
  })
  const lines = [caseId, `Zmluva o dielo č. ${n}/2026`, ...people.flat()]
  const isOpen = !isArchived && n % 2 === 0
  const ended = n % RARE === 7 ? 'FAILED' : pick(ENDED, n * 7)
  return {
    tenant: n % 5 === 0 ? `tenant-${(n / 5) % SMALL_TENANTS}` : TENANT,
    caseId,
    createdMs: Math.round(NOW_MS - SPAN_MS + (SPAN_MS * n) / (archived + living)),
    phase: isOpen ? 'IN_PROGRESS' : ended,
    // Some of them have expired, and their states are not written yet.
    ...(isOpen && { expiresAtMs: NOW_MS + ((n % 100) - 5) * HOUR_MS }),
    text: `\n${lines.map(foldText).join('\n')}\n`,
    version: n + 1,
    isArchived,
  }
}

/** Rows in batches. */
export function* manyRows(counts: ManyRows, batch: number): Generator<CaseRow[]> {
  const all = counts.archived + counts.living
  for (let from = 0; from < all; from += batch) {
    const length = Math.min(batch, all - from)
    yield Array.from({ length }, (_, index) => rowNumber(from + index, counts))
  }
}

type Asked = Pick<CaseQuery, 'filter' | 'sort'> & { isDeep?: true }

/** What tenants ask for, by name. */
const QUESTIONS = {
  'list by id': { filter: {}, sort: 'ID' },
  'list by id, deep': { filter: {}, sort: 'ID', isDeep: true },
  newest: { filter: {}, sort: 'CREATED_DESC' },
  'newest, deep': { filter: {}, sort: 'CREATED_DESC', isDeep: true },
  'DONE by id, deep': { filter: { phases: ['DONE'] }, sort: 'ID', isDeep: true },
  'DONE, newest, deep': { filter: { phases: ['DONE'] }, sort: 'CREATED_DESC', isDeep: true },
  'FAILED, newest': { filter: { phases: ['FAILED'] }, sort: 'CREATED_DESC' },
  'IN_PROGRESS by id': { filter: { phases: ['IN_PROGRESS'] }, sort: 'ID' },
  'IN_PROGRESS, newest': { filter: { phases: ['IN_PROGRESS'] }, sort: 'CREATED_DESC' },
  'EXPIRED by id': { filter: { phases: ['EXPIRED'] }, sort: 'ID' },
  'EXPIRED, newest': { filter: { phases: ['EXPIRED'] }, sort: 'CREATED_DESC' },
  'open or expired, newest': {
    filter: { phases: ['NEW', 'IN_PROGRESS', 'EXPIRED'] },
    sort: 'CREATED_DESC',
  },
  'archived by id': { filter: { isArchived: true }, sort: 'ID' },
  'archived and DONE, newest': {
    filter: { isArchived: true, phases: ['DONE'] },
    sort: 'CREATED_DESC',
  },
  'one week, oldest': {
    filter: {
      createdFromMs: NOW_MS - 200 * 24 * HOUR_MS,
      createdBeforeMs: NOW_MS - 193 * 24 * HOUR_MS,
    },
    sort: 'CREATED_ASC',
  },
  'one week by id': {
    filter: {
      createdFromMs: NOW_MS - 200 * 24 * HOUR_MS,
      createdBeforeMs: NOW_MS - 193 * 24 * HOUR_MS,
    },
    sort: 'ID',
  },
  'a word of all, newest': { filter: { words: ['zmluva'] }, sort: 'CREATED_DESC' },
  'a word of one, newest': { filter: { words: ['c. 123456/2026'] }, sort: 'CREATED_DESC' },
  'two words, newest': { filter: { words: ['kovac', '2345'] }, sort: 'CREATED_DESC' },
  'a word of none': { filter: { words: ['nowhere'] }, sort: 'ID' },
  'two letters of none': { filter: { words: ['qq'] }, sort: 'ID' },
  'an address': { filter: { email: 'janka.123457@example.com' }, sort: 'CREATED_DESC' },
} as const satisfies Record<string, Asked>
export type Question = keyof typeof QUESTIONS
export const QUESTION_NAMES = Object.keys(QUESTIONS) as Question[]

/** @param turn chooses the position of deep pages, which differs from call to call */
export function queryOf(name: Question, turn: number, counts: ManyRows): CaseQuery {
  const asked: Asked = QUESTIONS[name]
  const { filter, sort, isDeep } = asked
  // A step without a common factor, so that the turns visit distant rows.
  const n = (turn * 7_919 + 1_013) % (counts.archived + counts.living)
  const { caseId, createdMs } = rowNumber(n, counts)
  const after = isDeep ? { caseId, createdMs } : undefined
  return { tenant: TENANT, filter, sort, limit: PAGE + 1, nowMs: NOW_MS, after }
}
