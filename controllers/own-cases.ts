/**
 * The cases of one group of shards, as its controller reads them: it works only on cases that have
 * a label of the group, and gives a case without the right label to the group that the label names.
 */
import { overrideStore } from '../application/cases/override-store.ts'
import { groupOf, hasShardLabel, shardLabels, type ShardGroup } from '../domain/cases/shards.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import { ConflictError, type CaseKey, type CaseStore } from '../domain/ports/stores.ts'

/** Another group has the case; its controller reconciles it. */
export class ElsewhereError extends Error {
  override readonly name = 'ElsewhereError'
}

export interface OwnCasesOptions {
  group: ShardGroup
  log: { warn(details: object, message: string): void }
}

const isElsewhere = ({ metadata }: SignatureCase, { index, count }: ShardGroup) =>
  groupOf(metadata, count) !== index

/**
 * Returns the store with a `get` for reconciling. A case without the right label gets it first. If
 * that is refused, this group keeps the case.
 *
 * @returns `get` throws ElsewhereError when another group has the case, and ConflictError when
 *   another writer was first
 */
export function ownCases(cases: CaseStore, { group, log }: OwnCasesOptions): CaseStore {
  if (group.count === 1) return cases
  const label = async (found: SignatureCase): Promise<SignatureCase> => {
    const labels = shardLabels(found.metadata)
    try {
      return await cases.replaceSpec({ ...found, metadata: { ...found.metadata, labels } })
    } catch (error) {
      if (error instanceof ConflictError) throw error
      const { namespace: tenant, name: caseId } = found.metadata
      log.warn({ err: error, tenant, caseId }, 'the shard of a case could not be written')
      return found
    }
  }
  const get = async (key: CaseKey): Promise<SignatureCase | undefined> => {
    const found = await cases.get(key)
    if (!found) return undefined
    if (isElsewhere(found, group)) throw new ElsewhereError()
    if (hasShardLabel(found.metadata)) return found
    const labelled = await label(found)
    if (isElsewhere(labelled, group)) throw new ElsewhereError()
    return labelled
  }
  return overrideStore(cases, { get })
}
