/** The port for secrets of a case, which are stored apart from it: Secrets on a cluster. */
import type { CaseKey } from './stores.ts'

/** Members that were not given are absent. */
export interface CaseSecrets {
  /** `callback` credentials (specification 5.6). */
  clientId?: string
  clientSecret?: string
  apiKeyValue?: string
  /** Key of `Service-Signature`. */
  signingSecret?: string
  /** Salted slow hash of the PIN; the PIN itself is not stored. */
  pinHash?: string
  /** Digest of the request that first used the `Idempotency-Key`, from `digestOfInput`. */
  inputDigest?: string
}

/**
 * Secrets by case. They are written before the case; secrets whose case was never created are found
 * because they were not adopted.
 */
export interface SecretStore {
  /** @throws AlreadyExistsError */
  create(key: CaseKey, secrets: CaseSecrets): Promise<void>
  /** @returns undefined when the case has none */
  get(key: CaseKey): Promise<CaseSecrets | undefined>
  /** Marks that the case exists; does nothing without secrets. */
  adopt(key: CaseKey): Promise<void>
  /** Deletes the secrets; succeeds even if there are none. */
  delete(key: CaseKey): Promise<void>
  /** Lists cases whose secrets were written before `createdBefore` and were not adopted. */
  listUnadopted(createdBefore: Date, limit: number): Promise<CaseKey[]>
}
