/** What a tenant entrusts to a case and nobody may read in it: Secrets on a cluster. */
import type { CaseKey } from './stores.ts'

/** Absent members were not given. */
export interface CaseSecrets {
  /** `callback` credentials (specification 5.6). */
  clientId?: string
  clientSecret?: string
  apiKeyValue?: string
  /** Key of `Service-Signature`. */
  signingSecret?: string
  /** Salted slow hash of the PIN; the PIN itself is kept nowhere. */
  pinHash?: string
  /** What an `Idempotency-Key` was first used with, as `digestOfInput` made it. */
  inputDigest?: string
}

/**
 * Secrets by case. They are written before the case is; one whose case never came is found by its
 * missing adoption.
 */
export interface SecretStore {
  /** @throws AlreadyExistsError */
  create(key: CaseKey, secrets: CaseSecrets): Promise<void>
  /** @returns undefined when the case has none */
  get(key: CaseKey): Promise<CaseSecrets | undefined>
  /** Says that the case exists; without secrets nothing happens. */
  adopt(key: CaseKey): Promise<void>
  /** Removes the secrets; it is no error when there are none. */
  delete(key: CaseKey): Promise<void>
  /** Cases whose secrets were written before `createdBefore` and were not adopted. */
  listUnadopted(createdBefore: Date, limit: number): Promise<CaseKey[]>
}
