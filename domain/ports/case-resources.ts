/** What stands around a case at the API server, for people who work with kubectl. */
import type { SignatureCase } from '../cases/signature-case.ts'
import type { CaseSecrets } from './secret-store.ts'
import type { CaseKey } from './stores.ts'

/** Something that happened to a case, for `kubectl describe`. */
export interface Announcement {
  type: 'Normal' | 'Warning'
  /** One word. */
  reason: string
  message: string
}

export interface CaseResources {
  /**
   * Whether the namespace of the tenant is being deleted. The rights of the service in it, its
   * Secrets and Events go first; cases stay until their finalizer is removed.
   */
  isPlaceEnding(tenant: string): Promise<boolean>
  /** @returns undefined when there is no such Secret, or it is not marked for callbacks */
  findCredentials(tenant: string, secretName: string): Promise<CaseSecrets | undefined>
  /** When the upload URL that was published expires, or undefined when none is. */
  publishedUpload(key: CaseKey): Promise<Date | undefined>
  /** Shows the tenant where to PUT the document, in place of what was shown before. */
  publishUpload(key: CaseKey, upload: { url: string; expiresAt: Date }): Promise<void>
  /** It is no error when none is there. */
  removeUpload(key: CaseKey): Promise<void>
  /** The same announcement of the same version of a case is told once. */
  announce(signatureCase: SignatureCase, announcement: Announcement): Promise<void>
}
