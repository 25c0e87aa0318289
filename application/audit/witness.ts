/**
 * Remembers the heads of trails outside the object store, so that every process notices when the
 * end of a trail was removed. If the memory is lost, fewer removals are noticed.
 */
import { findMacFault, makeMac, type KeyedMac } from '../../domain/keyed-mac.ts'
import type { ExpiringValues } from '../../domain/ports/expiring-values.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { TrailHead } from '../../domain/audit/fault.ts'

const DOMAIN = 'sigcase/audit-witness/v1'
const PURPOSE = 'audit-trail'
/** Cases rarely live longer, and at their end the head is sealed. */
const MEMORY_MS = 90 * 24 * 60 * 60 * 1000

/** Remembers the newest head of every trail. Errors of its store are ignored. */
export interface TrailWitness {
  /** Returns the newest recorded head, if it is still remembered. */
  recall(key: CaseKey): Promise<TrailHead | undefined>
  /** Records the head after an entry was appended. */
  note(key: CaseKey, head: TrailHead): Promise<void>
}

const placeOf = ({ tenant, caseId }: CaseKey) => `audit-head/${tenant}/${caseId}`

/** Where a witness keeps the heads: Redis on a cluster, a database on one machine. */
export type HeadMemory = Pick<ExpiringValues, 'get' | 'set'>

/** A witness whose values have a MAC, which protects them against writers of their store. */
export class KeyedWitness implements TrailWitness {
  readonly #heads: HeadMemory
  readonly #keyring: Keyring<'audit-trail'>

  constructor(heads: HeadMemory, keyring: Keyring<'audit-trail'>) {
    this.#heads = heads
    this.#keyring = keyring
  }

  async recall({ tenant, caseId }: CaseKey): Promise<TrailHead | undefined> {
    try {
      const text = await this.#heads.get(placeOf({ tenant, caseId }))
      if (text === undefined) return undefined
      const { sequence, hash, kid, mac } = JSON.parse(text) as TrailHead & KeyedMac
      const value = [DOMAIN, tenant, caseId, sequence, hash] as const
      if (findMacFault(this.#keyring, PURPOSE, value, { kid, mac })) return undefined
      return { sequence, hash }
    } catch {
      return undefined
    }
  }

  async note({ tenant, caseId }: CaseKey, { sequence, hash }: TrailHead): Promise<void> {
    const mac = makeMac(this.#keyring, PURPOSE, [DOMAIN, tenant, caseId, sequence, hash])
    const text = JSON.stringify({ sequence, hash, ...mac })
    const place = placeOf({ tenant, caseId })
    await this.#heads.set(place, text, { ttlMs: MEMORY_MS }).catch(() => undefined)
  }
}
