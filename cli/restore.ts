/**
 * `sigcase restore`: creates the resources of archived cases again, so that kubectl shows them and
 * an operator can work with them.
 */
import { parseArgs } from 'node:util'
import { isUuid } from '../domain/ids.ts'
import { restoreByOperator } from './archive/restore-by-operator.ts'
import { openStores } from './archive/open-stores.ts'
import { runTool, UsageError } from './usage.ts'

const USAGE = `usage: npm run --silent sigcase -- restore --tenant <name> <case id> …
Creates the resources of archived cases again. ARCHIVE_AFTER_HOURS begins anew.
--process        embedded (default): the service in DATA_DIR, which must be stopped;
                 controller: the service on a cluster, in the pod of its controller`

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      tenant: { type: 'string' },
      process: { type: 'string', default: 'embedded' },
    },
    allowPositionals: true,
  })
  const { tenant } = values
  if (tenant === undefined) throw new UsageError('a tenant is needed')
  if (positionals.length === 0) throw new UsageError('a case id is needed')
  const wrong = positionals.find((one) => !isUuid(one))
  if (wrong !== undefined) throw new UsageError(`${wrong} is not the id of a case`)
  const stores = await openStores(values.process)
  let failed = 0
  try {
    for (const caseId of positionals) {
      const outcome = await restoreByOperator({ tenant, caseId }, stores)
      if (outcome === 'absent') {
        console.error(`${tenant} has no case ${caseId}`)
        failed += 1
      } else console.log(`${caseId} ${outcome === 'restored' ? 'is restored' : 'is not archived'}`)
    }
  } finally {
    await stores.close()
  }
  return failed > 0 ? 1 : 0
}

await runTool(main, USAGE)
