/** Removes attempts of webhooks from the log when their time is over (specification 6.2). */
import type { Attempt } from '../domain/cases/deliveries.ts'
import { deliveriesFolder } from '../domain/cases/keys.ts'
import type { SignatureCase } from '../domain/cases/schema.ts'
import { decodeJson } from '../domain/json-object.ts'
import { ATTEMPT_RETENTION_MS } from '../domain/limits.ts'
import type { ObjectStore } from '../domain/ports/object-store.ts'

const LIST_PAGE = 1000
/** More than the attempts of one case fill. */
const MAXIMUM_PAGES = 100

async function sweepCase(
  { metadata }: SignatureCase,
  objects: ObjectStore,
  keepFromMs: number,
): Promise<void> {
  const { namespace: tenant, name: caseId } = metadata
  const folder = deliveriesFolder({ tenant, caseId })
  let after: string | undefined
  for (let page = 0; page < MAXIMUM_PAGES; page++) {
    const from = after === undefined ? {} : { after }
    const stats = await objects.list(folder, { limit: LIST_PAGE, ...from })
    for (const { key } of stats) {
      const object = await objects.get(key)
      const claimedAt = object && decodeJson<Attempt>(object).claimedAt
      if (claimedAt !== undefined && Date.parse(claimedAt) < keepFromMs) await objects.delete(key)
    }
    after = stats.at(-1)?.key
    if (stats.length < LIST_PAGE) return
  }
}

/** Receipts stay: what ended is not owed again. A case that is younger has nothing so old. */
export async function sweepOldAttempts(
  cases: readonly SignatureCase[],
  { objects, now }: { objects: ObjectStore; now: Date },
): Promise<void> {
  const keepFromMs = now.getTime() - ATTEMPT_RETENTION_MS
  for (const signatureCase of cases) {
    const { definition, creation } = signatureCase.spec
    if (!definition.callback || !(Date.parse(creation.at) < keepFromMs)) continue
    await sweepCase(signatureCase, objects, keepFromMs)
  }
}
