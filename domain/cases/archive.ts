/**
 * Decides when an ended case leaves the store of cases, and what is recorded of it, so that it can
 * be read and restored. Pure.
 */
import { API_VERSION, type ObjectMeta } from '../resources.ts'
import { FINALIZER, isFromApi } from './complete.ts'
import { askedErasure, endedAtOf } from './erasure.ts'
import { shardLabels } from './shards.ts'
import { KIND, type SignatureCase } from './signature-case.ts'

/** When an operator restored the case, ISO 8601; the time until it is archived starts then. */
export const RESTORED_ANNOTATION = 'sigcase.dev/restored-at'
/**
 * `true` while a restored case does not have its status yet; the record counts until then. Later
 * `false`: a merge patch cannot leave out an annotation.
 */
export const RESTORING_ANNOTATION = 'sigcase.dev/restoring'

const HOUR_MS = 60 * 60 * 1000
/** Conditions that an operator has to look at, or that say that work follows. */
const KEEPING = new Set(['Invalid', 'SignatureIgnored', 'Delayed', 'Erased'])

/** Metadata that a restored resource gets back. The others belong to one resource. */
type ArchivedMetadata = Pick<
  ObjectMeta,
  'name' | 'namespace' | 'generation' | 'creationTimestamp' | 'annotations' | 'labels'
>

/** `…/archive.json`: the resource of an archived case. */
export interface ArchiveRecord {
  version: 1
  metadata: ArchivedMetadata
  spec: SignatureCase['spec']
  status: NonNullable<SignatureCase['status']>
}

/** Whether the case is being restored, so that its resource has no status of its own yet. */
export const isRestoring = ({ metadata }: SignatureCase): boolean =>
  metadata.annotations?.[RESTORING_ANNOTATION] === 'true'

/** Whether a resource that was just created is a new case of the API, waiting for its upload. */
export const isNewFromApi = (created: SignatureCase): boolean =>
  isFromApi(created) && created.status === undefined && !isRestoring(created)

/**
 * Whether a record of the case may exist although its resource does: the case was restored, or the
 * tool that applied it created it again.
 */
export const mayHaveRecord = (signatureCase: SignatureCase): boolean =>
  !isFromApi(signatureCase) ||
  signatureCase.metadata.annotations?.[RESTORING_ANNOTATION] !== undefined

/**
 * Whether the resource says that the case has ended without a fault and that nothing is left to do
 * for it, not even an erasure. A resource that a finalizer of another program keeps is not
 * archived.
 */
export function isArchivable(signatureCase: SignatureCase): boolean {
  const { metadata, status } = signatureCase
  if (!status || status.erasure || metadata.deletionTimestamp !== undefined) return false
  if (isRestoring(signatureCase) || askedErasure(signatureCase) !== undefined) return false
  if (metadata.finalizers?.some((name) => name !== FINALIZER)) return false
  if (status.observedGeneration !== (metadata.generation ?? 0)) return false
  const isTrue = (name: string) =>
    status.conditions.some((one) => one.type === name && one.status === 'True')
  if (!isTrue('Ended') || !isTrue('Settled')) return false
  return !status.conditions.some(({ type }) => KEEPING.has(type))
}

/**
 * Whether the case is archived now. An applied case never is: the tool that applied it would create
 * it again.
 *
 * @param afterHours time between the end of a case and its archiving; undefined: never
 */
export function isArchiveDue(
  signatureCase: SignatureCase,
  afterHours: number | undefined,
  nowMs: number,
): boolean {
  if (afterHours === undefined || !isFromApi(signatureCase)) return false
  const endedAt = endedAtOf(signatureCase)
  if (endedAt === undefined || !isArchivable(signatureCase)) return false
  const restoredAt = signatureCase.metadata.annotations?.[RESTORED_ANNOTATION] ?? ''
  const restoredMs = Date.parse(restoredAt)
  const sinceMs = Math.max(Date.parse(endedAt), Number.isNaN(restoredMs) ? 0 : restoredMs)
  return nowMs >= sinceMs + afterHours * HOUR_MS
}

/** Returns the record of a case that {@link isArchivable}. */
export function recordOf({ metadata, spec, status }: SignatureCase): ArchiveRecord {
  const { name, namespace, generation, creationTimestamp, annotations = {}, labels } = metadata
  const { [RESTORED_ANNOTATION]: _at, [RESTORING_ANNOTATION]: _, ...kept } = annotations
  return {
    version: 1,
    metadata: {
      name,
      namespace,
      ...(generation !== undefined && { generation }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
      ...(Object.keys(kept).length > 0 && { annotations: kept }),
      ...(labels && { labels }),
    },
    spec,
    status: status as ArchiveRecord['status'],
  }
}

/** Returns the case as it was when it was archived; a write of it fails. */
export function archivedCase({ metadata, spec, status }: ArchiveRecord): SignatureCase {
  return { apiVersion: API_VERSION, kind: KIND, metadata, spec, status }
}

/**
 * Returns the resource that restores an archived case. It has no status yet, as the API server
 * ignores the status of a new resource.
 */
export function restoredCase(record: ArchiveRecord, restoredAt?: string): SignatureCase {
  const { metadata, spec } = archivedCase(record)
  const { name, namespace, annotations, labels } = metadata
  const { creation, ...rest } = spec
  // The creation time of an applied case is in its status.
  const isApplied = creation.ip === undefined
  return {
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: {
      name,
      namespace,
      annotations: {
        ...annotations,
        ...(restoredAt !== undefined && { [RESTORED_ANNOTATION]: restoredAt }),
        [RESTORING_ANNOTATION]: 'true',
      },
      labels: shardLabels({ name, namespace, ...(labels && { labels }) }),
    },
    spec: isApplied ? (rest as SignatureCase['spec']) : spec,
  }
}
