/** A started service for the tests of the clients, with a local receiver of webhooks. */
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import type { CreateCaseInput } from '../../clients/typescript/src/index.ts'
import { openWorld, person, type Json, type World } from '../conformance/world.ts'

/** At least 32 characters, some of them not ASCII. */
export const SIGNING_SECRET = 'tajné heslo, ktoré má 32 znakov ž'

/** A service that may send webhooks to this machine. */
export function openClientWorld(t: Test): Promise<World> {
  return openWorld(t, { EGRESS_ALLOW: '127.0.0.1' })
}

/** A valid case with one participant. */
export function caseInput(more: Partial<CreateCaseInput> = {}): CreateCaseInput {
  return {
    title: 'Zmluva č. 1',
    validUntil: new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString(),
    participants: [person() as CreateCaseInput['participants'][number]],
    ...more,
  }
}

/** The programs of these tests run beside the service, on machines that may be busy. */
const LIMIT_MS = 120_000
const POLL_MS = 100

/** Waits until something is found. @throws Error after two minutes */
export async function waitFor<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
  const deadlineMs = Date.now() + LIMIT_MS
  while (Date.now() < deadlineMs) {
    const found = await find()
    if (found !== undefined) return found
    await setTimeout(POLL_MS)
  }
  throw new Error(`${what} did not come in time`)
}

/** Waits until a case has the status. @returns the case */
export function waitForStatus(world: World, caseId: string, status: string): Promise<Json> {
  return waitFor(`status ${status}`, async () => {
    const seen = await world.get(caseId)
    return seen.status === status ? seen : undefined
  })
}
