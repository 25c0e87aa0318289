/** The parts of namespaces that the service reads. */
import type { KubernetesObject } from './resources.ts'

export interface Namespace extends KubernetesObject {
  metadata: KubernetesObject['metadata'] & { deletionTimestamp?: string }
}

/** Whether the namespace is being deleted; nothing can be created in it any more. */
export const isEnding = (namespace: Namespace | undefined): boolean =>
  namespace?.metadata.deletionTimestamp !== undefined
