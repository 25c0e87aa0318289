/** The cases that somebody chose, in order of time: the newest or the oldest first. */
import { useCallback, useMemo } from 'preact/hooks'
import type { Fault, Outcome, TenantClient } from './api.ts'
import { comparisonOf, matches, variablesOf, type CaseChoice, type CaseOrder } from './choice.ts'
import { LISTED_FIELDS } from './listed-fields.ts'
import type { CaseChange } from './live-cases.ts'
import type { CutList } from './read-pages.ts'
import type { ListedCase } from './use-cases.ts'
import { useCutList, type MoreList } from './use-cut-list.ts'
import type { LiveOptions } from './use-polled.ts'

const QUERY = `query ($after: String, $filter: CaseFilter, $search: String, $sort: CaseSort) {
  cases(first: 100, after: $after, filter: $filter, search: $search, sort: $sort) {
    cases { ${LISTED_FIELDS} }
    nextCursor
  }
}`
const CASES_PER_STEP = 100
/** A page can be short while the list goes on. */
const REQUESTS_PER_STEP = 10
const POLL_MS = 5_000
/** The service cannot sort by time: it has no index of cases, or cannot reach it. */
const UNSORTED = new Set<unknown>(['INDEX_REQUIRED', 'TIMEOUT'])

interface Page {
  cases: { cases: ListedCase[]; nextCursor: string | null }
}

export interface ChosenCases extends CutList<ListedCase> {
  /** Why only the cases that were read are in the order, and not all cases. */
  orderFault?: Fault
}

interface Reading {
  client: TenantClient
  choice: CaseChoice
  sort: CaseOrder | 'ID'
  maximumCases: number
  maximumRequests: number
}

async function readSome(reading: Reading): Promise<Outcome<CutList<ListedCase>>> {
  const { client, choice, sort, maximumCases, maximumRequests } = reading
  const items: ListedCase[] = []
  let after: string | null = null
  for (let count = 0; count < maximumRequests && items.length < maximumCases; count++) {
    const variables: Record<string, unknown> = { ...variablesOf(choice), sort, after }
    const outcome: Outcome<Page> = await client.query(QUERY, variables)
    if (outcome.kind !== 'answered') return outcome
    items.push(...outcome.value.cases.cases)
    after = outcome.value.cases.nextCursor
    if (after === null) break
  }
  return { kind: 'answered', value: { items, isCut: after !== null } }
}

/** Reads the cases in the order of their ids and sorts them here. */
async function readUnsorted(
  reading: Omit<Reading, 'sort'>,
  orderFault: Fault,
): Promise<Outcome<ChosenCases>> {
  const { choice, maximumCases } = reading
  const outcome = await readSome({ ...reading, sort: 'ID', maximumCases: Infinity })
  if (outcome.kind !== 'answered') return outcome
  const { items, isCut } = outcome.value
  const sorted = items.sort(comparisonOf(choice.order))
  const value = {
    items: sorted.slice(0, maximumCases),
    isCut: isCut || sorted.length > maximumCases,
    ...(isCut ? { orderFault } : {}),
  }
  return { kind: 'answered', value }
}

/**
 * Reads the beginning of the list. A service that cannot sort by time is asked for the cases in
 * another order, and they are sorted here.
 *
 * @param steps of a hundred cases
 */
export async function readChosen(
  client: TenantClient,
  choice: CaseChoice,
  steps: number,
): Promise<Outcome<ChosenCases>> {
  const maximumCases = steps * CASES_PER_STEP
  const reading = { client, choice, maximumCases, maximumRequests: steps * REQUESTS_PER_STEP }
  const outcome = await readSome({ ...reading, sort: choice.order })
  const isUnsorted = outcome.kind === 'refused' && UNSORTED.has(outcome.code)
  return isUnsorted ? readUnsorted(reading, outcome) : outcome
}

/** The list after a change of one case. */
export function withChange<T extends CutList<ListedCase>>(
  { caseId, case: changed }: CaseChange,
  value: T | undefined,
  choice: CaseChoice,
): T | undefined {
  if (!value) return undefined
  const others = value.items.filter(({ id }) => id !== caseId)
  if (changed === null || !matches(changed, choice)) return { ...value, items: others }
  const items = [...others, changed].sort(comparisonOf(choice.order))
  const isNew = others.length === value.items.length
  // It belongs behind the cases that were read.
  if (value.isCut && isNew && items.at(-1) === changed) return value
  return { ...value, items }
}

/** The chosen cases, kept up to date. @param choice an object that changes with its content */
export function useChosenCases(choice: CaseChoice): MoreList<ListedCase, ChosenCases> {
  const read = useCallback(
    (client: TenantClient, steps: number) => readChosen(client, choice, steps),
    [choice],
  )
  const live = useMemo(
    (): LiveOptions<ChosenCases> => ({
      apply: (change, value) => withChange(change, value, choice),
    }),
    [choice],
  )
  return useCutList(read, 1, POLL_MS, live)
}
