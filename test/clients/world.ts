/** A started service for the tests of the clients, with a local receiver of webhooks. */
import type { Test } from 'tap'
import type { CreateCaseInput } from '../../clients/typescript/src/index.ts'
import { openWorld, person, type World } from '../conformance/world.ts'

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
