/** Kubernetes Secrets as the service writes and reads them. */
import type { KubernetesObject } from './resources.ts'

/** Label of the service's own Secrets; it ignores others in the namespace. */
export const MANAGED_BY = { 'app.kubernetes.io/managed-by': 'sigcase' }

export interface Secret extends KubernetesObject {
  apiVersion: 'v1'
  kind: 'Secret'
  type: string
  /** Values in base64. */
  data?: Record<string, string>
}

function mapValues(values: object, change: (value: string) => string): Record<string, string> {
  const entries = Object.entries(values) as [string, string][]
  return Object.fromEntries(entries.map(([name, value]) => [name, change(value)]))
}

/** Encodes texts for `data` of a Secret: base64 of their UTF-8. */
export const encodeValues = (values: object) =>
  mapValues(values, (text) => Buffer.from(text, 'utf8').toString('base64'))
/** Decodes the texts of `data`. */
export const decodeValues = (data: object) =>
  mapValues(data, (base64) => Buffer.from(base64, 'base64').toString('utf8'))
