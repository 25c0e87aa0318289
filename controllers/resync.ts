/**
 * Lists all cases of one controller, and queues those that may have work which no notification
 * reported. A full resync also applies retention times: to cases, delivery logs and removed cases.
 */
import { isFinished } from '../domain/cases/finished.ts'
import { hasShardLabel, ownsCase, ALL_SHARDS, type ShardGroup } from '../domain/cases/shards.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import { keyOf, nameOf } from './case-names.ts'
import type { CaseRuns } from './case-runs.ts'
import { Census } from './census.ts'
import { findGrownTrails } from './grown-trails.ts'
import { IndexResync } from './index-resync.ts'
import { sweepOldAttempts } from './old-attempts.ts'
import { eraseOverdueObjects } from './overdue-objects.ts'
import { askedRedeliveries } from './redeliveries.ts'
import { isPastRetention, restingCases } from './resting-cases.ts'

const FULL_RESYNC_INTERVAL_MS = 24 * 60 * 60 * 1000
const LIST_PAGE = 500
/**
 * A resync adds no further page while more keys than this are queued. With a page, less than the
 * cases that are kept for runs, so that each is still kept when its turn comes (decision 276).
 */
const RESYNC_HIGH_WATER = 100
const MAXIMUM_PAGES = 1_000_000

const RETENTION_UNKNOWN = 'the retention time of a tenant could not be read'

interface Page {
  items: readonly SignatureCase[]
  /** When the listing began. */
  listedAtMs: number
}

/** Marks by the name of their case. */
type Marks = Map<string, Set<string>>

export class Resync {
  readonly #runs: CaseRuns
  readonly #group: ShardGroup
  #lastFullMs = Number.NEGATIVE_INFINITY
  #running: Promise<void> | undefined
  /** Epoch of the ephemeral store at the start of the last resync that listed all cases. */
  #epoch: string | undefined
  /** Until the first resync begins, only cases that the former controller read rest. */
  #isFirst = true
  #isRetentionUnknown = false
  #stopped = false

  constructor(runs: CaseRuns) {
    this.#runs = runs
    this.#group = runs.deps.group ?? ALL_SHARDS
  }

  /** Starts a resync, unless one is running. It does not fail. */
  start(): Promise<void> {
    this.#running ??= this.#runInEpoch()
      .catch((error: unknown) => this.#runs.deps.log.warn({ err: error }, 'resync failed'))
      .finally(() => {
        this.#running = undefined
      })
    return this.#running
  }

  /** Starts a resync that sees what is due now; one that is running may have begun too early. */
  async startAnew(): Promise<void> {
    await this.#running
    if (!this.#stopped) await this.start()
  }

  /** Ends the running resync after its page. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  /**
   * Takes over which cases rest from the former controller of the group. Called before
   * notifications are received, because each of them ends the rest of its case; once the first
   * resync has begun, it does nothing. It does not fail: without it, every case is read.
   */
  async takeOver(): Promise<void> {
    if (!this.#isFirst) return
    await this.#runs.quiet.takeOver().catch((error: unknown) => {
      this.#runs.deps.log.warn({ err: error }, 'the resting cases could not be taken over')
    })
  }

  /**
   * Starts a resync when the epoch changed. A resync that was running during the wipe does not
   * count: it visited some cases before it.
   */
  async checkEpoch(): Promise<void> {
    if ((await this.#runs.deps.ephemeral.epoch()) !== this.#epoch) void this.start()
  }

  async #runInEpoch(): Promise<void> {
    const { ephemeral } = this.#runs.deps
    const epoch = await ephemeral.epoch().catch(() => undefined)
    const isFirst = this.#isFirst
    this.#isFirst = false
    // Notifications were lost, or are being lost.
    if (epoch === undefined || (epoch !== this.#epoch && !isFirst)) {
      this.#runs.quiet.forgetAll()
      this.#runs.deps.read?.forgetListings()
    }
    const { startedMs, isFull } = await this.#listAll()
    if (this.#stopped) return
    // Before anything is erased: an erasure that fails must not repeat the resync at once.
    this.#epoch = epoch
    if (isFull) await this.#eraseOverdue(startedMs)
  }

  /** @returns when it began, and whether it was a full resync */
  async #listAll(): Promise<{ startedMs: number; isFull: boolean }> {
    const { timers, cases } = this.#runs.deps
    await this.#queueRedeliveries()
    const grown = await this.#findGrownTrails()
    const startedMs = timers.nowMs()
    const isFull = startedMs - this.#lastFullMs >= FULL_RESYNC_INTERVAL_MS
    this.#isRetentionUnknown = false
    const census = new Census()
    const indexing = new IndexResync({
      ...this.#runs.deps,
      isOwn: (key) => ownsCase(this.#group, key),
    })
    this.#runs.quiet.beginListing()
    const leaveOut = restingCases(this.#runs.deps, isFull, startedMs)
    let next: string | undefined
    for (let page = 0; page < MAXIMUM_PAGES && !this.#stopped; page++) {
      const from = next === undefined ? {} : { continue: next }
      const options = { limit: LIST_PAGE, ...from, ...(leaveOut && { leaveOut }) }
      const listedAtMs = this.#runs.deps.timers.nowMs()
      const { items, continue: more, leftOut } = await cases.list(options)
      for (const item of items) census.add(item)
      if (leftOut) census.addFinished(leftOut)
      await indexing.add(items)
      await this.#queuePage({ items, listedAtMs }, grown, isFull)
      next = more
      if (next === undefined) {
        this.#runs.quiet.endListing()
        await this.#handleUnlisted(grown, leaveOut !== undefined)
        if (isFull) await indexing.removeGone()
        break
      }
      await this.#runs.queue.below(RESYNC_HIGH_WATER)
    }
    if (!this.#stopped) this.#runs.numbers.setCensus(this.#group.index, census, timers.nowMs())
    return { startedMs, isFull }
  }

  /** Only one controller erases objects without a resource, for the cases of all groups. */
  async #eraseOverdue(startedMs: number): Promise<void> {
    if (this.#group.index === 0) await eraseOverdueObjects(this.#runs.deps, startedMs)
    if (!this.#isRetentionUnknown) this.#lastFullMs = startedMs
  }

  async #queueRedeliveries(): Promise<void> {
    await askedRedeliveries(this.#runs.deps.objects, (key) => {
      if (ownsCase(this.#group, key)) this.#runs.addNotified(key)
    })
  }

  async #findGrownTrails(): Promise<Marks> {
    const { objects, timers } = this.#runs.deps
    const grown: Marks = new Map()
    await findGrownTrails(objects, timers.nowMs(), (key, mark) => {
      if (!ownsCase(this.#group, key)) return
      const name = nameOf(key)
      grown.set(name, (grown.get(name) ?? new Set()).add(mark))
    })
    return grown
  }

  async #queuePage({ items, listedAtMs }: Page, grown: Marks, isFull: boolean): Promise<void> {
    const { objects, now } = this.#runs.deps
    for (const item of items) {
      if (await this.#isWanted(item, grown, isFull)) this.#runs.addListed(item, listedAtMs)
    }
    if (isFull) await sweepOldAttempts(items, { objects, now: now() })
  }

  /** Whether a listed case has to be reconciled or archived. */
  async #isWanted(item: SignatureCase, grown: Marks, isFull: boolean): Promise<boolean> {
    const name = nameOfCase(item)
    const marks = grown.get(name)
    if (marks) {
      grown.delete(name)
      this.#runs.noteMarks(name, marks)
      return true
    }
    if (this.#lacksLabel(item)) return true
    if (!isFinished(item)) {
      const { resourceVersion } = item.metadata
      return !this.#runs.quiet.mayRest(name, resourceVersion, this.#runs.deps.timers.nowMs())
    }
    if (isFull && (await this.#isPastRetention(item))) return true
    if (!this.#runs.archiving.isDue(item)) return false
    this.#runs.noteDue(name)
    return true
  }

  /** Whether a case has to get its label; with one group, labels do not matter. */
  #lacksLabel({ metadata }: SignatureCase): boolean {
    return this.#group.count > 1 && !hasShardLabel(metadata)
  }

  /**
   * Reconciles archived cases, and those that the listing left out, whose trail has to be sealed
   * again. Removes marks of cases that do not exist; reconciling them would fail without a
   * namespace.
   *
   * @param wereLeftOut whether the listing left out cases; otherwise, a case that exists does not
   *   have its label yet
   */
  async #handleUnlisted(grown: Marks, wereLeftOut: boolean): Promise<void> {
    const { cases, objects } = this.#runs.deps
    for (const [name, marks] of grown) {
      const exists = (await cases.get(keyOf(name))) !== undefined
      if (exists && !wereLeftOut) continue
      if (exists || (await this.#runs.archiving.isArchived(keyOf(name)))) {
        this.#runs.noteMarks(name, marks)
        this.#runs.queue.add(name)
        continue
      }
      for (const mark of marks) await objects.delete(mark)
    }
  }

  /** While the retention time is unknown, nothing is erased; the next resync is full again. */
  async #isPastRetention(item: SignatureCase): Promise<boolean> {
    const { retention, timers, log } = this.#runs.deps
    return isPastRetention(item, retention, timers.nowMs()).catch((error: unknown) => {
      if (!this.#isRetentionUnknown) log.warn({ err: error }, RETENTION_UNKNOWN)
      this.#isRetentionUnknown = true
      return false
    })
  }
}

const nameOfCase = ({ metadata }: SignatureCase) =>
  nameOf({ tenant: metadata.namespace, caseId: metadata.name })
