/** The runs of one controller: what is queued for which case, and what a run does. */
import { ReadObjects } from '../application/store/folder-snapshot.ts'
import { caseFolder } from '../domain/cases/keys.ts'
import { ALL_SHARDS, type ShardGroup } from '../domain/cases/shards.ts'
import type { Metrics } from '../domain/ports/metrics.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import type { CaseKey, CaseStore } from '../domain/ports/stores.ts'
import { NO_TRACER } from '../domain/ports/tracing.ts'
import { Archiving } from './archiving.ts'
import { awaitsOthers } from './awaited-signatures.ts'
import { keyOf, nameOf } from './case-names.ts'
import type { ControllerDeps } from './deps.ts'
import { GroupNumbers } from './group-numbers.ts'
import { ElsewhereError, ownCases } from './own-cases.ts'
import { OwnWrites } from './own-writes.ts'
import { LONGEST_REST_MS, noteCase, QuietCases } from './quiet-cases.ts'
import { RecentCases } from './recent-cases.ts'
import { FAILURES_TO_REPORT, reportFailure } from './signature-case/failing.ts'
import { PROGRESS_DELAY_MS } from './signature-case/held-status.ts'
import { reconcile, type ReconcileDeps } from './signature-case/reconcile.ts'
import { StoredRests } from './stored-rests.ts'
import { WorkQueue } from './work-queue.ts'

export const RESYNC_INTERVAL_MS = 5 * 60_000
/** Notifications after which nothing is urgent wait this long for others of their case. */
export const MERGE_DELAY_MS = 1_000
/** A case that is due later than that is left to the next resync. */
const LONGEST_ALARM_MS = RESYNC_INTERVAL_MS * 2
/** Cases whose notification came while they wait for their run; beyond it, a resync helps. */
const MAXIMUM_NOTIFIED = 100_000
const MILLISECONDS_PER_SECOND = 1_000
/** A reconcile spends most of its time waiting for stores, so several run at once. */
const CONCURRENCY = 16

export class CaseRuns {
  readonly queue: WorkQueue
  readonly quiet: QuietCases
  readonly archiving: Archiving
  /** Absent where reading a case costs little. */
  readonly recent: RecentCases | undefined
  readonly numbers: GroupNumbers
  /** With the writes of this controller remembered. */
  readonly deps: ControllerDeps & Pick<ReconcileDeps, 'read'> & { now(): Date }
  readonly #group: ShardGroup
  /** For reconciling; a case of another group is not read. */
  readonly #cases: CaseStore
  readonly #own = new OwnWrites()
  readonly #metrics: Metrics
  /** Marks of grown trails to remove once their case was reconciled, by the name of the case. */
  readonly #marks = new Map<string, Set<string>>()
  /** Names of cases that a resync found to be due for archiving. */
  readonly #due = new Set<string>()
  /** Names of cases for which somebody may have requested work; they may be archived. */
  readonly #notified = new Set<string>()

  constructor(deps: ControllerDeps) {
    const { group = ALL_SHARDS, read = new ReadObjects(), log, timers, tracer = NO_TRACER } = deps
    const cases = this.#own.remembering(deps.cases)
    this.deps = { ...deps, read, cases, now: () => new Date(timers.nowMs()) }
    this.#group = group
    this.recent = deps.keepsRecentCases ? new RecentCases(() => timers.nowMs()) : undefined
    this.#cases = ownCases(this.recent?.over(cases) ?? cases, { group, log })
    this.#metrics = deps.metrics
    this.numbers = deps.numbers ?? new GroupNumbers(deps.metrics)
    this.archiving = new Archiving(this.deps)
    const { areUploadsReported = false, rests } = deps
    const stored =
      rests && new StoredRests({ ...deps, ...rests, group, longestRestMs: LONGEST_REST_MS })
    this.quiet = new QuietCases({ areUploadsReported, stored })
    this.queue = new WorkQueue({
      timers,
      concurrency: CONCURRENCY,
      groupOf: (name) => keyOf(name).tenant,
      // In one process with the API, a request may cause the run.
      run: (name) => tracer.outside(() => this.#measure(() => this.#reconcile(name))),
      onError: (error, name, failures) => this.#onFailure(error, name, failures),
    })
  }

  /**
   * Queues a case that was changed, unless this controller changed it. A signature after which
   * others are awaited is queued for the time until which its entries are held back.
   *
   * @param read returns the case of this version, if it is known
   */
  addChanged(key: CaseKey, version?: string, read?: () => SignatureCase): void {
    const { timers } = this.deps
    if (read && awaitsOthers(read(), timers.nowMs()))
      return this.queue.addSoon(nameOf(key), PROGRESS_DELAY_MS)
    this.queue.add(nameOf(key), () => !this.#own.has(key, version))
  }

  /**
   * Queues a case that the API has created, for the time until which its entries are held back. The
   * notification of its upload usually comes sooner, and then one run serves both.
   */
  addCreated(key: CaseKey): void {
    this.queue.addSoon(nameOf(key), PROGRESS_DELAY_MS)
  }

  /**
   * Queues a case as a resync listed it.
   *
   * @param atMs when the listing began
   */
  addListed(signatureCase: SignatureCase, atMs: number): void {
    const { namespace: tenant, name: caseId, resourceVersion } = signatureCase.metadata
    const key = { tenant, caseId }
    this.recent?.note(key, resourceVersion, () => signatureCase, atMs)
    this.queue.add(nameOf(key))
  }

  /** Queues a case of a notification; somebody may have requested work, also if it is archived. */
  addNotified(key: CaseKey): void {
    const name = nameOf(key)
    if (this.#notified.size < MAXIMUM_NOTIFIED) this.#notified.add(name)
    // If the queue is full, the next resync reads the case.
    this.quiet.forget(name)
    this.queue.add(name)
  }

  /** Queues a case of a notification after which nothing is urgent. */
  addNotifiedSoon(key: CaseKey): void {
    this.quiet.forget(nameOf(key))
    this.queue.addSoon(nameOf(key), MERGE_DELAY_MS)
  }

  /** Has the next run list the folder of the case. */
  forgetListing(key: CaseKey): void {
    this.deps.read?.forgetListing(caseFolder(key))
  }

  /** Notes that the next run of the case archives it, if nothing else is to be done. */
  noteDue(name: string): void {
    this.#due.add(name)
  }

  /** Notes the marks of a grown trail; they are removed once the case was reconciled. */
  noteMarks(name: string, marks: ReadonlySet<string>): void {
    this.#marks.set(name, new Set([...(this.#marks.get(name) ?? []), ...marks]))
  }

  /** Measures one run, and counts whether the case is scheduled again. */
  async #measure(run: () => Promise<number | undefined>): Promise<number | undefined> {
    const startedMs = performance.now()
    const end = (result: string, requeue: string | undefined) => {
      const seconds = (performance.now() - startedMs) / MILLISECONDS_PER_SECOND
      this.#metrics.observe('sigcase_reconcile_duration_seconds', { result }, seconds)
      this.numbers.setQueueLength(this.#group.index, Math.max(this.queue.size - 1, 0))
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
    await this.quiet.end(name)
    const isNotified = this.#notified.delete(name)
    try {
      return await this.#reconcileOwn(name, isNotified)
    } catch (error) {
      if (error instanceof ElsewhereError) return undefined
      // The next try has to look for requested work, too.
      if (isNotified) this.#notified.add(name)
      throw error
    }
  }

  /** @throws ElsewhereError when another group has the case */
  async #reconcileOwn(name: string, isNotified: boolean): Promise<number | undefined> {
    const { timers } = this.deps
    const marks = this.#marks.get(name)
    if (this.#due.delete(name) && !marks && !isNotified && (await this.#archive(name))) return
    const seen = noteCase(this.#cases)
    const wakeAtMs = await reconcile(keyOf(name), {
      ...this.deps,
      cases: seen.cases,
      isNotified,
      onAbsent: async (key) =>
        (marks !== undefined || isNotified) &&
        this.archiving.restoreForWork(key, marks !== undefined),
      completeRestoring: (key) => this.archiving.restore(key),
    })
    if (marks) await this.#removeMarks(name, marks)
    const nowMs = timers.nowMs()
    if (wakeAtMs !== undefined && wakeAtMs - nowMs <= LONGEST_ALARM_MS) return wakeAtMs - nowMs
    const last = seen.last()
    // The resync after this time schedules the run that is due.
    const readAtMs = wakeAtMs === undefined ? undefined : wakeAtMs - LONGEST_ALARM_MS
    if (last) this.quiet.remember(name, last, nowMs, readAtMs)
    return undefined
  }

  /** @returns whether nothing else is to be done for the case */
  async #archive(name: string): Promise<boolean> {
    const outcome = await this.archiving.archive(keyOf(name))
    return outcome === 'archived' || outcome === 'absent'
  }

  /** The case is sealed now, or its status says that its seal is pending. */
  async #removeMarks(name: string, marks: ReadonlySet<string>): Promise<void> {
    for (const mark of marks) await this.deps.objects.delete(mark)
    this.#marks.delete(name)
  }

  /** Reports repeated failures in the status of the case, because few people read the log. */
  async #onFailure(error: unknown, name: string, failures: number): Promise<void> {
    const { log } = this.deps
    log.warn({ err: error, ...keyOf(name), failures }, 'reconcile failed')
    if (failures < FAILURES_TO_REPORT) return
    await reportFailure(keyOf(name), error, this.deps).catch((cause: unknown) => {
      log.warn({ err: cause, ...keyOf(name) }, 'a failure could not be reported')
    })
  }
}
