/**
 * `sigcase restore`: creates the resources of archived cases again, so that kubectl shows them and
 * an operator can work with them.
 */
import { parseArgs } from 'node:util'
import type { RestoreOutcome } from '../application/archive/restore-case.ts'
import { isUuid } from '../domain/ids.ts'
import { restoreByOperator } from './archive/restore-by-operator.ts'
import { openStores } from './archive/open-stores.ts'
import { OUTPUT_OPTION, wantsJson } from './sigcase/output.ts'
import { runTool, UsageError } from './usage.ts'

const USAGE = `usage: npm run --silent sigcase -- restore --tenant <name> <case id> …
Creates the resources of archived cases again. ARCHIVE_AFTER_HOURS begins again.
--process        embedded (default): the service in DATA_DIR, which must be stopped;
                 controller: the service on a cluster, in the pod of its controller
--output, -o     table (default) or json`

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      tenant: { type: 'string' },
      process: { type: 'string', default: 'embedded' },
      ...OUTPUT_OPTION,
    },
    allowPositionals: true,
  })
  const { tenant } = values
  const isJson = wantsJson(values)
  if (tenant === undefined) throw new UsageError('a tenant is needed')
  if (positionals.length === 0) throw new UsageError('a case id is needed')
  const wrong = positionals.find((one) => !isUuid(one))
  if (wrong !== undefined) throw new UsageError(`${wrong} is not the id of a case`)
  const stores = await openStores(values.process)
  const outcomes: { caseId: string; outcome: RestoreOutcome }[] = []
  try {
    for (const caseId of positionals) {
      const outcome = await restoreByOperator({ tenant, caseId }, stores)
      outcomes.push({ caseId, outcome })
      if (isJson) continue
      if (outcome === 'absent') console.error(`${tenant} has no case ${caseId}`)
      else console.log(`${caseId} ${outcome === 'restored' ? 'is restored' : 'is not archived'}`)
    }
    if (isJson) console.log(JSON.stringify(outcomes, null, 2))
  } finally {
    await stores.close()
  }
  return outcomes.some(({ outcome }) => outcome === 'absent') ? 1 : 0
}

await runTool(main, USAGE)
