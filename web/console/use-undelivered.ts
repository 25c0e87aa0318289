/** Webhooks of all cases that were given up or refused. */
import { useCallback } from 'preact/hooks'
import type { WebhookEventsAnswer } from '../../domain/contract/delivery-answers.ts'
import type { Outcome, TenantClient } from './api.ts'
import { useClient } from './client-context.ts'
import { usePolled, type Polled } from './use-polled.ts'

type Page = (typeof WebhookEventsAnswer)['static']
export type Undelivered = Page['events'][number]

const STATES = ['dead', 'failed'] as const
const POLL_MS = 10_000
const MAXIMUM_PAGES = 5

async function readState(client: TenantClient, state: string): Promise<Outcome<Undelivered[]>> {
  const events: Undelivered[] = []
  let cursor = ''
  for (let page = 0; page < MAXIMUM_PAGES; page++) {
    const path = `/tenant/webhook-events?status=${state}&limit=100${cursor}`
    const outcome = await client.ask<Page>('GET', path)
    if (outcome.kind !== 'answered') return outcome
    events.push(...outcome.value.events)
    const { nextCursor } = outcome.value
    if (nextCursor === undefined) break
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`
  }
  return { kind: 'answered', value: events }
}

/** The newest first. */
export function useUndelivered(): Polled<Undelivered[]> {
  const client = useClient()
  const read = useCallback(async (): Promise<Outcome<Undelivered[]>> => {
    const all: Undelivered[] = []
    for (const state of STATES) {
      const outcome = await readState(client, state)
      if (outcome.kind !== 'answered') return outcome
      all.push(...outcome.value)
    }
    const value = all.sort((a, b) => b.occurredAt.localeCompare(a.occurredAt))
    return { kind: 'answered', value }
  }, [client])
  return usePolled(read, POLL_MS)
}
