/** A page of cases as tenants see it (decisions 52 and 233). */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { PHASES, type Phase } from '../../domain/cases/status.ts'
import { ValidationError } from '../../domain/errors.ts'
import { foldText } from '../../domain/fold-text.ts'
import { CASE_SORTS, type CaseFilter, type CaseSort } from '../../domain/ports/case-index.ts'
import type { ApiDeps } from '../deps.ts'
import { listCases } from '../../application/cases/list-cases.ts'
import type { FairQueue } from '../../application/limits/fair-queue.ts'
import { runInTurn } from '../../application/limits/run-in-turn.ts'
import { limitOf, type PageQuery } from '../../application/paging.ts'
import { DATE_TIME } from '../validation.ts'
import { presentListedCase } from './case.ts'

/** Turns of pages, shared by all requests of a process. */
export const LISTING_TURNS = {
  maximumRunning: 8,
  maximumWaiting: 1_000,
  maximumWaitingOfMember: 100,
} as const
/** For a page of the largest cases. */
const LISTING_SECONDS = 2

export type ListingDeps = ApiDeps & { listings: FairQueue }

/** Words of a search; each reads the texts once more. */
const MAXIMUM_WORDS = 10
const MAXIMUM_SEARCH_LENGTH = 200

/** What selects cases; the members that are absent or null select all. */
export interface CaseSelection {
  status?: unknown
  statuses?: readonly string[] | null | undefined
  participantEmail?: string | null | undefined
  createdFrom?: string | null | undefined
  createdBefore?: string | null | undefined
  search?: string | null | undefined
  sort?: CaseSort | null | undefined
}

type Rule = { keyword: string; params: Record<string, unknown>; message: string }

const refuse = (instancePath: string, rule: Rule) =>
  new ValidationError([{ instancePath, ...rule }])

/** Not validated by the schema, so that `limit` and `cursor` keep codes of their own. */
function phaseOf(status: unknown, instancePath: string): Phase {
  const known = PHASES.find((phase) => phase === status)
  if (known) return known
  const params = { allowedValues: PHASES }
  const message = 'must be equal to one of the allowed values'
  throw refuse(instancePath, { keyword: 'enum', params, message })
}

function timeOf(text: string, instancePath: string): number {
  const ms = DATE_TIME.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(ms)) return ms
  const params = { format: 'date-time' }
  throw refuse(instancePath, {
    keyword: 'format',
    params,
    message: 'must match format "date-time"',
  })
}

function wordsOf(search: string): string[] {
  const limit = MAXIMUM_SEARCH_LENGTH
  if ([...search].length > limit) {
    const message = `must not have more than ${limit} characters`
    throw refuse('/search', { keyword: 'maxLength', params: { limit }, message })
  }
  const words = foldText(search).split(' ')
  return [...new Set(words)].filter((word) => word !== '').slice(0, MAXIMUM_WORDS)
}

/** @throws ValidationError */
function phasesOf({ status, statuses }: CaseSelection): { phases?: readonly Phase[] } {
  const one = status === undefined ? undefined : phaseOf(status, '/status')
  const several = statuses?.map((each, at) => phaseOf(each, `/filter/status/${at}`))
  if (one === undefined) return several ? { phases: [...new Set(several)].sort() } : {}
  return { phases: several && !several.includes(one) ? [] : [one] }
}

/** @throws ValidationError */
function filterOf(selection: CaseSelection): CaseFilter {
  const { search, participantEmail: email, createdFrom, createdBefore } = selection
  const words = typeof search === 'string' ? wordsOf(search) : []
  const from = createdFrom && timeOf(createdFrom, '/filter/createdFrom')
  const before = createdBefore && timeOf(createdBefore, '/filter/createdBefore')
  return {
    ...phasesOf(selection),
    ...(words.length === 0 ? {} : { words }),
    ...(typeof email === 'string' ? { email: foldText(email) } : {}),
    ...(typeof from === 'number' ? { createdFromMs: from } : {}),
    ...(typeof before === 'number' ? { createdBeforeMs: before } : {}),
  }
}

/** Who asks for a page. */
export interface ListingCaller {
  tenant: string
  /** Cancels a page that still waits for its turn. */
  awaited?: AbortSignal | undefined
}

/**
 * Reads and presents one page at a time of each tenant: a page of the largest cases has 22 MB.
 *
 * @throws ValidationError, ServiceError INVALID_LIMIT, INVALID_CURSOR, INDEX_REQUIRED; TIMEOUT when
 *   too many pages wait
 */
export async function presentCases(
  { tenant, awaited }: ListingCaller,
  query: PageQuery & CaseSelection,
  deps: ListingDeps,
) {
  const sort = query.sort ?? CASE_SORTS[0]
  const filter = filterOf(query)
  const asked = { tenant, limit: limitOf(query), filter, sort, cursor: query.cursor }
  const turn = { queue: deps.listings, caller: { group: tenant, member: tenant }, awaited }
  return runInTurn(turn, { retryAfterSeconds: LISTING_SECONDS }, async () => {
    const { cases, ...more } = await listCases(asked, deps)
    const presented: Awaited<ReturnType<typeof presentListedCase>>[] = []
    for (const seen of cases) {
      // Other requests come in between: a large case takes milliseconds, and a store may not wait.
      await nextTurn()
      presented.push(await presentListedCase(seen, deps))
    }
    return { cases: presented, ...more }
  })
}
