/**
 * The verified entries of one trail. Each object is verified once, when it is read; an object that
 * was written since is read and verified again.
 */
import { auditKey } from '../cases/keys.ts'
import type { Keyring } from '../ports/keyring.ts'
import { maximumObjectBytes } from '../object-bounds.ts'
import { isObjectKey } from '../object-names.ts'
import type { ObjectStat, StoredObject } from '../ports/object-store.ts'
import type { CaseKey } from '../ports/stores.ts'
import { entryHash, NO_PREVIOUS, type AuditEntry } from './entry.ts'
import type { TrailFault, TrailFaultName, TrailHead } from './fault.ts'
import { decodeEntries, type BesideEntries, type DecodedEntries } from './stored.ts'

/** Entries of one object; an entry and its values have a few kilobytes at most. */
export const MAXIMUM_ENTRIES = 64

/** The entries of one object. */
interface Part {
  /** Number of entries before this part. */
  before: number
  /** Number of its entries. */
  length: number
  /** Generation of the object that was read or written. */
  generation: string
  /** Values and facts as they were read or written. */
  values: Pick<DecodedEntries, 'openings' | 'openingsFault' | 'facts'>
}

/** Entries of one case, oldest first, with the generations of their objects. */
export class VerifiedTrail {
  readonly #key: CaseKey
  readonly #keyring: Keyring<'audit-trail'>
  readonly #entries: AuditEntry[] = []
  readonly #hashes: string[] = []
  readonly #parts: Part[] = []
  readonly #byId = new Map<string, AuditEntry>()

  constructor(key: CaseKey, keyring: Keyring<'audit-trail'>) {
    this.#key = key
    this.#keyring = keyring
  }

  /** Number of known entries. */
  get length(): number {
    return this.#entries.length
  }

  /** Returns a copy of the entries. */
  list(): readonly AuditEntry[] {
    return this.#entries.slice()
  }

  /** Returns the entries themselves; callers must not keep them. */
  view(): readonly AuditEntry[] {
    return this.#entries
  }

  /** The newest entry, or undefined for an empty trail. */
  last(): AuditEntry | undefined {
    return this.#entries.at(-1)
  }

  /** The entry of an event, or undefined. */
  entryOf(eventId: string): AuditEntry | undefined {
    return this.#byId.get(eventId)
  }

  /** Sequence number and hash of the newest entry. */
  head(): TrailHead {
    return { sequence: this.length, hash: this.#hashes.at(-1) ?? NO_PREVIOUS }
  }

  /** Whether the trail has this head at its place. */
  contains({ sequence, hash }: TrailHead): boolean {
    return hash === (sequence === 0 ? NO_PREVIOUS : this.#hashes[sequence - 1])
  }

  /** Number of entries in the first `parts` objects. */
  lengthOf(parts: number): number {
    const last = this.#parts[Math.min(parts, this.#parts.length) - 1]
    return last ? last.before + last.length : 0
  }

  /** What is beside an entry, as it was read or written; undefined for an unknown entry. */
  valuesOf({ sequence }: Pick<AuditEntry, 'sequence'>): Part['values'] | undefined {
    return this.#parts[this.#indexOf(sequence)]?.values
  }

  /** Whether the object at this position, counted from 0, has to be read. */
  needs(
    { key, generation, size }: Pick<ObjectStat, 'key' | 'generation' | 'size'>,
    index: number,
  ): boolean {
    // Stores refuse to read other names, which only others can have written.
    const isReadable = isObjectKey(key) && size <= maximumObjectBytes(key)
    return isReadable && this.#parts[index]?.generation !== generation
  }

  /**
   * Adds entries that this process has just appended at once, unless they are already known.
   *
   * @param written the generation of their object, and what is beside them
   */
  append(
    entries: readonly AuditEntry[],
    { generation, openings, facts = {} }: BesideEntries & { generation: string },
  ): void {
    if (entries[0]?.sequence !== this.length + 1) return
    this.#push(entries, generation, { openings, facts })
  }

  /** Verifies the object behind all known ones. */
  extend(object: StoredObject): TrailFault | undefined {
    return this.verify(this.#parts.length, object, object)
  }

  /**
   * Verifies the object at a position of the listing.
   *
   * @param index from 0; all earlier objects are verified
   * @param object undefined when `needs` said that it is known
   */
  verify(
    index: number,
    stat: ObjectStat,
    object: StoredObject | undefined,
  ): TrailFault | undefined {
    const part = this.#parts[index]
    const sequence = (part?.before ?? this.length) + 1
    const found = (fault: TrailFaultName): TrailFault => ({ sequence, fault })
    if (stat.key !== auditKey(this.#key, sequence)) return found('wrongPlace')
    if (stat.size > maximumObjectBytes(stat.key)) return found('unreadable')
    if (!object) return this.needs(stat, index) ? found('wrongPlace') : undefined
    const decoded = decodeEntries(this.#keyring, this.#key, object)
    if ('fault' in decoded) return found(decoded.fault)
    const { entries, ...values } = decoded
    if (!part) return this.#add(entries, object.generation, values)
    const hashes = this.#hashes.slice(part.before, part.before + part.length)
    const isSame = entries.length === part.length
    if (!isSame || entries.some((entry, at) => entryHash(entry) !== hashes[at])) {
      return found('replacedEntry')
    }
    part.generation = object.generation
    part.values = values
    return undefined
  }

  /** The position of the object that contains an entry; -1 when there is none. */
  #indexOf(sequence: number): number {
    if (sequence > this.length) return -1
    return this.#parts.findLastIndex(({ before }) => before < sequence)
  }

  /** Adds entries whose MAC is valid, up to the first that does not continue the chain. */
  #add(
    entries: readonly AuditEntry[],
    generation: string,
    values: Part['values'],
  ): TrailFault | undefined {
    let head = this.head()
    const ids = new Set<string>()
    for (const entry of entries) {
      const fault = this.#linkFault(entry, head, ids)
      if (fault) return { sequence: this.length + 1, fault }
      ids.add(entry.eventId)
      head = { sequence: entry.sequence, hash: entryHash(entry) }
    }
    this.#push(entries, generation, values)
    return undefined
  }

  #linkFault(
    entry: AuditEntry,
    { sequence, hash }: TrailHead,
    ids: ReadonlySet<string>,
  ): TrailFaultName | undefined {
    const { tenant, caseId } = this.#key
    if (entry.sequence !== sequence + 1) return 'wrongSequence'
    if (entry.previous !== hash) return 'wrongPrevious'
    if (entry.tenant !== tenant || entry.caseId !== caseId) return 'wrongCase'
    return this.#byId.has(entry.eventId) || ids.has(entry.eventId) ? 'repeatedEvent' : undefined
  }

  #push(entries: readonly AuditEntry[], generation: string, values: Part['values']): void {
    this.#parts.push({ before: this.length, length: entries.length, generation, values })
    for (const entry of entries) {
      this.#entries.push(entry)
      this.#hashes.push(entryHash(entry))
      this.#byId.set(entry.eventId, entry)
    }
  }
}
