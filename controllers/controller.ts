/**
 * The controller process: observes cases that may have changed and reconciles each case, one run at
 * a time.
 */
import type { EphemeralStore } from '../domain/ports/ephemeral.ts'
import { NO_METRICS, type Metrics } from '../domain/ports/metrics.ts'
import { hasShardLabel, mayHave, WHOLE, type ShardGroup } from '../domain/cases/shards.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import type { CaseIndex } from '../domain/ports/case-index.ts'
import type { ObjectStore } from '../domain/ports/object-store.ts'
import type { CaseKey, CaseStore } from '../domain/ports/stores.ts'
import { ReadObjects } from '../application/store/folder-snapshot.ts'
import { Archiving } from './archiving.ts'
import { subscribeToCases } from './case-changes.ts'
import { Census } from './census.ts'
import { GroupNumbers } from './group-numbers.ts'
import { IndexResync } from './index-resync.ts'
import { sweepOldAttempts } from './old-attempts.ts'
import { eraseOverdueObjects } from './overdue-objects.ts'
import { findGrownTrails } from './grown-trails.ts'
import { ElsewhereError, ownCases } from './own-cases.ts'
import { OwnWrites } from './own-writes.ts'
import { askedRedeliveries } from './redeliveries.ts'
import { isAtRest, isPastRetention } from './skipped.ts'
import { FAILURES_TO_REPORT, reportFailure } from './signature-case/failing.ts'
import { reconcile, type ReconcileDeps } from './signature-case/reconcile.ts'
import type { Timers } from '../domain/ports/timers.ts'
import { NO_TRACER } from '../domain/ports/tracing.ts'
import { sweepUnadoptedSecrets } from './unadopted-secrets.ts'
import { WorkQueue } from './work-queue.ts'

export const RESYNC_INTERVAL_MS = 5 * 60_000
/** A full resync also applies retention times: to cases, delivery logs and removed cases. */
const FULL_RESYNC_INTERVAL_MS = 24 * 60 * 60 * 1000
/** Upper bound of the time until the controller notices a wiped ephemeral store. */
const EPOCH_CHECK_INTERVAL_MS = 1_000
const LIST_PAGE = 500
/** A resync adds no further page while more keys than this are queued. */
const RESYNC_HIGH_WATER = 1_000
const MAXIMUM_PAGES = 1_000_000
/** Cases whose notification came while they wait for their run; beyond it, a resync helps. */
const MAXIMUM_NOTIFIED = 100_000
const MILLISECONDS_PER_SECOND = 1_000
/** A reconcile spends most of its time waiting for stores, so several run at once. */
const CONCURRENCY = 16
/** Notifications after which nothing is urgent wait this long for others of their case. */
export const MERGE_DELAY_MS = 1_000

const RETENTION_UNKNOWN = 'the retention time of a tenant could not be read'

export interface ControllerDeps extends Omit<
  ReconcileDeps,
  'now' | 'onAbsent' | 'completeRestoring'
> {
  /** Cases of this controller, which `cases` lists and watches; absent: all cases. */
  group?: ShardGroup
  /** Shared by the controllers of all groups in this process; absent: its own. */
  numbers?: GroupNumbers
  objects: ObjectStore
  /** Hours between the end of a case and its archiving; absent: cases are not archived. */
  archiveAfterHours?: number
  /** Called with the last version of a resource before it is deleted because it is archived. */
  onArchived?: (signatureCase: SignatureCase) => Promise<void>
  /** Called when the erasure of an archived case is ordered; it may be called again. */
  onErased?: (key: CaseKey) => Promise<void>
  ephemeral: EphemeralStore
  timers: Timers
  log: { warn(details: object, message: string): void }
  /** Absent: nothing is measured. */
  metrics?: Metrics
  /** Absent: there is no index of cases, or the store keeps it. */
  index?: CaseIndex | undefined
}

export interface Controller {
  /** Starts the watches, and resyncs all cases in the background. */
  start(): Promise<void>
  /** Ends the watches and waits for the runs in progress. */
  stop(): Promise<void>
}

const nameOf = ({ tenant, caseId }: CaseKey) => `${tenant}/${caseId}`

function keyOf(name: string): CaseKey {
  const slash = name.indexOf('/')
  return { tenant: name.slice(0, slash), caseId: name.slice(slash + 1) }
}

class CaseController implements Controller {
  readonly #deps: ControllerDeps & Pick<ReconcileDeps, 'read'>
  readonly #group: ShardGroup
  /** For reconciling; a case of another group is not read. */
  readonly #cases: CaseStore
  readonly #own = new OwnWrites()
  readonly #metrics: Metrics
  readonly #numbers: GroupNumbers
  /** Marks of grown trails to remove once their case was reconciled, by the name of the case. */
  readonly #marks = new Map<string, Set<string>>()
  readonly #archiving: Archiving
  /** Names of cases that a resync found to be due for archiving. */
  readonly #due = new Set<string>()
  /** Names of cases for which somebody may have requested work; they may be archived. */
  readonly #notified = new Set<string>()
  readonly #queue: WorkQueue
  readonly #endings: (() => void)[] = []
  #lastFullResyncMs = Number.NEGATIVE_INFINITY
  #resync: Promise<void> | undefined
  /** Epoch of the ephemeral store at the start of the last completed resync. */
  #epoch: string | undefined
  #isRetentionUnknown = false
  #listening = false
  #stopped = false

  constructor(deps: ControllerDeps) {
    const { group = WHOLE, read = new ReadObjects(), log } = deps
    const cases = this.#own.remembering(deps.cases)
    this.#deps = { ...deps, read, cases }
    this.#group = group
    this.#cases = ownCases(cases, { group, log })
    this.#metrics = deps.metrics ?? NO_METRICS
    this.#numbers = deps.numbers ?? new GroupNumbers(deps.metrics)
    const now = () => new Date(deps.timers.nowMs())
    this.#archiving = new Archiving({ ...this.#deps, now })
    const { tracer = NO_TRACER } = deps
    this.#queue = new WorkQueue({
      timers: deps.timers,
      concurrency: CONCURRENCY,
      // In one process with the API, a request may cause the run.
      run: (name) => tracer.outside(() => this.#measure(() => this.#reconcile(name))),
      onError: (error, name, failures) => this.#onFailure(error, name, failures),
    })
  }

  async start(): Promise<void> {
    const { cases, log } = this.#deps
    const isForeign = (key: CaseKey, version?: string) => () => !this.#own.has(key, version)
    this.#endings.push(
      cases.watch((key, version) => this.#queue.add(nameOf(key), isForeign(key, version))),
    )
    this.#every(RESYNC_INTERVAL_MS, () => this.#startResync())
    if (this.#isFirst) {
      this.#every(RESYNC_INTERVAL_MS, () =>
        sweepUnadoptedSecrets(this.#deps, new Date(this.#deps.timers.nowMs())),
      )
    }
    this.#every(EPOCH_CHECK_INTERVAL_MS, () => this.#checkEpoch())
    await this.#listen().catch((error: unknown) =>
      log.warn({ err: error }, 'the subscription to changed cases failed'),
    )
    void this.#startResync()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const end of this.#endings) end()
    await this.#queue.close()
    await this.#resync
    this.#numbers.forget(this.#group.index, this.#deps.timers.nowMs())
  }

  /** Whether this controller does what only one may do, for the cases of all groups. */
  get #isFirst(): boolean {
    return this.#group.index === 0
  }

  /** Measures one run, and counts whether the case is scheduled again. */
  async #measure(run: () => Promise<number | undefined>): Promise<number | undefined> {
    const startedMs = performance.now()
    const end = (result: string, requeue: string | undefined) => {
      const seconds = (performance.now() - startedMs) / MILLISECONDS_PER_SECOND
      this.#metrics.observe('sigcase_reconcile_duration_seconds', { result }, seconds)
      this.#numbers.setQueueLength(this.#group.index, Math.max(this.#queue.size - 1, 0))
      if (requeue === undefined) return
      this.#metrics.count('sigcase_reconcile_requeues_total', { reason: requeue })
    }
    try {
      const delayMs = await run()
      end('succeeded', delayMs === undefined ? undefined : 'due')
      return delayMs
    } catch (error) {
      end('failed', 'failed')
      throw error
    }
  }

  /** @returns the delay in milliseconds until the case is due again; see {@link WorkQueue} */
  async #reconcile(name: string): Promise<number | undefined> {
    try {
      return await this.#reconcileOwn(name)
    } catch (error) {
      if (!(error instanceof ElsewhereError)) throw error
      return undefined
    }
  }

  /** @throws ElsewhereError when another group has the case */
  async #reconcileOwn(name: string): Promise<number | undefined> {
    const { timers } = this.#deps
    const now = () => new Date(timers.nowMs())
    const marks = this.#marks.get(name)
    const isNotified = this.#notified.delete(name)
    if (this.#due.delete(name) && !marks && !isNotified && (await this.#archive(name))) return
    const wakeAtMs = await reconcile(keyOf(name), {
      ...this.#deps,
      cases: this.#cases,
      now,
      onAbsent: async (key) =>
        (marks !== undefined || isNotified) &&
        this.#archiving.restoreForWork(key, marks !== undefined),
      completeRestoring: (key) => this.#archiving.restore(key),
    })
    if (marks) await this.#removeMarks(name, marks)
    if (wakeAtMs === undefined) return undefined
    const delayMs = wakeAtMs - timers.nowMs()
    // The next resync finds a case that is due later than that.
    return delayMs <= RESYNC_INTERVAL_MS * 2 ? delayMs : undefined
  }

  /** @returns whether nothing else is to be done for the case */
  async #archive(name: string): Promise<boolean> {
    const outcome = await this.#archiving.archive(keyOf(name))
    return outcome === 'archived' || outcome === 'absent'
  }

  /** The case is sealed now, or its status says that its seal is pending. */
  async #removeMarks(name: string, marks: ReadonlySet<string>): Promise<void> {
    for (const mark of marks) await this.#deps.objects.delete(mark)
    this.#marks.delete(name)
  }

  /** Reports repeated failures in the status of the case, because few people read the log. */
  async #onFailure(error: unknown, name: string, failures: number): Promise<void> {
    const { log, timers } = this.#deps
    log.warn({ err: error, case: name, failures }, 'reconcile failed')
    if (failures < FAILURES_TO_REPORT) return
    const deps = { ...this.#deps, now: () => new Date(timers.nowMs()) }
    await reportFailure(keyOf(name), error, deps).catch((cause: unknown) => {
      log.warn({ err: cause, case: name }, 'a failure could not be reported')
    })
  }

  /** Subscribes once; when the store was not reachable at the start, the next check tries again. */
  async #listen(): Promise<void> {
    if (this.#listening) return
    const end = await subscribeToCases(this.#deps.ephemeral, (key, mayWait) => {
      if (!mayHave(this.#group, key)) return
      if (!mayWait && this.#notified.size < MAXIMUM_NOTIFIED) this.#notified.add(nameOf(key))
      if (mayWait) this.#queue.addSoon(nameOf(key), MERGE_DELAY_MS)
      else this.#queue.add(nameOf(key))
    })
    this.#listening = true
    this.#endings.push(end)
  }

  /**
   * Starts a resync when the epoch changed. A resync that was running during the wipe does not
   * count: it visited some cases before it.
   */
  async #checkEpoch(): Promise<void> {
    await this.#listen()
    if ((await this.#deps.ephemeral.epoch()) !== this.#epoch) void this.#startResync()
  }

  #startResync(): Promise<void> {
    this.#resync ??= this.#resyncInEpoch()
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'resync failed'))
      .finally(() => {
        this.#resync = undefined
      })
    return this.#resync
  }

  async #resyncInEpoch(): Promise<void> {
    const epoch = await this.#deps.ephemeral.epoch().catch(() => undefined)
    await this.#resyncAll()
    if (!this.#stopped) this.#epoch = epoch
  }

  async #resyncAll(): Promise<void> {
    const { cases, objects, timers } = this.#deps
    await askedRedeliveries(objects, (key) => {
      if (!mayHave(this.#group, key)) return
      this.#notified.add(nameOf(key))
      this.#queue.add(nameOf(key))
    })
    const grown = await this.#findGrownTrails()
    const full = timers.nowMs() - this.#lastFullResyncMs >= FULL_RESYNC_INTERVAL_MS
    this.#isRetentionUnknown = false
    const startedMs = timers.nowMs()
    const census = new Census()
    const indexing = new IndexResync({ ...this.#deps, isOwn: (key) => mayHave(this.#group, key) })
    let next: string | undefined
    for (let page = 0; page < MAXIMUM_PAGES && !this.#stopped; page++) {
      const { items, continue: more } = await cases.list({
        limit: LIST_PAGE,
        ...(next === undefined ? {} : { continue: next }),
      })
      for (const item of items) census.add(item)
      await indexing.add(items)
      for (const item of items) {
        const marks = this.#takeMarks(item, grown)
        const { namespace, name } = item.metadata
        const place = nameOf({ tenant: namespace, caseId: name })
        const isDone = !marks && !this.#lacksLabel(item) && isAtRest(item)
        if (isDone && !(full && (await this.#isPastRetention(item)))) {
          if (!this.#archiving.isDue(item)) continue
          this.#due.add(place)
        }
        this.#queue.add(place)
      }
      if (full) await sweepOldAttempts(items, { objects, now: new Date(timers.nowMs()) })
      next = more
      if (next === undefined) {
        await this.#removeStray(grown)
        if (full) await indexing.removeGone()
        break
      }
      await this.#queue.below(RESYNC_HIGH_WATER)
    }
    if (!this.#stopped) this.#numbers.setCensus(this.#group.index, census, timers.nowMs())
    if (full && !this.#stopped) {
      if (this.#isFirst) await eraseOverdueObjects(this.#deps, startedMs)
      if (!this.#isRetentionUnknown) this.#lastFullResyncMs = startedMs
    }
  }

  /** @returns marks by the name of their case */
  async #findGrownTrails(): Promise<Map<string, Set<string>>> {
    const { objects, timers } = this.#deps
    const grown = new Map<string, Set<string>>()
    await findGrownTrails(objects, timers.nowMs(), (key, mark) => {
      if (!mayHave(this.#group, key)) return
      const name = nameOf(key)
      grown.set(name, (grown.get(name) ?? new Set()).add(mark))
    })
    return grown
  }

  /** @returns whether the case has marks; they are removed once it was reconciled */
  #takeMarks({ metadata }: SignatureCase, grown: Map<string, Set<string>>): boolean {
    const name = nameOf({ tenant: metadata.namespace, caseId: metadata.name })
    const marks = grown.get(name)
    if (!marks) return false
    grown.delete(name)
    this.#marks.set(name, new Set([...(this.#marks.get(name) ?? []), ...marks]))
    return true
  }

  /** Whether a case has to get its label; with one group, labels do not matter. */
  #lacksLabel({ metadata }: SignatureCase): boolean {
    return this.#group.count > 1 && !hasShardLabel(metadata)
  }

  /**
   * Reconciles archived cases whose trail has to be sealed again. Removes marks of cases that do
   * not exist; reconciling them would fail without a namespace. A case that exists does not have
   * its label yet.
   */
  async #removeStray(grown: ReadonlyMap<string, Set<string>>): Promise<void> {
    for (const [name, marks] of grown) {
      if (await this.#deps.cases.get(keyOf(name))) continue
      if (await this.#archiving.isArchived(keyOf(name))) {
        this.#marks.set(name, marks)
        this.#queue.add(name)
        continue
      }
      for (const mark of marks) await this.#deps.objects.delete(mark)
    }
  }

  /** While the retention time is unknown, nothing is erased; the next resync is full again. */
  async #isPastRetention(item: SignatureCase): Promise<boolean> {
    const { retention, timers } = this.#deps
    return isPastRetention(item, retention, timers.nowMs()).catch((error: unknown) => {
      if (!this.#isRetentionUnknown) this.#deps.log.warn({ err: error }, RETENTION_UNKNOWN)
      this.#isRetentionUnknown = true
      return false
    })
  }

  #every(intervalMs: number, run: () => Promise<void>): void {
    let cancel = () => {}
    const arm = () => {
      cancel = this.#deps.timers.after(intervalMs, () => {
        run()
          .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'timer failed'))
          .finally(() => {
            if (!this.#stopped) arm()
          })
      })
    }
    arm()
    this.#endings.push(() => cancel())
  }
}

/** Builds the controller; `start` starts it. */
export function buildController(deps: ControllerDeps): Controller {
  return new CaseController(deps)
}
