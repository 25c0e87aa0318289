/** Appends to and reads the audit trail in the object store; the sequence cannot fork or gap. */
import { auditFolder, auditKey, auditOpeningKey } from '../cases/keys.ts'
import { decodeJson, encodeJson } from '../json-object.ts'
import type { ObjectStore } from '../ports/object-store.ts'
import type { CaseKey } from '../ports/stores.ts'
import { entryAfter, openingOf, type AuditEntry, type AuditEvent, type Opening } from './entry.ts'

/** More lost races than there can be writers of one case mean that something else is wrong. */
const MAXIMUM_LOST_RACES = 200
const LIST_PAGE = 1000
const JSON_TYPE = 'application/json'
/** Entries never change once written, so that those of recent cases are kept to be read once. */
const MAXIMUM_CACHED_CASES = 500

const holds = (entries: readonly AuditEntry[], { eventId }: AuditEvent) =>
  entries.some((entry) => entry.eventId === eventId)

/** The trail of every case. One instance per process. */
export class AuditTrail {
  readonly #objects: ObjectStore
  readonly #randomHex: () => string
  readonly #read = new Map<string, AuditEntry[]>()

  /** @param randomHex a salt of 128 bits, hex */
  constructor(objects: ObjectStore, randomHex: () => string) {
    this.#objects = objects
    this.#randomHex = randomHex
  }

  /** Every entry of the case, the first first. */
  async entries(key: CaseKey): Promise<readonly AuditEntry[]> {
    const folder = auditFolder(key)
    const entries = this.#read.get(folder) ?? []
    for (;;) {
      const after = auditKey(key, entries.length)
      const page = await this.#objects.list(folder, { after, limit: LIST_PAGE })
      const objects = await Promise.all(page.map((stat) => this.#objects.get(stat.key)))
      const fresh = objects.flatMap((object) => (object ? [decodeJson<AuditEntry>(object)] : []))
      // Another caller may have read the same page meanwhile: add what is next, and nothing twice.
      for (const entry of fresh) if (entry.sequence === entries.length + 1) entries.push(entry)
      if (page.length < LIST_PAGE) break
    }
    this.#remember(folder, entries)
    return entries.slice()
  }

  /**
   * Appends the events that are not there yet, in their order. What is told of an event first
   * stays: a later attempt adds nothing to it.
   *
   * @param isUnwanted tells, by what the trail holds, which events are left out
   * @throws Error when the store fails or the race for the next place is never won
   */
  async append(
    key: CaseKey,
    events: readonly AuditEvent[],
    isUnwanted: (event: AuditEvent, entries: readonly AuditEntry[]) => boolean = () => false,
  ): Promise<void> {
    let entries = [...(await this.entries(key))]
    const missing = events.filter((event) => !holds(entries, event) && !isUnwanted(event, entries))
    const openings = await Promise.all(missing.map((event) => this.#storeOpening(key, event)))
    let lost = 0
    for (const [index, event] of missing.entries()) {
      while (!holds(entries, event)) {
        const entry = entryAfter(entries.at(-1), key, event, openings[index] as Opening)
        const place = auditKey(key, entry.sequence)
        if (await this.#objects.putIfAbsent(place, encodeJson(entry), JSON_TYPE)) {
          entries.push(entry)
        } else if (++lost > MAXIMUM_LOST_RACES) {
          throw new Error(`the audit trail of case ${key.caseId} could not be appended to`)
        } else {
          entries = [...(await this.entries(key))]
        }
      }
    }
  }

  /** Personal values of one entry, or undefined when they were erased. */
  async opening(key: CaseKey, eventId: string): Promise<Opening | undefined> {
    const object = await this.#objects.get(auditOpeningKey(key, eventId))
    return object && decodeJson<Opening>(object)
  }

  async #storeOpening(key: CaseKey, event: AuditEvent): Promise<Opening> {
    const fresh = openingOf(event, this.#randomHex)
    const place = auditOpeningKey(key, event.eventId)
    if (await this.#objects.putIfAbsent(place, encodeJson(fresh), JSON_TYPE)) return fresh
    return (await this.opening(key, event.eventId)) ?? fresh
  }

  #remember(folder: string, entries: AuditEntry[]): void {
    this.#read.delete(folder)
    this.#read.set(folder, entries)
    if (this.#read.size <= MAXIMUM_CACHED_CASES) return
    const oldest = this.#read.keys().next()
    if (!oldest.done) this.#read.delete(oldest.value)
  }
}
