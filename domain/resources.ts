/** Common parts of the custom resources: API group, metadata, conditions. */
import { Type, type Static } from '@sinclair/typebox'
import * as limits from './limits.ts'
import { stringEnum, text, timestamp } from './schema-parts.ts'

export const API_VERSION = 'sigcase.dev/v1'

/** Kubernetes object metadata, as far as the service uses it. */
export interface ObjectMeta {
  name: string
  namespace: string
  /** Unique id of this resource; no value derives from it. */
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string
  /** When the removal was requested; the resource remains until its finalizers are gone. */
  deletionTimestamp?: string
  finalizers?: string[]
  annotations?: Record<string, string>
  labels?: Record<string, string>
}

export const Condition = Type.Object(
  {
    type: text(limits.MAXIMUM_NAME_LENGTH, 'Type of the condition'),
    status: stringEnum(['True', 'False', 'Unknown'], { description: 'Status of the condition' }),
    reason: text(limits.MAXIMUM_NAME_LENGTH, 'Reason in one word, for programs'),
    message: Type.String({
      maxLength: limits.MAXIMUM_REASON_LENGTH,
      description: 'Human-readable message',
    }),
    lastTransitionTime: timestamp('When the status of the condition last changed'),
  },
  { description: 'Condition of the resource' },
)
export type Condition = Static<typeof Condition>
