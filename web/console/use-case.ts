/** One case with its trail, read again every few seconds. */
import { useCallback } from 'preact/hooks'
import type { CaseAnswer, EventsAnswer } from '../../domain/contract/answers.ts'
import type { Outcome, TenantClient } from './api.ts'
import { useClient } from './client-context.ts'
import { usePolled } from './use-polled.ts'

export type Trail = (typeof EventsAnswer)['static']
export type TrailEvent = Trail['events'][number]
export interface SeenCase {
  seen: CaseAnswer
  trail: Trail
}

const POLL_MS = 3_000
const MAXIMUM_PAGES = 10

/** Reads the trail page by page, newest first. */
async function readTrail(client: TenantClient, caseId: string): Promise<Outcome<Trail>> {
  const trail: Trail = { events: [] }
  let cursor = ''
  for (let page = 0; page < MAXIMUM_PAGES; page++) {
    const outcome = await client.ask<Trail>('GET', `/cases/${caseId}/events?limit=100${cursor}`)
    if (outcome.kind !== 'answered') return outcome
    const { events, nextCursor, trailFault } = outcome.value
    trail.events.push(...events)
    if (trailFault) trail.trailFault = trailFault
    if (nextCursor === undefined) break
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`
  }
  return { kind: 'answered', value: trail }
}

/** The case, read again every few seconds. */
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
  return usePolled(read, POLL_MS)
}
