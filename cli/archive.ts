/**
 * `sigcase archive`: moves ended cases from the store of cases to the object store at once,
 * without waiting for `ARCHIVE_AFTER_HOURS`, or all cases that are due.
 */
import { parseArgs } from 'node:util'
import { archiveCase, type ArchiveOutcome } from '../application/archive/archive-case.ts'
import { isArchiveDue } from '../domain/cases/archive.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import { isUuid } from '../domain/ids.ts'
import type { CaseKey } from '../domain/ports/stores.ts'
import { openStores, type OpenedStores } from './archive/open-stores.ts'
import { runTool, UsageError } from './usage.ts'

const USAGE = `usage: npm run --silent sigcase -- archive --tenant <name> <case id> …
       npm run --silent sigcase -- archive --all-due [--after <hours>] [--tenant <name>]
Moves ended cases without pending work to the object store, where the API reads them.
--all-due        all cases that are due, except those that were applied with kubectl
--after          hours since the end of a case; ARCHIVE_AFTER_HOURS by default
--process        embedded (default): the service in DATA_DIR, which must be stopped;
                 controller: the service on a cluster, in the pod of its controller`

const LIST_PAGE = 500
/** More cases than etcd holds. */
const MAXIMUM_PAGES = 100_000

const REASONS: Readonly<Record<Exclude<ArchiveOutcome, 'archived'>, string>> = {
  kept: 'has not ended, has pending work or a fault, or is to be erased',
  absent: 'does not exist, or is archived already',
  conflict: 'was changed at the same time; try again',
}

/** @returns how many cases were not archived */
async function archiveNamed(keys: readonly CaseKey[], stores: OpenedStores): Promise<number> {
  let failed = 0
  for (const key of keys) {
    const outcome = await archiveCase(key, () => true, stores)
    if (outcome === 'archived') console.log(`${key.caseId} is archived`)
    else console.error(`${key.caseId} ${REASONS[outcome]}`)
    if (outcome !== 'archived') failed += 1
  }
  return failed
}

async function archiveDue(
  afterHours: number,
  tenant: string | undefined,
  stores: OpenedStores,
): Promise<void> {
  const isDue = (one: SignatureCase) => isArchiveDue(one, afterHours, Date.now())
  let archived = 0
  let next: string | undefined
  for (let page = 0; page < MAXIMUM_PAGES; page++) {
    const { items, continue: more } = await stores.cases.list({
      limit: LIST_PAGE,
      ...(tenant !== undefined && { tenant }),
      ...(next !== undefined && { continue: next }),
    })
    for (const { metadata } of items.filter(isDue)) {
      const key = { tenant: metadata.namespace, caseId: metadata.name }
      if ((await archiveCase(key, isDue, stores)) === 'archived') archived += 1
    }
    next = more
    if (next === undefined) break
  }
  console.log(`${archived} ${archived === 1 ? 'case is' : 'cases are'} archived`)
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
      after: { type: 'string' },
      process: { type: 'string', default: 'embedded' },
    },
    allowPositionals: true,
  })
  const { tenant, 'all-due': isForAll, after } = values
  if (isForAll === positionals.length > 0) throw new UsageError('case ids or --all-due are needed')
  if (!isForAll && tenant === undefined) throw new UsageError('a tenant is needed')
  const wrong = positionals.find((one) => !isUuid(one))
  if (wrong !== undefined) throw new UsageError(`${wrong} is not the id of a case`)
  const stores = await openStores(values.process)
  try {
    if (isForAll) {
      await archiveDue(hoursOf(after, stores), tenant, stores)
      return 0
    }
    const keys = positionals.map((caseId) => ({ tenant: tenant as string, caseId }))
    return (await archiveNamed(keys, stores)) > 0 ? 1 : 0
  } finally {
    await stores.close()
  }
}

await runTool(main, USAGE)
