/** All cases of the tenant, for the statistics. */
import { useCallback } from 'preact/hooks'
import type { CaseAnswer, ParticipantAnswer } from '../../domain/contract/answers.ts'
import type { Outcome, TenantClient } from './api.ts'
import { useClient } from './client-context.ts'
import { LISTED_FIELDS } from './listed-fields.ts'
import type { CaseChange } from './live-cases.ts'
import { usePolled, type LiveOptions, type Polled } from './use-polled.ts'

export type CaseStatus = CaseAnswer['status']
export type ListedPerson = Pick<
  ParticipantAnswer,
  'firstName' | 'lastName' | 'email' | 'status'
> & {
  /** Null before the signature. */
  signedAt?: string | null
}
export type ListedCase = Pick<CaseAnswer, 'id' | 'title' | 'status' | 'created'> & {
  participants: ListedPerson[]
  /** Its size is null until the document is accepted. */
  originalDocument: { size?: number | null }
}

export interface ListedCases {
  cases: ListedCase[]
  /** Whether the tenant has more cases than the console reads. */
  isCut: boolean
}

const QUERY = `query ($after: String) {
  cases(first: 100, after: $after) {
    cases { ${LISTED_FIELDS} }
    nextCursor
  }
}`
/** 20 requests; the statistics say when a tenant has more cases. */
const MAXIMUM_PAGES = 20

interface Page {
  cases: { cases: ListedCase[]; nextCursor: string | null }
}

/** Reads the cases page by page. */
async function readCases(client: TenantClient): Promise<Outcome<ListedCases>> {
  const cases: ListedCase[] = []
  let after: string | null = null
  for (let page = 0; page < MAXIMUM_PAGES; page++) {
    const variables: Record<string, unknown> = { after }
    const outcome: Outcome<Page> = await client.query(QUERY, variables)
    if (outcome.kind !== 'answered') return outcome
    cases.push(...outcome.value.cases.cases)
    after = outcome.value.cases.nextCursor
    if (after === null) break
  }
  return { kind: 'answered', value: { cases, isCut: after !== null } }
}

/** The cases after a change of one. */
export function withChange(
  { caseId, case: changed }: CaseChange,
  value: ListedCases | undefined,
): ListedCases | undefined {
  if (!value) return undefined
  const others = value.cases.filter(({ id }) => id !== caseId)
  return { ...value, cases: changed === null ? others : [...others, changed] }
}

const LIVE: LiveOptions<ListedCases> = { apply: withChange }

/**
 * The cases, kept up to date.
 *
 * @param intervalMs time between two reads without a stream
 */
export function useCases(intervalMs: number): Polled<ListedCases> {
  const client = useClient()
  const read = useCallback(() => readCases(client), [client])
  return usePolled(read, intervalMs, LIVE)
}
