/**
 * Remembers the cases that only wait for people, so that a resync does not read their objects each
 * time (decision 243).
 */
import { overrideStore } from '../application/cases/override-store.ts'
import { isFromApi } from '../domain/cases/complete.ts'
import { fnv1a } from '../domain/cases/shards.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import type { CaseStore } from '../domain/ports/stores.ts'
import { wasBlocked } from './signature-case/conditions.ts'
import type { StoredRests } from './stored-rests.ts'

/** Even a case that only waits is read again within this time. */
export const LONGEST_REST_MS = 60 * 60_000
/** The rest of two cases differs by up to this time, so that not all are read at once. */
const SPREAD_MS = 30 * 60_000
/** Further cases are read at each resync. */
const MAXIMUM_CASES = 100_000

interface Rest {
  /** `resourceVersion` after the last run. */
  version: string
  untilMs: number
  /** The last complete listing that had the case. */
  listing: number
}

/** The version of one case that a run read or wrote last. */
export interface SeenCase {
  /** A store that notes what it returns. */
  cases: CaseStore
  last(): SignatureCase | undefined
}

/** Returns a store for one run of one case. */
export function noteCase(cases: CaseStore): SeenCase {
  let last: SignatureCase | undefined
  const note = <T extends SignatureCase | undefined>(seen: T): T => {
    last = seen
    return seen
  }
  return {
    last: () => last,
    cases: overrideStore(cases, {
      get: async (key) => note(await cases.get(key)),
      replaceSpec: async (signatureCase) => note(await cases.replaceSpec(signatureCase)),
      replaceStatus: async (signatureCase, durability) =>
        note(await cases.replaceStatus(signatureCase, durability)),
    }),
  }
}

/**
 * Whether everything that can happen next to a case changes its resource, or is due at a time that
 * the last run knows: a document was accepted, and participants have to sign it. An upload can come
 * long after its URL has expired, a kiosk can become free, a fault can end, and what an ended case
 * waits for can come; only a notification and the resync report these. Where the object store
 * reports uploads, the resync is not needed for them. An applied case gets further upload URLs.
 */
function waitsForPeople(signatureCase: SignatureCase, areUploadsReported: boolean): boolean {
  const { metadata, spec, status } = signatureCase
  if (!status || metadata.deletionTimestamp !== undefined) return false
  const isOpen = status.phase === 'IN_PROGRESS' && status.document && !spec.definition.device
  const isNew = status.phase === 'NEW' && areUploadsReported && isFromApi(signatureCase)
  if (!isOpen && !isNew) return false
  if (status.conditions.some(({ type, status: is }) => type === 'Delayed' && is === 'True')) {
    return false
  }
  return !wasBlocked(status)
}

interface QuietCasesOptions {
  /** Whether NEW cases may rest. */
  areUploadsReported?: boolean
  /** For the next controller of the same cases; absent: it reads all of them. */
  stored?: StoredRests | undefined
}

/** The cases of one controller whose last run found nothing to do. */
export class QuietCases {
  readonly #rests = new Map<string, Rest>()
  readonly #areUploadsReported: boolean
  readonly #stored: StoredRests | undefined
  #listing = 0

  constructor({ areUploadsReported = false, stored }: QuietCasesOptions = {}) {
    this.#areUploadsReported = areUploadsReported
    this.#stored = stored
  }

  /** Number of remembered cases. */
  get size(): number {
    return this.#rests.size
  }

  /**
   * Remembers a run that found nothing to do soon, if the case may rest.
   *
   * @param signatureCase as the run has read or written it last
   * @param wakeAtMs the time from which the case must be read again; absent: none
   */
  remember(name: string, signatureCase: SignatureCase, nowMs: number, wakeAtMs = Infinity): void {
    const { resourceVersion: version } = signatureCase.metadata
    const restMs = LONGEST_REST_MS - (fnv1a(name) % SPREAD_MS)
    const untilMs = Math.min(nowMs + restMs, wakeAtMs)
    if (version === undefined || untilMs <= nowMs || this.#rests.size >= MAXIMUM_CASES) return
    if (!waitsForPeople(signatureCase, this.#areUploadsReported)) return
    this.#rests.set(name, { version, untilMs, listing: this.#listing })
    // The report of an upload may come while there is no controller.
    if (waitsForPeople(signatureCase, false)) this.#stored?.begin([name, version, untilMs])
  }

  /**
   * Takes over which cases rest from the former controller of the same cases.
   *
   * @throws ServiceError TIMEOUT; then no case rests, and {@link end} has to succeed before a run
   */
  async takeOver(): Promise<void> {
    await this.#stored?.takeOver((resting) => {
      for (const [name, version, untilMs] of resting) {
        this.#rests.set(name, { version, untilMs, listing: this.#listing })
      }
    })
  }

  /**
   * The case is about to be read; the run may begin when the promise is resolved.
   *
   * @throws ServiceError TIMEOUT
   */
  async end(name: string): Promise<void> {
    this.#rests.delete(name)
    if (this.#stored) await this.#stored.end(name)
  }

  /** The case has to be read by the next resync, or by a run, which calls {@link end}. */
  forget(name: string): void {
    this.end(name).catch(() => undefined)
  }

  /** Notifications may have been lost, so every case has to be read. */
  forgetAll(): void {
    this.#rests.clear()
    this.#stored?.endAll()
  }

  /** Called when nothing runs any more. */
  async close(): Promise<void> {
    await this.#stored?.close()
  }

  /**
   * Whether a resync may leave the listed case alone.
   *
   * @param version its `resourceVersion`
   */
  mayRest(name: string, version: string | undefined, nowMs: number): boolean {
    const rest = this.#rests.get(name)
    if (!rest) return false
    rest.listing = this.#listing
    return rest.version === version && nowMs < rest.untilMs
  }

  /** Called before all cases are listed. */
  beginListing(): void {
    this.#listing += 1
  }

  /** Called after all cases were listed: forgets those that are gone. */
  endListing(): void {
    for (const [name, { listing }] of this.#rests) {
      if (listing < this.#listing) this.forget(name)
    }
  }
}
