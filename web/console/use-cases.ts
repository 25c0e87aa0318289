/** The cases of the tenant, newest first; pages of the API are in another order. */
import { useCallback, useMemo } from 'preact/hooks'
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

const QUERY = `query ($after: String, $status: String) {
  cases(first: 100, after: $after, status: $status) {
    cases { ${LISTED_FIELDS} }
    nextCursor
  }
}`
/** 20 requests; a tenant with more cases filters by status or uses the API. */
const MAXIMUM_PAGES = 20
const POLL_MS = 5_000

interface Page {
  cases: { cases: ListedCase[]; nextCursor: string | null }
}

const newestFirst = (a: ListedCase, b: ListedCase) => b.created.localeCompare(a.created)

/** Reads the cases page by page. */
async function readCases(
  client: TenantClient,
  status: CaseStatus | undefined,
): Promise<Outcome<ListedCases>> {
  const cases: ListedCase[] = []
  let after: string | null = null
  for (let page = 0; page < MAXIMUM_PAGES; page++) {
    const variables: Record<string, unknown> = { after, status: status ?? null }
    const outcome: Outcome<Page> = await client.query(QUERY, variables)
    if (outcome.kind !== 'answered') return outcome
    cases.push(...outcome.value.cases.cases)
    after = outcome.value.cases.nextCursor
    if (after === null) break
  }
  return { kind: 'answered', value: { cases: cases.sort(newestFirst), isCut: after !== null } }
}

/** The list after a change of one case. */
export function withChange(
  { caseId, case: changed }: CaseChange,
  value: ListedCases | undefined,
  status: CaseStatus | undefined,
): ListedCases | undefined {
  if (!value) return undefined
  const others = value.cases.filter(({ id }) => id !== caseId)
  const isShown = changed !== null && (status === undefined || changed.status === status)
  return { ...value, cases: isShown ? [...others, changed].sort(newestFirst) : others }
}

/**
 * The cases, kept up to date.
 *
 * @param status only cases that read so now
 * @param intervalMs time between two reads without a stream
 */
export function useCases(status?: CaseStatus, intervalMs = POLL_MS): Polled<ListedCases> {
  const client = useClient()
  const read = useCallback(() => readCases(client, status), [client, status])
  const live = useMemo(
    (): LiveOptions<ListedCases> => ({
      apply: (change, value) => withChange(change, value, status),
    }),
    [status],
  )
  return usePolled(read, intervalMs, live)
}
