/** Appends to and reads the audit trail in the object store; the sequence cannot fork or gap. */
import { auditFolder, auditKey, auditOpeningKey } from '../cases/keys.ts'
import { decodeJson, encodeJson, readJson } from '../json-object.ts'
import { JSON_TYPE } from '../media-types.ts'
import type { ObjectStore } from '../ports/object-store.ts'
import type { CaseKey } from '../ports/stores.ts'
import { entryAfter, openingOf, type AuditEntry, type AuditEvent, type Opening } from './entry.ts'

/** More lost races than there can be writers of one case mean that something else is wrong. */
const MAXIMUM_LOST_RACES = 200
const LIST_PAGE = 1000
/**
 * Entries never change once written and the sequence has no gap: what was read of a trail is how it
 * begins. Those of recent cases are kept to be read once.
 */
const MAXIMUM_CACHED_CASES = 500

const holds = (entries: readonly AuditEntry[], { eventId }: AuditEvent) =>
  entries.some((entry) => entry.eventId === eventId)

/** Gives the next event of a trail, or throws what refuses it. */
export type DecideNext = (entries: readonly AuditEntry[]) => AuditEvent | Promise<AuditEvent>

/** Adds what comes next: another caller may have added it meanwhile. */
function extend(entries: AuditEntry[], entry: AuditEntry): void {
  if (entry.sequence === entries.length + 1) entries.push(entry)
}

/** The trail of every case. One instance per process. */
export class AuditTrail {
  readonly #objects: ObjectStore
  readonly #randomHex: () => string
  readonly #known = new Map<string, AuditEntry[]>()

  /** @param randomHex a salt of 128 bits, hex */
  constructor(objects: ObjectStore, randomHex: () => string) {
    this.#objects = objects
    this.#randomHex = randomHex
  }

  /** Every entry of the case, the first first. */
  async entries(key: CaseKey): Promise<readonly AuditEntry[]> {
    const entries = this.#knownOf(key)
    await this.#readOn(key, entries)
    return entries.slice()
  }

  /**
   * Appends the events that are not there yet, in their order. What is told of an event first
   * stays: a later attempt adds nothing to it.
   *
   * A trail that is known is not read again: if it has grown, the next place is taken, and that is
   * found when it is put.
   *
   * @param isUnwanted tells, by what the trail holds, which events are left out
   * @returns the entries up to the last of the events, and perhaps later ones
   * @throws Error when the store fails or the race for the next place is never won
   */
  async append(
    key: CaseKey,
    events: readonly AuditEvent[],
    isUnwanted: (event: AuditEvent, entries: readonly AuditEntry[]) => boolean = () => false,
  ): Promise<readonly AuditEntry[]> {
    const entries = this.#knownOf(key)
    if (entries.length === 0) await this.#readOn(key, entries)
    const isSettled = (event: AuditEvent) => holds(entries, event) || isUnwanted(event, entries)
    const missing = events.filter((event) => !isSettled(event))
    const openings = await Promise.all(missing.map((event) => this.#storeOpening(key, event)))
    let lost = 0
    for (const [index, event] of missing.entries()) {
      while (!isSettled(event)) {
        const entry = entryAfter(entries.at(-1), key, event, openings[index] as Opening)
        const place = auditKey(key, entry.sequence)
        if (await this.#objects.putIfAbsent(place, encodeJson(entry), JSON_TYPE)) {
          extend(entries, entry)
        } else if (++lost > MAXIMUM_LOST_RACES) {
          throw new Error(`the audit trail of case ${key.caseId} could not be appended to`)
        } else {
          await this.#readOn(key, entries)
        }
      }
    }
    return entries.slice()
  }

  /**
   * Appends one event that follows from the trail as it stands: whenever another writer was first,
   * `decide` is asked again. What it refuses by throwing leaves nothing behind.
   *
   * @param decide gets every entry, the first first; its event has an id of its own
   * @returns the event as it was appended
   * @throws Error when the store fails or the race for the next place is never won
   */
  async appendNext(key: CaseKey, decide: DecideNext): Promise<AuditEvent> {
    let lost: AuditEvent | undefined
    for (let races = 0; races <= MAXIMUM_LOST_RACES; races++) {
      const entries = await this.entries(key)
      // The winner may have been this very event, of whose writing the answer got lost.
      if (lost && holds(entries, lost)) return lost
      const event = await this.#decideAnew(key, entries, decide, lost)
      const opening = await this.#storeOpening(key, event)
      const entry = entryAfter(entries.at(-1), key, event, opening)
      const place = auditKey(key, entry.sequence)
      if (await this.#objects.putIfAbsent(place, encodeJson(entry), JSON_TYPE)) return event
      lost = event
    }
    throw new Error(`the audit trail of case ${key.caseId} could not be appended to`)
  }

  /** Personal values of one entry, or undefined when they were erased. */
  async opening(key: CaseKey, eventId: string): Promise<Opening | undefined> {
    return readJson<Opening>(this.#objects, auditOpeningKey(key, eventId))
  }

  async #readOn(key: CaseKey, entries: AuditEntry[]): Promise<void> {
    for (;;) {
      const after = auditKey(key, entries.length)
      const page = await this.#objects.list(auditFolder(key), { after, limit: LIST_PAGE })
      const objects = await Promise.all(page.map((stat) => this.#objects.get(stat.key)))
      for (const object of objects) if (object) extend(entries, decodeJson<AuditEntry>(object))
      if (page.length < LIST_PAGE) return
    }
  }

  /** Asks `decide`, and removes the personal values of an event that comes to nothing. */
  async #decideAnew(
    key: CaseKey,
    entries: readonly AuditEntry[],
    decide: DecideNext,
    before: AuditEvent | undefined,
  ): Promise<AuditEvent> {
    let event: AuditEvent | undefined
    try {
      event = await decide(entries)
      return event
    } finally {
      if (before && before.eventId !== event?.eventId) {
        await this.#objects.delete(auditOpeningKey(key, before.eventId))
      }
    }
  }

  async #storeOpening(key: CaseKey, event: AuditEvent): Promise<Opening> {
    const fresh = openingOf(event, this.#randomHex)
    const place = auditOpeningKey(key, event.eventId)
    if (await this.#objects.putIfAbsent(place, encodeJson(fresh), JSON_TYPE)) return fresh
    return (await this.opening(key, event.eventId)) ?? fresh
  }

  /** What is known of the trail; it grows as more is read and appended. */
  #knownOf(key: CaseKey): AuditEntry[] {
    const folder = auditFolder(key)
    const entries = this.#known.get(folder) ?? []
    this.#known.delete(folder)
    this.#known.set(folder, entries)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAXIMUM_CACHED_CASES && oldest !== undefined) this.#known.delete(oldest)
    return entries
  }
}
