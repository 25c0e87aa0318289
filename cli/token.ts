/**
 * `npm run --silent token -- --tenant acme`: prints only a bearer token of the local issuer.
 * The service with the same `DATA_DIR` accepts it; the service need not be running.
 */
import { existsSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { readConfig } from '../runtime/embedded/config.ts'
import { keyringFolder } from '../runtime/embedded/paths.ts'
import { tenantToken } from './tenant-token.ts'
import { runTool, UsageError } from './usage.ts'

const USAGE = `usage: npm run --silent token -- --tenant <name>
Set DATA_DIR to that of the service. The token is valid for 30 days.`

/** Goes to standard error, because standard output has only the token. */
const noServiceYet = (dataDirectory: string) =>
  `no service has used ${dataDirectory} yet: only a service with this DATA_DIR accepts the token`

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { tenant: { type: 'string' } } })
  if (values.tenant === undefined) throw new UsageError('a tenant is needed')
  const { dataDirectory } = readConfig(process.env)
  const isNew = !existsSync(keyringFolder(dataDirectory))
  console.log(await tenantToken(dataDirectory, values.tenant, new Date()))
  if (isNew) console.error(noServiceYet(dataDirectory))
  return 0
}

await runTool(main, USAGE)
