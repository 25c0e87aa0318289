/** Webhooks of all cases that were given up or refused. */
import { useCallback } from 'preact/hooks'
import type { WebhookEventsAnswer } from '../../domain/contract/delivery-answers.ts'
import type { Outcome, TenantClient } from './api.ts'
import { useClient } from './client-context.ts'
import { isCutAfter, readPages, type CutList } from './read-pages.ts'
import { usePolled, type Polled } from './use-polled.ts'

type Page = (typeof WebhookEventsAnswer)['static']
export type Undelivered = Page['events'][number]

const STATES = ['dead', 'failed'] as const
const POLL_MS = 10_000
const MAXIMUM_PAGES = 5

async function readState(
  client: TenantClient,
  state: string,
): Promise<Outcome<CutList<Undelivered>>> {
  const path = `/tenant/webhook-events?status=${state}`
  const outcome = await readPages<Page>(client, path, MAXIMUM_PAGES)
  if (outcome.kind !== 'answered') return outcome
  const items = outcome.value.flatMap(({ events }) => events)
  return { kind: 'answered', value: { items, isCut: isCutAfter(outcome.value) } }
}

/** The newest first. */
export function useUndelivered(): Polled<CutList<Undelivered>> {
  const client = useClient()
  const read = useCallback(async (): Promise<Outcome<CutList<Undelivered>>> => {
    const all: Undelivered[] = []
    let isCut = false
    for (const state of STATES) {
      const outcome = await readState(client, state)
      if (outcome.kind !== 'answered') return outcome
      all.push(...outcome.value.items)
      isCut ||= outcome.value.isCut
    }
    const items = all.sort((a, b) => b.occurredAt.localeCompare(a.occurredAt))
    return { kind: 'answered', value: { items, isCut } }
  }, [client])
  return usePolled(read, POLL_MS)
}
