/**
 * Appends to and reads the audit trail in the object store. The sequence has no forks or gaps, and
 * every read verifies the trail (decision 171).
 */
import { auditFolder, auditKey } from '../../domain/cases/keys.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type { ObjectStat, ObjectStore, StoredObject } from '../../domain/ports/object-store.ts'
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
import { AuditTrailError, type TrailFault, type TrailHead } from '../../domain/audit/fault.ts'
import { encodeEntries, WITH_VALUES_TYPE, type BesideEntries } from '../../domain/audit/stored.ts'
import { MAXIMUM_ENTRIES, VerifiedTrail } from '../../domain/audit/verified-trail.ts'
import type { TrailWitness } from './witness.ts'

/** There are fewer writers per case than this, so more lost races mean another problem. */
const MAXIMUM_LOST_RACES = 200
const LIST_PAGE = 1000
/** Objects in memory before they are verified: others may write many large ones into the folder. */
const READ_AT_ONCE = 32
/** Objects that are read one after the other; a listing and parallel reads are faster for more. */
const MAXIMUM_SINGLE_READS = 8
/** Enough for 100 million entries of one case. */
const MAXIMUM_PAGES = 100_000
/** Recent cases are cached, so that each entry is read and verified once. */
const MAXIMUM_CACHED_CASES = 500

/** Returns the next event of a trail, or throws to refuse it. */
export type DecideNext = (entries: readonly AuditEntry[]) => AuditEvent | Promise<AuditEvent>

type TrailReader = Pick<ObjectStore, 'get' | 'list'>

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
  readonly #known = new Map<string, VerifiedTrail>()
  /** Trails that failed verification: the last valid head, and the part that is valid now. */
  readonly #lost = new Map<string, { head: TrailHead; valid: VerifiedTrail }>()

  constructor(objects: ObjectStore, options: AuditTrailOptions) {
    this.#objects = objects
    this.#options = options
  }

  /**
   * Reads all entries of the case, oldest first.
   *
   * @throws AuditTrailError when the trail failed verification
   */
  async entries(key: CaseKey): Promise<readonly AuditEntry[]> {
    return (await this.#verified(key)).list()
  }

  /**
   * Reads all entries of the case without a listing, if this process has read the trail before or
   * the witness remembers its head: it reads objects up to that head, or until there is none.
   * Objects that were verified before are not compared again.
   *
   * @throws AuditTrailError when the trail failed verification
   */
  async newest(key: CaseKey): Promise<readonly AuditEntry[]> {
    return (await this.#extended(key, { isTaken: false })).list()
  }

  /** The entries that this process verified last; undefined when it did not, or found a fault. */
  known(key: CaseKey): readonly AuditEntry[] | undefined {
    return this.#known.get(auditFolder(key))?.list()
  }

  /**
   * Reads the valid entries, and the fault of the entry after them.
   *
   * @param from a listing of the folder of the case; a fault in it counts when the store has it too
   */
  async check(key: CaseKey, from?: TrailReader): Promise<CheckedTrail> {
    const { known, fault } = await this.#read(key, from)
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
    let known = await this.#beforeAppending(key, events)
    let hasAppended = false
    for (let lost = 0; lost <= MAXIMUM_LOST_RACES;) {
      const next = this.#buildNext(key, known, events, isUnwanted)
      if (next.entries.length === 0) {
        if (hasAppended) {
          this.#options.onAppended?.(key)
          await this.#options.witness?.note(key, known.head())
        }
        return known.list()
      }
      const generation = await this.#put(key, next)
      if (generation !== undefined) {
        known.append(next.entries, { generation, ...next })
        this.#keep(auditFolder(key), known)
        hasAppended = true
        continue
      }
      lost++
      known = await this.#extended(key, { isTaken: true })
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
    let lost: AuditEvent | undefined
    for (let races = 0; races <= MAXIMUM_LOST_RACES; races++) {
      const known = await (races === 0
        ? this.#verified(key)
        : this.#extended(key, { isTaken: true }))
      // The winner may have been this very event, of whose writing the answer got lost.
      const own = lost && known.entryOf(lost.eventId)
      if (lost && own) return { ...lost, occurredAt: own.occurredAt }
      const last = known.last()
      const event = await decide(known.list())
      const opening = openingOf(event, this.#options.randomHex)
      const entry = entryAfter(last, key, event, opening)
      const next = { entries: [entry], openings: { [entry.eventId]: opening } }
      const generation = await this.#put(key, next)
      if (generation !== undefined) {
        known.append([entry], { generation, ...next })
        this.#keep(auditFolder(key), known)
        this.#options.onAppended?.(key)
        await this.#options.witness?.note(key, known.head())
        return { ...event, occurredAt: entry.occurredAt }
      }
      lost = event
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
    const entry = (await this.#verified(key)).entryOf(eventId)
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
    const known = await this.#containing(key, entry)
    if (!known) return undefined
    const { openings = {}, openingsFault } = known.valuesOf(entry) ?? {}
    const opening = Object.hasOwn(openings, eventId) ? openings[eventId] : undefined
    const fault = openingsFault ?? (opening && findOpeningFault(entry, opening))
    if (fault) throw this.#faulty(key, { sequence, fault })
    return opening
  }

  /** Returns the fact that a verified entry records; undefined when it is not stored beside it. */
  factOf(key: CaseKey, entry: AuditEntry): object | undefined {
    const { facts = {} } = this.#known.get(auditFolder(key))?.valuesOf(entry) ?? {}
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

  /**
   * Returns the trail in memory. It is read again when it lacks the entry: another read of this
   * process may have begun before the entry was written, and ended after.
   */
  async #containing(
    key: CaseKey,
    { eventId, sequence }: AuditEntry,
  ): Promise<VerifiedTrail | undefined> {
    const folder = auditFolder(key)
    const has = (trail?: VerifiedTrail) => trail?.entryOf(eventId)?.sequence === sequence
    const known = this.#known.get(folder) ?? this.#lost.get(folder)?.valid
    if (has(known)) return known
    const read = await this.#read(key)
    return has(read.known) ? read.known : undefined
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

  /** @returns the generation that was written; undefined when another writer took the place */
  #put(key: CaseKey, { entries, ...beside }: Appended): Promise<string | undefined> {
    const bytes = encodeEntries(this.#options.keyring, key, entries, beside)
    const [{ sequence }] = entries as [AuditEntry]
    return this.#objects.putIfAbsent(auditKey(key, sequence), bytes, WITH_VALUES_TYPE)
  }

  /** @throws AuditTrailError */
  async #verified(key: CaseKey): Promise<VerifiedTrail> {
    const { known, fault } = await this.#read(key)
    if (fault) throw new AuditTrailError(fault)
    return known
  }

  /**
   * Returns the trail in memory. When it lacks one of the events, it is first extended by what
   * others appended, as far as the witness knows: a put at a place that is taken would cost as much
   * as one that succeeds.
   *
   * @throws AuditTrailError
   */
  async #beforeAppending(key: CaseKey, events: readonly AuditEvent[]): Promise<VerifiedTrail> {
    const memory = this.#known.get(auditFolder(key))
    if (!memory) return this.#extended(key, { isTaken: false })
    let known = memory
    if (events.every(({ eventId }) => memory.entryOf(eventId) !== undefined)) return memory
    const length = (await this.#options.witness?.recall(key))?.sequence ?? 0
    for (let reads = 0; reads < MAXIMUM_SINGLE_READS && known.length < length; reads++) {
      known = await this.#extended(key, { isTaken: true })
    }
    return known
  }

  /**
   * Extends the trail in memory by the objects at its end. A trail that is not in memory is read
   * from its beginning if the witness remembers its head. Anything unexpected, such as a head that
   * the trail does not reach, is left to the verification of the whole trail.
   *
   * @param isTaken another writer took the next place; only its object is read
   * @throws AuditTrailError
   */
  async #extended(key: CaseKey, { isTaken }: { isTaken: boolean }): Promise<VerifiedTrail> {
    const folder = auditFolder(key)
    // The head is recalled before the objects are read, so it must be among them.
    const noted = isTaken ? undefined : await this.#options.witness?.recall(key)
    const { keyring } = this.#options
    const isNew = noted !== undefined && !this.#lost.has(folder)
    const known = this.#known.get(folder) ?? (isNew && new VerifiedTrail(key, keyring))
    if (!known) return this.#verified(key)
    for (let reads = 0; reads < (isTaken ? 1 : MAXIMUM_SINGLE_READS); reads++) {
      if (noted?.sequence === known.length && known.contains(noted)) {
        this.#keep(folder, known)
        return known
      }
      const object = await this.#objects.get(auditKey(key, known.length + 1))
      const isSound = object
        ? !known.extend(object)
        : !isTaken && !(noted && missingHead(known, noted))
      if (!isSound) return this.#verified(key)
      if (object) continue
      this.#keep(folder, known)
      return known
    }
    if (!isTaken) return this.#verified(key)
    this.#keep(folder, known)
    return known
  }

  /**
   * Verifies the trail in the store. A fault counts when it is found twice, the second time without
   * cached entries, because a listing may overlap with a write.
   */
  async #read(
    key: CaseKey,
    from: TrailReader = this.#objects,
  ): Promise<{ known: VerifiedTrail; fault?: TrailFault }> {
    const folder = auditFolder(key)
    const { witness, keyring } = this.#options
    const known = this.#known.get(folder) ?? new VerifiedTrail(key, keyring)
    const seen = this.#lost.get(folder)?.head ?? known.head()
    const [found, noted] = await Promise.all([
      this.#readObjects(key, known, { seen, from }),
      witness?.recall(key),
    ])
    if (!found && !(noted && missingHead(known, noted))) {
      this.#keep(folder, known)
      return { known }
    }
    // The head is recalled before the objects are listed, so it must be among them.
    const recalled = await witness?.recall(key)
    const anew = new VerifiedTrail(key, keyring)
    const fault =
      (await this.#readObjects(key, anew, { seen, from: this.#objects })) ??
      (recalled && missingHead(anew, recalled))
    if (!fault) {
      this.#keep(folder, anew)
      return { known: anew }
    }
    this.#known.delete(folder)
    remember(this.#lost, folder, { head: seen, valid: anew })
    this.report(key, fault)
    return { known: anew, fault }
  }

  /**
   * @param seen a head that the trail had when it was last read
   * @param from the store, or a listing of it
   */
  async #readObjects(
    key: CaseKey,
    known: VerifiedTrail,
    { seen, from }: { seen: TrailHead; from: TrailReader },
  ): Promise<TrailFault | undefined> {
    let count = 0
    for (let page = 0, after = auditFolder(key); page < MAXIMUM_PAGES; page++) {
      const stats = await from.list(auditFolder(key), { after, limit: LIST_PAGE })
      for (let start = 0; start < stats.length; start += READ_AT_ONCE) {
        const some = stats.slice(start, start + READ_AT_ONCE)
        const objects = await this.#changed(known, some, { offset: count, from })
        for (const [index, stat] of some.entries()) {
          const fault = known.verify(count + index, stat, objects[index])
          if (fault) return fault
        }
        count += some.length
      }
      after = stats.at(-1)?.key ?? after
      if (stats.length < LIST_PAGE) break
    }
    const length = known.lengthOf(count)
    if (length < seen.sequence) return { sequence: length + 1, fault: 'missingHead' }
    return missingHead(known, seen)
  }

  /** Reads the objects that changed; the result has the same positions as `stats`. */
  #changed(
    known: VerifiedTrail,
    stats: readonly ObjectStat[],
    { offset, from }: { offset: number; from: TrailReader },
  ): Promise<(StoredObject | undefined)[]> {
    return Promise.all(
      stats.map((stat, index) =>
        known.needs(stat, offset + index) ? from.get(stat.key) : undefined,
      ),
    )
  }

  /** A read that began earlier may end later: it does not replace a longer trail. */
  #keep(folder: string, known: VerifiedTrail): void {
    this.#lost.delete(folder)
    const other = this.#known.get(folder)
    remember(this.#known, folder, other && other.length > known.length ? other : known)
  }
}

/** Caches a value, and evicts the least recently used case. */
function remember<T>(map: Map<string, T>, folder: string, value: T): void {
  map.delete(folder)
  map.set(folder, value)
  const [oldest] = map.keys()
  if (map.size > MAXIMUM_CACHED_CASES && oldest !== undefined) map.delete(oldest)
}

const missingHead = (known: VerifiedTrail, head: TrailHead): TrailFault | undefined =>
  known.contains(head) ? undefined : { sequence: head.sequence, fault: 'missingHead' }

const lostRace = ({ caseId }: CaseKey) =>
  new Error(`could not append to the audit trail of case ${caseId}`)
