/** Webhooks of all cases that were given up or refused. */
import type { WebhookEventsAnswer } from '../../domain/contract/delivery-answers.ts'
import type { Outcome, TenantClient } from './api.ts'
import { isCutAfter, readPages, type CutList } from './read-pages.ts'
import { useCutList, type MoreList } from './use-cut-list.ts'

type Page = (typeof WebhookEventsAnswer)['static']
export type Undelivered = Page['events'][number]

const STATES = ['dead', 'failed'] as const
const POLL_MS = 10_000
/** For each state. */
const PAGES_PER_STEP = 5

async function readState(
  client: TenantClient,
  state: string,
  maximumPages: number,
): Promise<Outcome<CutList<Undelivered>>> {
  const path = `/tenant/webhook-events?status=${state}`
  const outcome = await readPages<Page>(client, path, maximumPages)
  if (outcome.kind !== 'answered') return outcome
  const items = outcome.value.flatMap(({ events }) => events)
  return { kind: 'answered', value: { items, isCut: isCutAfter(outcome.value) } }
}

async function readUndelivered(
  client: TenantClient,
  maximumPages: number,
): Promise<Outcome<CutList<Undelivered>>> {
  const all: Undelivered[] = []
  let isCut = false
  for (const state of STATES) {
    const outcome = await readState(client, state, maximumPages)
    if (outcome.kind !== 'answered') return outcome
    all.push(...outcome.value.items)
    isCut ||= outcome.value.isCut
  }
  const items = all.sort((a, b) => b.occurredAt.localeCompare(a.occurredAt))
  return { kind: 'answered', value: { items, isCut } }
}

/** The newest first. @param intervalMs time between two reads */
export const useUndelivered = (intervalMs = POLL_MS): MoreList<Undelivered> =>
  useCutList(readUndelivered, PAGES_PER_STEP, intervalMs)
