/**
 * `sigcase index rebuild`: writes the rows of all cases of a cluster into the index anew, with the
 * environment of the controller.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { connectPostgres } from '../adapters/postgres/connect.ts'
import { OwnedCaseIndex } from '../adapters/postgres/owned-index.ts'
import { listArchivedCases } from '../application/archive/list-archived-cases.ts'
import { rebuildIndex } from '../application/cases/rebuild-index.ts'
import { readControllerConfig } from '../runtime/config/processes.ts'
import { openStores } from './archive/open-stores.ts'
import { OUTPUT_OPTION, wantsJson } from './sigcase/output.ts'
import { trackCases } from './sigcase/progress.ts'
import { runTool } from './usage.ts'

const USAGE = `usage: sigcase index rebuild [--output table|json]
Writes the rows of all cases into the index of INDEX_URL. Run it in a pod of the controller, for
example after a restore of etcd. Until it ends, listings by the index lack cases.`
/** The command waits for large tables. */
const STATEMENT_LIMIT_MS = 60 * 60_000

const warn = (error: unknown) => console.error(error instanceof Error ? error.message : error)

async function main(): Promise<number> {
  const { values } = parseArgs({ options: OUTPUT_OPTION })
  const isJson = wantsJson(values)
  const config = readControllerConfig(process.env)
  if (!config.index) throw new Error('INDEX_URL is not set: the service has no index of cases')
  const { index: options } = config
  const open = () => connectPostgres({ ...options, statementLimitMs: STATEMENT_LIMIT_MS }, warn)
  const pool = open()
  const { cases, close, ...stores } = await openStores('controller')
  const progress = trackCases(isJson)
  try {
    const index = new OwnedCaseIndex({
      pool,
      openSlowPool: open,
      nowMs: () => Date.now(),
      onNoTrigrams: warn,
    })
    const archived = listArchivedCases(stores)
    const count = await rebuildIndex({ cases, index, archived }, ({ done, total }) =>
      progress.show(done, total),
    )
    progress.end()
    console.log(isJson ? JSON.stringify({ cases: count }) : `The index has ${count} cases.`)
    return 0
  } finally {
    progress.end()
    await close()
    await pool.end()
  }
}

await runTool(main, USAGE)
