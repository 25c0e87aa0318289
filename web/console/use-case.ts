/** One case with its trail, read again when it changes. */
import { useCallback, useMemo } from 'preact/hooks'
import type { CaseAnswer, EventsAnswer } from '../../domain/contract/answers.ts'
import type { Outcome, TenantClient } from './api.ts'
import { useClient } from './client-context.ts'
import type { CaseChange } from './live-cases.ts'
import { isCutAfter, readPages } from './read-pages.ts'
import { usePolled, type LiveOptions } from './use-polled.ts'

export type Trail = Omit<(typeof EventsAnswer)['static'], 'nextCursor'> & {
  /** Whether the trail has older events that were not read. */
  isCut: boolean
}
export type TrailEvent = Trail['events'][number]
export interface SeenCase {
  seen: CaseAnswer
  trail: Trail
}

const POLL_MS = 3_000
const MAXIMUM_PAGES = 10

/** Reads the trail page by page, newest first. */
async function readTrail(client: TenantClient, caseId: string): Promise<Outcome<Trail>> {
  const outcome = await readPages<(typeof EventsAnswer)['static']>(
    client,
    `/cases/${caseId}/events`,
    MAXIMUM_PAGES,
  )
  if (outcome.kind !== 'answered') return outcome
  const events = outcome.value.flatMap((page) => page.events)
  const isCut = isCutAfter(outcome.value)
  const trailFault = outcome.value.findLast((page) => page.trailFault)?.trailFault
  return { kind: 'answered', value: { events, isCut, ...(trailFault && { trailFault }) } }
}

/** The case, read again when it changes. */
export function useCase(caseId: string) {
  const client = useClient()
  const read = useCallback(async (): Promise<Outcome<SeenCase>> => {
    const [seen, trail] = await Promise.all([
      client.ask<CaseAnswer>('GET', `/cases/${caseId}`),
      readTrail(client, caseId),
    ])
    if (seen.kind !== 'answered') return seen
    if (trail.kind !== 'answered') return trail
    return { kind: 'answered', value: { seen: seen.value, trail: trail.value } }
  }, [client, caseId])
  const live = useMemo(
    (): LiveOptions<SeenCase> => ({
      apply: (change: CaseChange) => (change.caseId === caseId ? 'read' : undefined),
    }),
    [caseId],
  )
  return usePolled(read, POLL_MS, live)
}
