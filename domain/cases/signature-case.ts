/**
 * The `SignatureCase` resource: the tenant's definition, facts stated by people, and the status.
 */
import type { API_VERSION, ObjectMeta } from '../resources.ts'
import type { CaseSpec } from './spec.ts'
import type { CaseStatus } from './status.ts'

export const KIND = 'SignatureCase'

export interface SignatureCase {
  apiVersion: typeof API_VERSION
  kind: typeof KIND
  metadata: ObjectMeta
  spec: CaseSpec
  status?: CaseStatus
}
