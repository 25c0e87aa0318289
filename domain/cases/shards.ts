/** Shards: a label by which controllers share the cases among them (decision 237). Pure. */
import type { ObjectMeta } from '../resources.ts'

/** Label with the shard of a case, a decimal number below {@link SHARDS}. */
export const SHARD_LABEL = 'sigcase.dev/shard'
/** It never changes, so that labels stay valid; it is the maximum number of groups. */
export const SHARDS = 64

/** One of the groups into which the shards are divided; one controller at a time has it. */
export interface ShardGroup {
  /** From 0; the first group also has the cases without a valid label. */
  index: number
  /** Number of groups, from 1 to {@link SHARDS}. */
  count: number
}

/** All cases. */
export const ALL_SHARDS: ShardGroup = { index: 0, count: 1 }

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
const HALF_BITS = 16

/** Returns FNV-1a of a text: 32 bits without a sign. */
export function fnv1a(text: string): number {
  let hash = FNV_OFFSET
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), FNV_PRIME)
  return hash >>> 0
}

/** Returns the shard of a case: FNV-1a (both halves combined) of its namespace and id. */
export function shardOf(tenant: string, caseId: string): number {
  const hash = fnv1a(`${tenant}/${caseId}`)
  return ((hash >>> HALF_BITS) ^ hash) & (SHARDS - 1)
}

/** Returns the labels with the shard of the case instead of any other. */
export function shardLabels({
  namespace,
  name,
  labels,
}: Pick<ObjectMeta, 'namespace' | 'name' | 'labels'>): Record<string, string> {
  return { ...labels, [SHARD_LABEL]: String(shardOf(namespace, name)) }
}

/** Whether the case has the label that the service gives it. */
export const hasShardLabel = ({ namespace, name, labels }: ObjectMeta): boolean =>
  labels?.[SHARD_LABEL] === String(shardOf(namespace, name))

const LABELS: readonly string[] = Array.from({ length: SHARDS }, (_, shard) => String(shard))

/** Returns the index of the group that has the case by its label. */
export function groupOf({ labels }: Pick<ObjectMeta, 'labels'>, count: number): number {
  const shard = LABELS.indexOf(labels?.[SHARD_LABEL] ?? '')
  return shard === -1 ? 0 : shard % count
}

/** Whether the group has the case once it has its label. */
export const ownsCase = (
  { index, count }: ShardGroup,
  { tenant, caseId }: { tenant: string; caseId: string },
): boolean => shardOf(tenant, caseId) % count === index

/**
 * Returns the label selector of the group; undefined when it has all cases. `notin` also selects
 * objects without the label, so each case belongs to exactly one group.
 */
export function shardSelector({ index, count }: ShardGroup): string | undefined {
  if (count === 1) return undefined
  const isOwn = (label: string) => Number(label) % count === index
  return index === 0
    ? `${SHARD_LABEL} notin (${LABELS.filter((label) => !isOwn(label)).join(',')})`
    : `${SHARD_LABEL} in (${LABELS.filter(isOwn).join(',')})`
}
