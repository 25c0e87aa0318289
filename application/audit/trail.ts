/**
 * Appends to and reads the audit trail in the object store. The sequence has no forks or gaps, and
 * every read verifies the trail (decision 171).
 */
import { auditKey } from '../../domain/cases/keys.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import {
  entryAfter,
  findOpeningFault,
  hasErased,
  openingOf,
  type AuditEntry,
  type AuditEvent,
  type Opening,
} from '../../domain/audit/entry.ts'
import { AuditTrailError, type TrailFault } from '../../domain/audit/fault.ts'
import { encodeEntries, WITH_VALUES_TYPE, type BesideEntries } from '../../domain/audit/stored.ts'
import { MAXIMUM_ENTRIES, type VerifiedTrail } from '../../domain/audit/verified-trail.ts'
import { VerifiedTrails, type TrailReader } from './verified-trails.ts'
import type { TrailWitness } from './witness.ts'

/** There are fewer writers per case than this, so more lost races mean another problem. */
const MAXIMUM_LOST_RACES = 200

/** Returns the next event of a trail, or throws to refuse it. */
export type DecideNext = (entries: readonly AuditEntry[]) => AuditEvent | Promise<AuditEvent>

/** The valid part of a trail, and the fault of the entry after it, if there is one. */
export interface CheckedTrail {
  entries: readonly AuditEntry[]
  fault?: TrailFault
}

/** What one append writes: entries, and their values and facts by event id. */
interface Appended extends BesideEntries {
  entries: readonly AuditEntry[]
}

export interface AuditTrailOptions {
  keyring: Keyring<'audit-trail'>
  /** Returns a salt of 128 bits, hex. */
  randomHex: () => string
  /** Absent: only this process remembers the heads of trails. */
  witness?: TrailWitness
  /** Called after entries were appended. */
  onAppended?: (key: CaseKey) => void
  /** Called for every fault; it raises the alarm. */
  onFault?: (key: CaseKey, fault: TrailFault) => void
}

/** The audit trails of all cases. One instance per process. */
export class AuditTrail {
  readonly #objects: ObjectStore
  readonly #options: AuditTrailOptions
  readonly #trails: VerifiedTrails

  constructor(objects: ObjectStore, options: AuditTrailOptions) {
    this.#objects = objects
    this.#options = options
    this.#trails = new VerifiedTrails(objects, { ...options, report: this.report.bind(this) })
  }

  /**
   * Reads all entries of the case, oldest first.
   *
   * @throws AuditTrailError when the trail failed verification
   */
  async entries(key: CaseKey): Promise<readonly AuditEntry[]> {
    return (await this.#trails.verified(key)).list()
  }

  /**
   * Reads all entries of the case without a listing, if this process has read the trail before or
   * the witness remembers its head: it reads objects up to that head, or until there is none.
   * Objects that were verified before are not compared again.
   *
   * @throws AuditTrailError when the trail failed verification
   */
  async newest(key: CaseKey): Promise<readonly AuditEntry[]> {
    return (await this.#trails.extended(key)).list()
  }

  /**
   * Returns the entries that this process knows, and those up to the head that the witness
   * remembers; undefined for a trail that this process has not verified. An unchanged trail needs
   * no request to the store.
   *
   * @throws AuditTrailError when the trail failed verification
   */
  async remembered(key: CaseKey): Promise<readonly AuditEntry[] | undefined> {
    const memory = this.#trails.inMemory(key)
    return memory && (await this.#trails.upToHead(key, memory)).list()
  }

  /**
   * Reads the valid entries, and the fault of the entry after them.
   *
   * @param from a listing of the folder of the case; a fault in it counts when the store has it too
   */
  async check(key: CaseKey, from?: TrailReader): Promise<CheckedTrail> {
    const { known, fault } = await this.#trails.read(key, from)
    return { entries: known.list(), ...(fault && { fault }) }
  }

  /**
   * Reads the values of verified entries and compares them with their commitments.
   *
   * @param isErased whether values may be missing
   * @returns by event id
   * @throws AuditTrailError when a value is not valid
   */
  async openings(
    key: CaseKey,
    entries: readonly AuditEntry[],
    { isErased = false } = {},
  ): Promise<Readonly<Record<string, Opening>>> {
    const openings: Record<string, Opening> = {}
    const readOne = async (entry: AuditEntry) => {
      const opening = await this.readOpening(key, entry)
      if (opening) openings[entry.eventId] = opening
      if (isErased || !hasErased(entry, opening)) return
      throw this.#faulty(key, { sequence: entry.sequence, fault: 'missingOpening' })
    }
    await Promise.all(entries.map(readOne))
    return openings
  }

  /**
   * Appends the events that the trail does not contain yet, in their order, as one object. The
   * first record of an event is final: a later call adds nothing to it.
   *
   * For a cached trail, this reads only the objects that the witness knows of and this process does
   * not. If it has grown further, the put at the next place fails, and the trail is then read.
   *
   * @param isUnwanted decides, by the entries of the trail, which events to skip
   * @returns the entries up to the last of the events, and possibly later ones
   * @throws AuditTrailError when the trail failed verification
   * @throws Error when the store fails or all races for the next place are lost
   */
  async append(
    key: CaseKey,
    events: readonly AuditEvent[],
    isUnwanted: (event: AuditEvent, entries: readonly AuditEntry[]) => boolean = () => false,
  ): Promise<readonly AuditEntry[]> {
    let known = await this.#trails.beforeAppending(key, events)
    let hasAppended = false
    for (let lost = 0; lost <= MAXIMUM_LOST_RACES;) {
      const next = this.#buildNext(key, known, events, isUnwanted)
      if (next.entries.length === 0) {
        if (hasAppended) await this.#announce(key, known)
        return known.list()
      }
      if (await this.#put(key, known, next)) {
        hasAppended = true
        continue
      }
      lost++
      known = await this.#trails.extendedByOne(key)
    }
    throw lostRace(key)
  }

  /**
   * Appends one event that depends on the current trail: after each lost race, `decide` is called
   * again. When it throws, nothing is stored.
   *
   * @param decide gets every entry, the first first; its event has an id of its own
   * @returns the event as it was appended; its time may be later than `decide` said
   * @throws AuditTrailError when the trail does not hold
   * @throws Error when the store fails or the race for the next place is never won
   */
  async appendNext(key: CaseKey, decide: DecideNext): Promise<AuditEvent> {
    let known = await this.#trails.verified(key)
    let lost: AuditEvent | undefined
    for (let races = 0; races <= MAXIMUM_LOST_RACES; races++) {
      // The winner may have been this very event, of whose writing the answer got lost.
      const own = lost && known.entryOf(lost.eventId)
      if (lost && own) return { ...lost, occurredAt: own.occurredAt }
      const last = known.last()
      const event = await decide(known.list())
      const opening = openingOf(event, this.#options.randomHex)
      const entry = entryAfter(last, key, event, opening)
      const next = { entries: [entry], openings: { [entry.eventId]: opening } }
      if (await this.#put(key, known, next)) {
        await this.#announce(key, known)
        return { ...event, occurredAt: entry.occurredAt }
      }
      lost = event
      known = await this.#trails.extendedByOne(key)
    }
    throw lostRace(key)
  }

  /**
   * Reads the values of one event.
   *
   * @returns undefined when they were erased, or when the trail has no such entry
   * @throws AuditTrailError when the values do not match the commitments of the entry
   */
  async opening(key: CaseKey, eventId: string): Promise<Opening | undefined> {
    const entry = (await this.#trails.verified(key)).entryOf(eventId)
    return entry && this.readOpening(key, entry)
  }

  /**
   * Returns the values of a verified entry after comparing them with its commitments. They are
   * those that were read when the trail was verified, or that this process wrote.
   *
   * @returns undefined when they were erased, or when the trail does not have the entry any more
   * @throws AuditTrailError when the values do not match the commitments of the entry
   */
  async readOpening(key: CaseKey, entry: AuditEntry): Promise<Opening | undefined> {
    const { eventId, sequence } = entry
    const known = await this.#trails.containing(key, entry)
    if (!known) return undefined
    const { openings = {}, openingsFault } = known.valuesOf(entry) ?? {}
    const opening = Object.hasOwn(openings, eventId) ? openings[eventId] : undefined
    const fault = openingsFault ?? (opening && findOpeningFault(entry, opening))
    if (fault) throw this.#faulty(key, { sequence, fault })
    return opening
  }

  /** Returns the fact that a verified entry records; undefined when it is not stored beside it. */
  factOf(key: CaseKey, entry: AuditEntry): object | undefined {
    const { facts = {} } = this.#trails.inMemory(key)?.valuesOf(entry) ?? {}
    return Object.hasOwn(facts, entry.eventId) ? facts[entry.eventId] : undefined
  }

  /** Raises the alarm for a fault found by comparing the trail with other data. */
  report(key: CaseKey, fault: TrailFault): void {
    this.#options.onFault?.(key, fault)
  }

  #faulty(key: CaseKey, fault: TrailFault): AuditTrailError {
    this.report(key, fault)
    return new AuditTrailError(fault)
  }

  /** Builds the entries of the events that the trail lacks, at most as many as one object has. */
  #buildNext(
    key: CaseKey,
    known: VerifiedTrail,
    events: readonly AuditEvent[],
    isUnwanted: (event: AuditEvent, entries: readonly AuditEntry[]) => boolean,
  ): Appended {
    const entries: AuditEntry[] = []
    const openings: Record<string, Opening> = {}
    const facts: Record<string, object> = {}
    for (const event of events) {
      const { eventId } = event
      if (known.entryOf(eventId) !== undefined || Object.hasOwn(openings, eventId)) continue
      if (isUnwanted(event, [...known.view(), ...entries])) continue
      const opening = openingOf(event, this.#options.randomHex)
      entries.push(entryAfter(entries.at(-1) ?? known.last(), key, event, opening))
      openings[eventId] = opening
      if (event.fact) facts[eventId] = event.fact
      if (entries.length === MAXIMUM_ENTRIES) break
    }
    return { entries, openings, facts }
  }

  /**
   * Puts entries at the end of a trail.
   *
   * @returns whether they are stored; otherwise another writer took the place
   */
  async #put(key: CaseKey, known: VerifiedTrail, next: Appended): Promise<boolean> {
    const { entries, ...beside } = next
    const bytes = encodeEntries(this.#options.keyring, key, entries, beside)
    const [{ sequence }] = entries as [AuditEntry]
    const generation = await this.#objects.putIfAbsent(
      auditKey(key, sequence),
      bytes,
      WITH_VALUES_TYPE,
    )
    if (generation === undefined) return false
    known.append(entries, { generation, ...next })
    this.#trails.keep(key, known)
    return true
  }

  /** Tells those that follow the trail, and the witness, that it has grown. */
  async #announce(key: CaseKey, known: VerifiedTrail): Promise<void> {
    this.#options.onAppended?.(key)
    await this.#options.witness?.note(key, known.head())
  }
}

const lostRace = ({ caseId }: CaseKey) =>
  new Error(`could not append to the audit trail of case ${caseId}`)
