/**
 * Encodes the entries of one append for the object store with MACs under the key of the audit
 * trail, so that another writer of the store cannot forge them (decisions 171 and 213).
 */
import { Buffer } from 'node:buffer'
import { encodeJson } from '../json-object.ts'
import { findMacFault, makeMac, type KeyedMac, type MacFault } from '../keyed-mac.ts'
import type { Keyring } from '../ports/keyring.ts'
import type { CaseKey } from '../ports/stores.ts'
import type { AuditEntry, Opening } from './entry.ts'

const ENTRIES_DOMAIN = 'sigcase/audit-entries-mac/v1'
const OPENINGS_DOMAIN = 'sigcase/audit-openings-mac/v1'
const FACTS_DOMAIN = 'sigcase/audit-facts-mac/v1'
const PURPOSE = 'audit-trail'

/** Content type of an object whose personal values can be erased. */
export const WITH_VALUES_TYPE = 'application/vnd.sigcase.audit+json'

/** Personal values by event id. */
export type Openings = Readonly<Record<string, Opening>>

/** The values beside the entries that commit to them; they can be erased without the entries. */
export interface StoredOpenings extends KeyedMac {
  values: Openings
}

/** Facts of the case by event id. */
export type RecordedFacts = Readonly<Record<string, object>>

/** The facts that the entries record; they are erased with the values. */
export interface StoredFacts extends KeyedMac {
  values: RecordedFacts
}

/** What is stored beside the entries of one append. */
export interface BesideEntries {
  openings: Openings
  facts?: RecordedFacts
}

/**
 * `…/audit/<sequence of the first entry>`: entries that were appended at once. The MACs are stored
 * beside the entries, so that the hash of an entry does not need a key.
 */
export interface StoredEntries extends KeyedMac {
  entries: readonly AuditEntry[]
  openings?: StoredOpenings
  facts?: StoredFacts
}

/** Why a stored object is not what this service stored. */
export type StoredFault = 'unreadable' | MacFault

/** A decoded object with valid entries. */
export interface DecodedEntries {
  entries: readonly AuditEntry[]
  /** Values; an erased or invalid set is empty. */
  openings: Openings
  /** Why the values are not what this service stored. */
  openingsFault?: StoredFault
  /** Genuine facts; an erased or invalid set is empty. */
  facts: RecordedFacts
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses a stored object; undefined when its bytes are not a JSON object. */
function parse({ bytes }: { bytes: Uint8Array }): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const openingsValue = (
  { tenant, caseId }: CaseKey,
  entries: readonly { sequence?: unknown }[],
  values: unknown,
) => [OPENINGS_DOMAIN, tenant, caseId, entries[0]?.sequence, values] as const

const factsValue = (
  { tenant, caseId }: CaseKey,
  entries: readonly { sequence?: unknown }[],
  values: unknown,
) => [FACTS_DOMAIN, tenant, caseId, entries[0]?.sequence, values] as const

/** Returns the facts of a stored object if this service stored them beside these entries. */
function decodeFacts(
  keyring: Keyring<'audit-trail'>,
  key: CaseKey,
  { entries, facts }: { entries: readonly AuditEntry[]; facts: unknown },
): RecordedFacts {
  if (!isObject(facts) || !isObject(facts.values)) return {}
  const value = factsValue(key, entries, facts.values)
  return findMacFault(keyring, PURPOSE, value, facts) ? {} : (facts.values as RecordedFacts)
}

/**
 * Encodes entries, their values and the facts that they record. The MACs of values and facts bind
 * them to the case and to the place of the entries; the commitments in the entries bind the values
 * to their events.
 *
 * @param entries at least one
 */
export function encodeEntries(
  keyring: Keyring<'audit-trail'>,
  key: CaseKey,
  entries: readonly AuditEntry[],
  { openings, facts = {} }: BesideEntries,
): Uint8Array {
  const mac = makeMac(keyring, PURPOSE, openingsValue(key, entries, openings))
  const hasFacts = Object.keys(facts).length > 0
  const stored: StoredEntries = {
    entries,
    ...makeMac(keyring, PURPOSE, [ENTRIES_DOMAIN, entries]),
    openings: { values: openings, ...mac },
    ...(hasFacts && {
      facts: { values: facts, ...makeMac(keyring, PURPOSE, factsValue(key, entries, facts)) },
    }),
  }
  return encodeJson(stored)
}

/** Decodes an object and checks its MACs; returns the fault of an object with invalid entries. */
export function decodeEntries(
  keyring: Keyring<'audit-trail'>,
  key: CaseKey,
  object: { bytes: Uint8Array },
): DecodedEntries | { fault: StoredFault } {
  const stored = parse(object)
  const found = stored?.entries
  if (!stored || !Array.isArray(found) || found.length === 0 || !found.every(isObject)) {
    return { fault: 'unreadable' }
  }
  const fault = findMacFault(keyring, PURPOSE, [ENTRIES_DOMAIN, found], stored)
  if (fault) return { fault }
  const entries = found as unknown as AuditEntry[]
  const { openings } = stored
  const facts = decodeFacts(keyring, key, { entries, facts: stored.facts })
  if (openings === undefined) return { entries, openings: {}, facts }
  if (!isObject(openings) || !isObject(openings.values)) {
    return { entries, openings: {}, openingsFault: 'unreadable', facts }
  }
  const value = openingsValue(key, entries, openings.values)
  const openingsFault = findMacFault(keyring, PURPOSE, value, openings)
  if (openingsFault) return { entries, openings: {}, openingsFault, facts }
  return { entries, openings: openings.values as Openings, facts }
}

/**
 * Removes everything but the entries and their MAC from a stored object. Members that this service
 * does not write could contain values, too.
 *
 * @returns undefined for bytes that are not a JSON object with entries
 */
export function withoutOpenings(object: { bytes: Uint8Array }): Uint8Array | undefined {
  const { entries, kid, mac } = parse(object) ?? {}
  return Array.isArray(entries) ? encodeJson({ entries, kid, mac }) : undefined
}

/** Whether an object contains entries and their MAC and nothing else, whatever its content type. */
export function hasOnlyEntries(object: { bytes: Uint8Array }): boolean {
  const bare = withoutOpenings(object)
  return bare !== undefined && Buffer.compare(bare, object.bytes) === 0
}
