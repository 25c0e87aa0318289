/**
 * `npm run --silent rotate-keys -- seal|issuing-ca`: replaces keys of the service whose data are in
 * `DATA_DIR`, also while it runs: it uses the new ones from the next signature on.
 */
import { existsSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { replaceIssuingCa, replaceSeal } from '../adapters/embedded/key-files.ts'
import { baseUrlOf } from '../embedded/base-url.ts'
import { readConfig } from '../embedded/config.ts'
import { keysFolder } from '../embedded/paths.ts'
import { runTool, UsageError } from './usage.ts'

const USAGE = 'usage: npm run --silent rotate-keys -- seal|issuing-ca'
const REPLACE: Readonly<Record<string, typeof replaceSeal>> = {
  seal: replaceSeal,
  'issuing-ca': replaceIssuingCa,
}

async function main(): Promise<number> {
  const { positionals } = parseArgs({ allowPositionals: true, options: {} })
  const [name = '', ...rest] = positionals
  const replace = Object.hasOwn(REPLACE, name) ? REPLACE[name] : undefined
  if (!replace || rest.length > 0) throw new UsageError('the name of one key is needed')
  const config = readConfig(process.env)
  const folder = keysFolder(config.dataDirectory)
  if (!existsSync(folder)) throw new UsageError(`${config.dataDirectory} has no keys`)
  await replace(folder, { now: new Date(), baseUrl: baseUrlOf(config, config.port) })
  console.log(`${name} replaced in ${folder}`)
  return 0
}

await runTool(main, USAGE)
