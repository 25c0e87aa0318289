/** Reads and verifies the audit trails of cases, and keeps the recent ones in memory. */
import { auditFolder, auditKey } from '../../domain/cases/keys.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type { ObjectStat, ObjectStore, StoredObject } from '../../domain/ports/object-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { AuditEntry, AuditEvent } from '../../domain/audit/entry.ts'
import { AuditTrailError, type TrailFault, type TrailHead } from '../../domain/audit/fault.ts'
import { VerifiedTrail } from '../../domain/audit/verified-trail.ts'
import type { TrailWitness } from './witness.ts'

const LIST_PAGE = 1000
/** Objects in memory before they are verified: others may write many large ones into the folder. */
const READ_AT_ONCE = 32
/** Objects that are read one after the other; a listing and parallel reads are faster for more. */
const MAXIMUM_SINGLE_READS = 8
/** Enough for 100 million entries of one case. */
const MAXIMUM_PAGES = 100_000
/** Recent cases are cached, so that each entry is read and verified once. */
const MAXIMUM_CACHED_CASES = 500

/** What reading a trail needs: the store, or a listing of the folder of one case. */
export type TrailReader = Pick<ObjectStore, 'get' | 'list'>

interface VerifiedTrailsOptions {
  keyring: Keyring<'audit-trail'>
  /** Absent: only this process remembers the heads of trails. */
  witness?: TrailWitness
  /** Raises the alarm. */
  report: (key: CaseKey, fault: TrailFault) => void
}

/** The verified trails of the cases that this process used last. */
export class VerifiedTrails {
  readonly #objects: ObjectStore
  readonly #options: VerifiedTrailsOptions
  readonly #known = new Map<string, VerifiedTrail>()
  /** Trails that failed verification: the last valid head, and the part that is valid now. */
  readonly #lost = new Map<string, { head: TrailHead; valid: VerifiedTrail }>()

  constructor(objects: ObjectStore, options: VerifiedTrailsOptions) {
    this.#objects = objects
    this.#options = options
  }

  /** The trail that this process verified last; undefined when it did not, or found a fault. */
  inMemory(key: CaseKey): VerifiedTrail | undefined {
    return this.#known.get(auditFolder(key))
  }

  /**
   * Returns the trail in memory. It is read again when it lacks the entry: another read of this
   * process may have begun before the entry was written, and ended after.
   */
  async containing(
    key: CaseKey,
    { eventId, sequence }: AuditEntry,
  ): Promise<VerifiedTrail | undefined> {
    const folder = auditFolder(key)
    const has = (trail?: VerifiedTrail) => trail?.entryOf(eventId)?.sequence === sequence
    const known = this.#known.get(folder) ?? this.#lost.get(folder)?.valid
    if (has(known)) return known
    const read = await this.read(key)
    return has(read.known) ? read.known : undefined
  }

  /** @throws AuditTrailError */
  async verified(key: CaseKey): Promise<VerifiedTrail> {
    const { known, fault } = await this.read(key)
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
  async beforeAppending(key: CaseKey, events: readonly AuditEvent[]): Promise<VerifiedTrail> {
    const memory = this.inMemory(key)
    if (!memory) return this.extended(key)
    if (events.every(({ eventId }) => memory.entryOf(eventId) !== undefined)) return memory
    return this.upToHead(key, memory)
  }

  /**
   * Extends a trail in memory up to the head that the witness remembers. What the witness does not
   * know of is not looked for.
   *
   * @throws AuditTrailError
   */
  async upToHead(key: CaseKey, memory: VerifiedTrail): Promise<VerifiedTrail> {
    let known = memory
    const length = (await this.#options.witness?.recall(key))?.sequence ?? 0
    for (let reads = 0; reads < MAXIMUM_SINGLE_READS && known.length < length; reads++) {
      known = await this.extendedByOne(key)
    }
    return known
  }

  /**
   * Extends the trail in memory to its end, without a listing. A trail that is not in memory is
   * read from its beginning if the witness remembers its head. Anything unexpected, such as a head
   * that the trail does not reach, is left to the verification of the whole trail.
   *
   * @throws AuditTrailError
   */
  async extended(key: CaseKey): Promise<VerifiedTrail> {
    const folder = auditFolder(key)
    const { keyring, witness } = this.#options
    // The head is recalled before the objects are read, so it must be among them.
    const head = await witness?.recall(key)
    const mayBegin = head !== undefined && !this.#lost.has(folder)
    const known = this.#known.get(folder) ?? (mayBegin && new VerifiedTrail(key, keyring))
    if (!known) return this.verified(key)
    for (let reads = 0; reads < MAXIMUM_SINGLE_READS; reads++) {
      if (head?.sequence === known.length && known.contains(head)) return this.keep(key, known)
      const object = await this.#objects.get(auditKey(key, known.length + 1))
      if (!object && !(head && missingHead(known, head))) return this.keep(key, known)
      if (!object || known.extend(object)) break
    }
    return this.verified(key)
  }

  /**
   * Extends the trail in memory by the one object that another writer put at its end.
   *
   * @throws AuditTrailError
   */
  async extendedByOne(key: CaseKey): Promise<VerifiedTrail> {
    const known = this.inMemory(key)
    const object = known && (await this.#objects.get(auditKey(key, known.length + 1)))
    if (!object || known.extend(object)) return this.verified(key)
    return this.keep(key, known)
  }

  /**
   * Verifies the trail in the store. A fault counts when it is found twice, the second time without
   * cached entries, because a listing may overlap with a write.
   */
  async read(
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
      this.keep(key, known)
      return { known }
    }
    // The head is recalled before the objects are listed, so it must be among them.
    const recalled = await witness?.recall(key)
    const anew = new VerifiedTrail(key, keyring)
    const fault =
      (await this.#readObjects(key, anew, { seen, from: this.#objects })) ??
      (recalled && missingHead(anew, recalled))
    if (!fault) {
      this.keep(key, anew)
      return { known: anew }
    }
    this.#known.delete(folder)
    remember(this.#lost, folder, { head: seen, valid: anew })
    this.#options.report(key, fault)
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

  /**
   * Remembers a trail that was read. A read that began earlier may end later: it does not replace a
   * longer trail.
   *
   * @returns the trail that was read
   */
  keep(key: CaseKey, read: VerifiedTrail): VerifiedTrail {
    const folder = auditFolder(key)
    this.#lost.delete(folder)
    const other = this.#known.get(folder)
    remember(this.#known, folder, other && other.length > read.length ? other : read)
    return read
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
