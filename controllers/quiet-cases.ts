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
  /** Another controller has read the case. */
  isTakenOver?: boolean
}

/** A case that rests: its name, its `resourceVersion`, and until when, in milliseconds. */
export type RestingCase = readonly [name: string, version: string, untilMs: number]

/** The version of one case that a run saw or wrote last. */
export interface SeenVersion {
  /** A store that notes the versions of what it returns. */
  cases: CaseStore
  version(): string | undefined
}

/** Returns a store for one run of one case. */
export function noteVersion(cases: CaseStore): SeenVersion {
  let version: string | undefined
  const note = <T extends SignatureCase | undefined>(seen: T): T => {
    version = seen?.metadata.resourceVersion
    return seen
  }
  return {
    version: () => version,
    cases: overrideStore(cases, {
      get: async (key) => note(await cases.get(key)),
      replaceSpec: async (signatureCase) => note(await cases.replaceSpec(signatureCase)),
      replaceStatus: async (signatureCase) => note(await cases.replaceStatus(signatureCase)),
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

/** The cases of one controller whose last run found nothing to do. */
export class QuietCases {
  readonly #rests = new Map<string, Rest>()
  readonly #areUploadsReported: boolean
  #listing = 0

  /** @param areUploadsReported whether NEW cases may rest */
  constructor({ areUploadsReported = false } = {}) {
    this.#areUploadsReported = areUploadsReported
  }

  /** Number of remembered cases. */
  get size(): number {
    return this.#rests.size
  }

  /**
   * Remembers a run that found nothing to do soon.
   *
   * @param wakeAtMs the time from which the case must be read again; absent: none
   */
  remember(name: string, version: string, nowMs: number, wakeAtMs = Infinity): void {
    const restMs = LONGEST_REST_MS - (fnv1a(name) % SPREAD_MS)
    const untilMs = Math.min(nowMs + restMs, wakeAtMs)
    if (untilMs <= nowMs || this.#rests.size >= MAXIMUM_CASES) return
    this.#rests.set(name, { version, untilMs, listing: this.#listing })
  }

  /** Returns the cases that rest, for the next controller of the same cases. */
  list(): RestingCase[] {
    return [...this.#rests].map(([name, { version, untilMs }]) => [name, version, untilMs])
  }

  /**
   * Takes over what {@link list} of the former controller returned. A NEW case does not rest until
   * this controller has read it: the report of its upload may have come between the two.
   */
  takeOver(resting: readonly RestingCase[], nowMs: number): void {
    const listing = this.#listing
    for (const [name, version, untilMs] of resting.slice(0, MAXIMUM_CASES)) {
      const rest = { version, untilMs: Math.min(untilMs, nowMs + LONGEST_REST_MS), listing }
      this.#rests.set(name, { ...rest, isTakenOver: true })
    }
  }

  /** The case is about to be read. */
  forget(name: string): void {
    this.#rests.delete(name)
  }

  /** Notifications may have been lost, so every case has to be read. */
  forgetAll(): void {
    this.#rests.clear()
  }

  /** Whether a resync may leave the listed case alone. */
  mayRest(name: string, signatureCase: SignatureCase, nowMs: number): boolean {
    const rest = this.#rests.get(name)
    if (!rest) return false
    rest.listing = this.#listing
    if (rest.version !== signatureCase.metadata.resourceVersion) return false
    const areUploadsReported = this.#areUploadsReported && rest.isTakenOver !== true
    return nowMs < rest.untilMs && waitsForPeople(signatureCase, areUploadsReported)
  }

  /** Called before all cases are listed. */
  beginListing(): void {
    this.#listing += 1
  }

  /** Called after all cases were listed: forgets those that are gone. */
  endListing(): void {
    for (const [name, { listing }] of this.#rests) {
      if (listing < this.#listing) this.#rests.delete(name)
    }
  }
}
