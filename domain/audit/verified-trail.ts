/**
 * The verified entries of one trail. Each entry is verified once, when it is read; an object that
 * was written since is read and verified again.
 */
import { auditKey } from '../cases/keys.ts'
import type { Keyring } from '../ports/keyring.ts'
import type { ObjectStat, StoredObject } from '../ports/object-store.ts'
import type { CaseKey } from '../ports/stores.ts'
import { entryHash, NO_PREVIOUS, type AuditEntry } from './entry.ts'
import type { TrailFault, TrailFaultName, TrailHead } from './fault.ts'
import { decodeEntry } from './stored.ts'

/** Several times the largest entry; personal values are stored elsewhere. */
const MAXIMUM_ENTRY_BYTES = 64 * 1024

/** Entries of one case, oldest first, with the generations of their objects. */
export class VerifiedTrail {
  readonly #key: CaseKey
  readonly #keyring: Keyring<'audit-trail'>
  readonly #entries: AuditEntry[] = []
  readonly #hashes: string[] = []
  /** Generation of the object that was read; undefined for one that this process wrote. */
  readonly #generations: (string | undefined)[] = []
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

  /** Whether the object at this place, counted from 0, has to be read. */
  needs({ generation, size }: Pick<ObjectStat, 'generation' | 'size'>, index: number): boolean {
    return size <= MAXIMUM_ENTRY_BYTES && this.#generations[index] !== generation
  }

  /** Adds an entry that this process has just appended, unless it is already known. */
  append(entry: AuditEntry): void {
    if (entry.sequence === this.length + 1) this.#push(entry, undefined)
  }

  /**
   * Verifies the stored object at a place.
   *
   * @param index of the place, from 0; all earlier places are verified
   * @param object undefined when `needs` said that it is known
   */
  verify(
    index: number,
    stat: ObjectStat,
    object: StoredObject | undefined,
  ): TrailFault | undefined {
    const sequence = index + 1
    const found = (fault: TrailFaultName): TrailFault => ({ sequence, fault })
    if (stat.key !== auditKey(this.#key, sequence)) return found('wrongPlace')
    if (stat.size > MAXIMUM_ENTRY_BYTES) return found('unreadable')
    if (!object) return this.needs(stat, index) ? found('wrongPlace') : undefined
    const decoded = decodeEntry(this.#keyring, object)
    if ('fault' in decoded) return found(decoded.fault)
    const { entry } = decoded
    if (index < this.length) {
      if (entryHash(entry) !== this.#hashes[index]) return found('replacedEntry')
      this.#generations[index] = object.generation
      return undefined
    }
    const fault = this.#linkFault(entry)
    if (fault) return found(fault)
    this.#push(entry, object.generation)
    return undefined
  }

  #linkFault(entry: AuditEntry): TrailFaultName | undefined {
    const { sequence, hash } = this.head()
    const { tenant, caseId } = this.#key
    if (entry.sequence !== sequence + 1) return 'wrongSequence'
    if (entry.previous !== hash) return 'wrongPrevious'
    if (entry.tenant !== tenant || entry.caseId !== caseId) return 'wrongCase'
    return this.#byId.has(entry.eventId) ? 'repeatedEvent' : undefined
  }

  #push(entry: AuditEntry, generation: string | undefined): void {
    this.#entries.push(entry)
    this.#hashes.push(entryHash(entry))
    this.#generations.push(generation)
    this.#byId.set(entry.eventId, entry)
  }
}
