/** The job `trusted-lists`: refreshes the snapshot from the configured source. */
import { TRUSTED_LISTS_KEY, trustedListKey } from '../domain/cases/keys.ts'
import { TRUSTED_LISTS_INTERVAL_MS } from '../domain/limits.ts'
import {
  decodeSnapshot,
  encodeSnapshot,
  refreshSnapshot,
  TrustedListError,
  type TrustedListSnapshot,
} from '../trusted-lists/index.ts'
import { readWorkerResult, writeWorkerResult } from '../application/store/stored-results.ts'
import type { WorkerDeps } from './deps.ts'

const MILLISECONDS_PER_SECOND = 1_000

type KeptDeps = Pick<WorkerDeps, 'objects' | 'keyring' | 'alarm' | 'log'>
type TrustedListsDeps = KeptDeps & Pick<WorkerDeps, 'trustedLists' | 'now' | 'metrics'>

/** The snapshot as stored; the MAC of the worker result covers its text. */
interface StoredSnapshot {
  text: string
}

interface Kept {
  snapshot: TrustedListSnapshot | undefined
  generation: string | undefined
}

/**
 * A snapshot of another version, or one that no worker wrote, counts as absent and is replaced by
 * the next one.
 */
async function kept(deps: KeptDeps): Promise<Kept> {
  const violation = { object: 'trusted-lists' } as const
  const stored = await readWorkerResult<StoredSnapshot>(TRUSTED_LISTS_KEY, violation, deps)
  if (!stored?.value) return { snapshot: undefined, generation: stored?.generation }
  const { value, generation } = stored
  try {
    return { snapshot: decodeSnapshot(new TextEncoder().encode(value.text)), generation }
  } catch (error) {
    if (!(error instanceof TrustedListError)) throw error
    deps.log.warn(
      { err: error },
      'the snapshot of trusted lists cannot be read; building a new one',
    )
    return { snapshot: undefined, generation }
  }
}

function logProblems({ lists }: TrustedListSnapshot, { log }: TrustedListsDeps): void {
  const refused = lists.flatMap(({ territory, problem }) => (problem ? [[territory, problem]] : []))
  if (refused.length === 0) return
  log.warn({ lists: Object.fromEntries(refused) }, 'trusted lists were not accepted')
}

function reportRefresh({ refreshedAt }: TrustedListSnapshot, { metrics }: TrustedListsDeps): void {
  const seconds = Date.parse(refreshedAt) / MILLISECONDS_PER_SECOND
  metrics.set('sigcase_trusted_lists_refreshed_timestamp_seconds', {}, seconds)
}

/**
 * Refreshes the snapshot, unless the current one is recent enough. When a list is refused, its
 * previous version stays in force while its signer is named. When another worker won the race, its
 * snapshot stays.
 *
 * @throws TrustedListError when the list of lists is refused
 * @throws Error when the list of lists cannot be fetched, or the store fails
 */
export async function refreshTrustedLists(deps: TrustedListsDeps): Promise<void> {
  const { objects, trustedLists: source, now: clock } = deps
  if (!source) return
  const now = clock()
  const { snapshot: previous, generation } = await kept(deps)
  const ageMs = now.getTime() - Date.parse(previous?.refreshedAt ?? '')
  if (previous) reportRefresh(previous, deps)
  if (ageMs >= 0 && ageMs < TRUSTED_LISTS_INTERVAL_MS) return
  const next = await refreshSnapshot({
    location: source.location,
    anchors: source.anchors,
    read: (list) => source.read(list),
    keep: async (sha256, octets) => {
      await objects.putIfAbsent(trustedListKey(sha256), octets, 'application/xml')
    },
    previous,
    now,
  })
  logProblems(next, deps)
  const stored: StoredSnapshot = { text: new TextDecoder().decode(encodeSnapshot(next)) }
  const before = generation === undefined ? undefined : { generation }
  await writeWorkerResult(TRUSTED_LISTS_KEY, stored, before, deps)
  reportRefresh(next, deps)
}

/** Returns the snapshot in force, or undefined when there is none yet. */
export async function readTrustedLists(deps: KeptDeps): Promise<TrustedListSnapshot | undefined> {
  return (await kept(deps)).snapshot
}
