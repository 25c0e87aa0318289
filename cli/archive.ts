/**
 * `sigcase archive`: moves ended cases from the store of cases to the object store at once,
 * without waiting for `ARCHIVE_AFTER_HOURS`, or all cases that are due. Or renews the records of
 * archived cases, before their keys are retired.
 */
import { parseArgs } from 'node:util'
import { archiveCase, type ArchiveOutcome } from '../application/archive/archive-case.ts'
import { renewArchives } from '../application/archive/renew-archives.ts'
import { isArchiveDue } from '../domain/cases/archive.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import { isUuid } from '../domain/ids.ts'
import type { CaseKey } from '../domain/ports/stores.ts'
import { openStores, type OpenedStores } from './archive/open-stores.ts'
import { OUTPUT_OPTION, wantsJson } from './sigcase/output.ts'
import { trackCases } from './sigcase/progress.ts'
import { runTool, UsageError } from './usage.ts'

const USAGE = `usage: npm run --silent sigcase -- archive --tenant <name> <case id> …
       npm run --silent sigcase -- archive --all-due [--after <hours>] [--tenant <name>]
       npm run --silent sigcase -- archive --renew
Moves ended cases without pending work to the object store, where the API reads them.
--all-due        all cases that are due, except those that were applied with kubectl
--renew          moves nothing: writes the records of all archived cases with the keys in use
--after          hours since the end of a case; ARCHIVE_AFTER_HOURS by default
--process        embedded (default): the service in DATA_DIR, which must be stopped;
                 controller: the service on a cluster, in the pod of its controller
--output, -o     table (default) or json`

const LIST_PAGE = 500
/** More cases than etcd holds. */
const MAXIMUM_PAGES = 100_000

const REASONS: Readonly<Record<Exclude<ArchiveOutcome, 'archived'>, string>> = {
  kept: 'has not ended, has pending work or a fault, or is to be erased',
  absent: 'does not exist, or is archived already',
  conflict: 'was changed at the same time; try again',
}

type NamedOutcome = { caseId: string; outcome: ArchiveOutcome }

function report({ caseId, outcome }: NamedOutcome): void {
  if (outcome === 'archived') console.log(`${caseId} is archived`)
  else console.error(`${caseId} ${REASONS[outcome]}`)
}

/** @returns the exit code: 1 when a case was not archived */
async function archiveNamed(
  keys: readonly CaseKey[],
  isJson: boolean,
  stores: OpenedStores,
): Promise<number> {
  const outcomes: NamedOutcome[] = []
  for (const key of keys) {
    const outcome = await archiveCase(key, () => true, stores)
    outcomes.push({ caseId: key.caseId, outcome })
    if (!isJson) report({ caseId: key.caseId, outcome })
  }
  if (isJson) console.log(JSON.stringify(outcomes, null, 2))
  return outcomes.every(({ outcome }) => outcome === 'archived') ? 0 : 1
}

/** Reads all pages before the first case is archived, so that the total is known. */
async function listKeys(
  isDue: (one: SignatureCase) => boolean,
  tenant: string | undefined,
  { cases }: OpenedStores,
): Promise<CaseKey[]> {
  const keys: CaseKey[] = []
  let next: string | undefined
  for (let page = 0; page < MAXIMUM_PAGES; page++) {
    const { items, continue: more } = await cases.list({
      limit: LIST_PAGE,
      ...(tenant !== undefined && { tenant }),
      ...(next !== undefined && { continue: next }),
    })
    for (const { metadata } of items.filter(isDue)) {
      keys.push({ tenant: metadata.namespace, caseId: metadata.name })
    }
    next = more
    if (next === undefined) break
  }
  return keys
}

async function archiveDue(
  { afterHours, tenant, isJson }: { afterHours: number; tenant?: string; isJson: boolean },
  stores: OpenedStores,
): Promise<void> {
  const isDue = (one: SignatureCase) => isArchiveDue(one, afterHours, Date.now())
  const keys = await listKeys(isDue, tenant, stores)
  const progress = trackCases(isJson)
  let archived = 0
  try {
    for (const [index, key] of keys.entries()) {
      if ((await archiveCase(key, isDue, stores)) === 'archived') archived += 1
      progress.show(index + 1, keys.length)
    }
  } finally {
    progress.end()
  }
  if (isJson) console.log(JSON.stringify({ archived }))
  else console.log(`${archived} ${archived === 1 ? 'case is' : 'cases are'} archived`)
}

/** @returns the exit code: 1 when a record was refused */
async function renewAll(isJson: boolean, stores: OpenedStores): Promise<number> {
  const progress = trackCases(isJson)
  const { renewed, refused } = await renewArchives(stores, (done) => progress.show(done)).finally(
    () => progress.end(),
  )
  if (isJson) console.log(JSON.stringify({ renewed, refused }))
  else {
    console.log(`${renewed} ${renewed === 1 ? 'record is' : 'records are'} renewed`)
    for (const { tenant, caseId } of refused) {
      console.error(`the record of ${caseId} of ${tenant} is not of the keys of this service`)
    }
  }
  return refused.length === 0 ? 0 : 1
}

/** @throws UsageError when the time is neither given nor configured */
function hoursOf(after: string | undefined, { archiveAfterHours }: OpenedStores): number {
  if (after !== undefined && !/^\d{1,6}$/.test(after)) throw new UsageError('--after is a number')
  const hours = after === undefined ? archiveAfterHours : Number(after)
  if (hours === undefined) throw new UsageError('set --after or ARCHIVE_AFTER_HOURS')
  return hours
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      tenant: { type: 'string' },
      'all-due': { type: 'boolean', default: false },
      renew: { type: 'boolean', default: false },
      after: { type: 'string' },
      process: { type: 'string', default: 'embedded' },
      ...OUTPUT_OPTION,
    },
    allowPositionals: true,
  })
  const { tenant, 'all-due': isForAll, after, renew } = values
  const isJson = wantsJson(values)
  const ways = [isForAll, renew, positionals.length > 0].filter(Boolean).length
  if (ways !== 1) throw new UsageError('case ids, or --all-due or --renew, are needed')
  if (positionals.length > 0 && tenant === undefined) throw new UsageError('a tenant is needed')
  const wrong = positionals.find((one) => !isUuid(one))
  if (wrong !== undefined) throw new UsageError(`${wrong} is not the id of a case`)
  const stores = await openStores(values.process)
  try {
    if (renew) return await renewAll(isJson, stores)
    if (isForAll) {
      const afterHours = hoursOf(after, stores)
      await archiveDue({ afterHours, isJson, ...(tenant !== undefined && { tenant }) }, stores)
      return 0
    }
    const keys = positionals.map((caseId) => ({ tenant: tenant as string, caseId }))
    return await archiveNamed(keys, isJson, stores)
  } finally {
    await stores.close()
  }
}

await runTool(main, USAGE)
