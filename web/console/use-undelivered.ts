/** Webhooks of all cases that were given up or refused. */
import { useCallback } from 'preact/hooks'
import type { WebhookEventsAnswer } from '../../domain/contract/delivery-answers.ts'
import type { Outcome, TenantClient } from './api.ts'
import { useClient } from './client-context.ts'
import { readPages } from './read-pages.ts'
import { usePolled, type Polled } from './use-polled.ts'

type Page = (typeof WebhookEventsAnswer)['static']
export type Undelivered = Page['events'][number]

const STATES = ['dead', 'failed'] as const
const POLL_MS = 10_000
const MAXIMUM_PAGES = 5

async function readState(client: TenantClient, state: string): Promise<Outcome<Undelivered[]>> {
  const path = `/tenant/webhook-events?status=${state}`
  const outcome = await readPages<Page>(client, path, MAXIMUM_PAGES)
  if (outcome.kind !== 'answered') return outcome
  return { kind: 'answered', value: outcome.value.flatMap(({ events }) => events) }
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
