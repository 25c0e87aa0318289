/**
 * `npm run --silent token -- --tenant acme`: prints a bearer token of the local issuer and nothing
 * else. The service in the same `DATA_DIR` accepts it, whether it runs already or not.
 */
import { existsSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { readConfig } from '../embedded/config.ts'
import { keyringFolder } from '../embedded/paths.ts'
import { tenantToken } from './tenant-token.ts'
import { runTool, UsageError } from './usage.ts'

const USAGE = `usage: npm run --silent token -- --tenant <name>
DATA_DIR has to be that of the service; the token is good for 30 days.`

/** On standard error: standard output has the token alone. */
const noServiceYet = (dataDirectory: string) =>
  `no service has worked in ${dataDirectory} yet: only one that is started with this DATA_DIR ` +
  'takes the token'

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
