/** `npm run --silent make-keyring -- FOLDER`: makes the keys that a service on a cluster needs. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { holdersOf, KEY_SETS, makeMissingKeySets } from '../adapters/embedded/key-sets.ts'
import { calledFrom, runTool, UsageError } from './usage.ts'

const USAGE = `usage: npm run --silent make-keyring -- FOLDER
Makes FOLDER with one file for each set of keys; files that exist stay as they are.`

async function main(): Promise<number> {
  const { positionals } = parseArgs({ allowPositionals: true, options: {} })
  const [name, ...rest] = positionals
  if (name === undefined || rest.length > 0) throw new UsageError('one folder is needed')
  const folder = resolve(calledFrom('make-keyring'), name)
  makeMissingKeySets(folder)
  for (const set of KEY_SETS) console.log(`${set}.json: ${holdersOf(set).join(', ')}`)
  return 0
}

await runTool(main, USAGE)
