/**
 * The controller process: observes cases that may have changed and reconciles each case, one run at
 * a time.
 */
import { ownsCase, ALL_SHARDS, type ShardGroup } from '../domain/cases/shards.ts'
import type { OnChange } from '../domain/ports/stores.ts'
import { subscribeToCases } from './case-changes.ts'
import { CaseRuns, RESYNC_INTERVAL_MS } from './case-runs.ts'
import type { ControllerDeps } from './deps.ts'
import { Resync } from './resync.ts'
import { sweepUnadoptedSecrets } from './unadopted-secrets.ts'

/** Upper bound of the time until the controller notices a wiped ephemeral store. */
const EPOCH_CHECK_INTERVAL_MS = 1_000
/** Least time between the end of a periodic run and the next one, which may be overdue. */
const SHORTEST_PAUSE_MS = 1_000

export interface Controller {
  /** Starts the watches, and resyncs all cases in the background. */
  start(): Promise<void>
  /** Ends the watches and waits for the runs in progress. */
  stop(): Promise<void>
}

class CaseController implements Controller {
  readonly #deps: ControllerDeps
  readonly #group: ShardGroup
  readonly #runs: CaseRuns
  readonly #resync: Resync
  readonly #endings: (() => void)[] = []
  #subscription: Promise<void> | undefined
  #stopped = false

  constructor(deps: ControllerDeps) {
    this.#deps = deps
    this.#group = deps.group ?? ALL_SHARDS
    this.#runs = new CaseRuns(deps)
    this.#resync = new Resync(this.#runs)
  }

  async start(): Promise<void> {
    const { cases, log, timers } = this.#deps
    const onChange: OnChange = (key, version, isNew, read) => {
      this.#runs.recent?.note(key, version, read)
      if (isNew) this.#runs.addCreated(key)
      else this.#runs.addChanged(key, version, read)
    }
    this.#endings.push(cases.watch(onChange))
    this.#every(RESYNC_INTERVAL_MS, () => this.#resync.startAnew())
    // Only one controller does it, for the cases of all groups.
    if (this.#group.index === 0) {
      const sweep = () => sweepUnadoptedSecrets(this.#deps, new Date(timers.nowMs()))
      this.#every(RESYNC_INTERVAL_MS, sweep)
    }
    this.#every(EPOCH_CHECK_INTERVAL_MS, () => this.#checkEpoch())
    await this.#listen().catch((error: unknown) =>
      log.warn({ err: error }, 'the subscription to changed cases failed'),
    )
    void this.#resync.start()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const end of this.#endings) end()
    const resynced = this.#resync.stop()
    await this.#runs.queue.close()
    await resynced
    await this.#runs.quiet.close()
    this.#runs.numbers.forget(this.#group.index, this.#deps.timers.nowMs())
  }

  /** Subscribes once; when the store was not reachable at the start, the next check tries again. */
  #listen(): Promise<void> {
    this.#subscription ??= this.#subscribe().catch((error: unknown) => {
      this.#subscription = undefined
      throw error
    })
    return this.#subscription
  }

  async #subscribe(): Promise<void> {
    await this.#resync.takeOver()
    const end = await subscribeToCases(this.#deps.ephemeral, ({ key, mayWait, isListed }) => {
      if (!ownsCase(this.#group, key)) return
      if (isListed) this.#runs.forgetListing(key)
      if (mayWait) this.#runs.addNotifiedSoon(key)
      else this.#runs.addNotified(key)
    })
    if (this.#stopped) end()
    else this.#endings.push(end)
  }

  async #checkEpoch(): Promise<void> {
    await this.#listen()
    await this.#resync.checkEpoch()
  }

  /**
   * Runs periodically. The interval begins with a run: what became due while it ran, also because
   * the clock was put forward, does not wait for a whole interval after its end.
   */
  #every(intervalMs: number, run: () => Promise<void>): void {
    const { timers, log } = this.#deps
    let cancel = () => {}
    const arm = (delayMs: number) => {
      cancel = timers.after(delayMs, () => {
        const dueMs = timers.nowMs() + intervalMs
        run()
          .catch((error: unknown) => log.warn({ err: error }, 'timer failed'))
          .finally(() => {
            if (!this.#stopped) arm(Math.max(dueMs - timers.nowMs(), SHORTEST_PAUSE_MS))
          })
      })
    }
    arm(intervalMs)
    this.#endings.push(() => cancel())
  }
}

/** Builds the controller; `start` starts it. */
export function buildController(deps: ControllerDeps): Controller {
  return new CaseController(deps)
}
