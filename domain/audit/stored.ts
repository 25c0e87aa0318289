/**
 * Encodes entries and openings for the object store with a MAC under the key of the audit trail, so
 * that another writer of the store cannot forge them (decision 171).
 */
import { encodeJson } from '../json-object.ts'
import { findMacFault, makeMac, type KeyedMac, type MacFault } from '../keyed-mac.ts'
import type { Keyring } from '../ports/keyring.ts'
import type { CaseKey } from '../ports/stores.ts'
import type { AuditEntry, Opening } from './entry.ts'

const ENTRY_DOMAIN = 'sigcase/audit-entry-mac/v1'
const OPENING_DOMAIN = 'sigcase/audit-opening-mac/v1'
const PURPOSE = 'audit-trail'

/**
 * `…/audit/<sequence>`: the MAC is stored beside the entry, so that the entry's hash does not need
 * a key.
 */
export interface StoredEntry extends KeyedMac {
  entry: AuditEntry
}

/** `…/audit-openings/<eventId>` */
export interface StoredOpening extends KeyedMac {
  opening: Opening
}

/** Why a stored object is not what this service stored. */
export type StoredFault = 'unreadable' | MacFault

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

/** Encodes an entry with its MAC. */
export function encodeEntry(keyring: Keyring<'audit-trail'>, entry: AuditEntry): Uint8Array {
  const stored: StoredEntry = { entry, ...makeMac(keyring, PURPOSE, [ENTRY_DOMAIN, entry]) }
  return encodeJson(stored)
}

/** Decodes an entry and checks its MAC; returns the fault of an invalid object. */
export function decodeEntry(
  keyring: Keyring<'audit-trail'>,
  object: { bytes: Uint8Array },
): { entry: AuditEntry } | { fault: StoredFault } {
  const stored = parse(object)
  if (!isObject(stored?.entry)) return { fault: 'unreadable' }
  const { entry } = stored
  const fault = findMacFault(keyring, PURPOSE, [ENTRY_DOMAIN, entry], stored)
  return fault ? { fault } : { entry: entry as unknown as AuditEntry }
}

/** Encodes an opening with its MAC, which binds it to its case and its event. */
export function encodeOpening(
  keyring: Keyring<'audit-trail'>,
  { tenant, caseId }: CaseKey,
  eventId: string,
  opening: Opening,
): Uint8Array {
  const value = [OPENING_DOMAIN, tenant, caseId, eventId, opening] as const
  const stored: StoredOpening = { opening, ...makeMac(keyring, PURPOSE, value) }
  return encodeJson(stored)
}

/** Decodes the opening of an event and checks its MAC; returns the fault of an invalid object. */
export function decodeOpening(
  keyring: Keyring<'audit-trail'>,
  { tenant, caseId }: CaseKey,
  eventId: string,
  object: { bytes: Uint8Array },
): { opening: Opening } | { fault: StoredFault } {
  const stored = parse(object)
  if (!isObject(stored?.opening)) return { fault: 'unreadable' }
  const { opening } = stored
  const value = [OPENING_DOMAIN, tenant, caseId, eventId, opening] as const
  const fault = findMacFault(keyring, PURPOSE, value, stored)
  return fault ? { fault } : { opening: opening as Opening }
}
