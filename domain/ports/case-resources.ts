/** Kubernetes resources around a case, for users of kubectl. */
import type { SignatureCase } from '../cases/signature-case.ts'
import type { CaseSecrets } from './secret-store.ts'
import type { CaseKey } from './stores.ts'

/** A Kubernetes Event of a case, shown by `kubectl describe`. */
export interface KubernetesEvent {
  type: 'Normal' | 'Warning'
  /** One word. */
  reason: string
  message: string
}

export interface CaseResources {
  /**
   * Whether the namespace of the tenant is being deleted. The service's rights in it, its Secrets
   * and Events are deleted first; cases remain until their finalizer is removed.
   */
  isNamespaceEnding(tenant: string): Promise<boolean>
  /** @returns undefined when the Secret does not exist or is not labelled for callbacks */
  findCredentials(tenant: string, secretName: string): Promise<CaseSecrets | undefined>
  /** Returns when the published upload URL expires, or undefined when none is published. */
  publishedUpload(key: CaseKey): Promise<Date | undefined>
  /** Publishes where to PUT the document, and replaces the previous URL. */
  publishUpload(key: CaseKey, upload: { url: string; expiresAt: Date }): Promise<void>
  /** Succeeds even if none is published. */
  removeUpload(key: CaseKey): Promise<void>
  /** Writes an Event; the same event for the same version of a case is written once. */
  publishEvent(signatureCase: SignatureCase, event: KubernetesEvent): Promise<void>
}
