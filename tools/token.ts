/**
 * `npm run --silent token -- --tenant acme`: prints a bearer token of the local issuer and nothing
 * else. The service in the same `DATA_DIR` accepts it, whether it runs already or not.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { readConfig } from '../embedded/config.ts'
import { tenantToken } from './tenant-token.ts'
import { runTool, UsageError } from './usage.ts'

const USAGE = 'usage: npm run --silent token -- --tenant <name>'

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { tenant: { type: 'string' } } })
  if (values.tenant === undefined) throw new UsageError('a tenant is needed')
  const { dataDirectory } = readConfig(process.env)
  console.log(await tenantToken(dataDirectory, values.tenant, new Date()))
  return 0
}

await runTool(main, USAGE)
