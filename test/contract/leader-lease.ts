/** What every LeaderLease must do; a test file runs this for each adapter. */
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test as TapTest } from 'tap'
import type { LeaderLease } from '../../domain/ports/leader-lease.ts'

const STEP_MS = 10
const PATIENCE_MS = 60_000

export interface Replica {
  leads: boolean
  /** The events of its campaign. */
  received: string[]
  end(): Promise<void>
}

/** A replica that remembers its events. */
export function startCampaign(t: TapTest, lease: LeaderLease): Replica {
  const replica: Replica = { leads: false, received: [], end: async () => {} }
  const receive = (what: string, leads: boolean) => {
    replica.received.push(what)
    replica.leads = leads
  }
  replica.end = lease.campaign({
    onElected: () => receive('elected', true),
    onLost: () => receive('lost', false),
  })
  t.teardown(() => replica.end())
  return replica
}

/** Waits until it is so. @returns for how long, in milliseconds @throws when it never is */
export async function until(condition: () => boolean): Promise<number> {
  const startedMs = performance.now()
  while (!condition()) {
    if (performance.now() - startedMs > PATIENCE_MS) throw new Error('it never came')
    await sleep(STEP_MS)
  }
  return performance.now() - startedMs
}

/** @param open gives as many views of one free lease, each for a replica */
export function leaderLeaseContract(
  name: string,
  open: (t: TapTest, replicas: number) => Promise<LeaderLease[]>,
): void {
  t.test(`${name}: of three replicas one leads, and the next when it ends`, async (t) => {
    const replicas = (await open(t, 3)).map((lease) => startCampaign(t, lease))
    for (let left = replicas.length; left > 0; left--) {
      const standing = replicas.slice(-left)
      await until(() => replicas.some(({ leads }) => leads))
      await sleep(20 * STEP_MS)
      const leaders = replicas.filter(({ leads }) => leads)
      t.equal(leaders.length, 1, `one of ${standing.length}`)
      const [leader] = leaders as [Replica]
      await leader.end()
      t.same(leader.received, ['elected'], 'an end of its own is not a loss')
      leader.leads = false
    }
  })

  t.test(`${name}: a campaign that ended is not elected any more`, async (t) => {
    const [first, second] = (await open(t, 2)) as [LeaderLease, LeaderLease]
    const leader = startCampaign(t, first)
    await until(() => leader.leads)
    const other = startCampaign(t, second)
    await other.end()
    await leader.end()
    await leader.end()
    await sleep(20 * STEP_MS)
    t.same(other.received, [])
  })
}
