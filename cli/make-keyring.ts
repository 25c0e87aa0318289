/** `npm run --silent make-keyring`: creates the keyring of a service on a cluster. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  holdersOf,
  KEY_SETS,
  makeKeySets,
  makeMissingKeySets,
} from '../adapters/embedded/key-sets.ts'
import { printSecrets, STANDARD_PREFIX } from './keyring-secrets.ts'
import { calledFrom, runTool, UsageError } from './usage.ts'

const USAGE = `usage: npm run --silent make-keyring -- FOLDER
       npm run --silent make-keyring -- --secrets [--prefix sigcase-keyring]
Creates FOLDER with one file for each set of keys, and keeps existing files. With --secrets,
prints one Kubernetes Secret for each set instead, for \`kubectl create -f -\`.`
function makeFolder(name: string): void {
  makeMissingKeySets(resolve(calledFrom('make-keyring'), name))
  for (const set of KEY_SETS) console.log(`${set}.json: ${holdersOf(set).join(', ')}`)
}

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { secrets: { type: 'boolean', default: false }, prefix: { type: 'string' } },
  })
  const { secrets, prefix = STANDARD_PREFIX } = values
  const [name, ...rest] = positionals
  if (secrets) {
    if (name !== undefined) throw new UsageError('--secrets takes no folder')
    printSecrets(makeKeySets(), prefix)
    return 0
  }
  if (values.prefix !== undefined) throw new UsageError('--prefix requires --secrets')
  if (name === undefined || rest.length > 0) throw new UsageError('give one folder')
  makeFolder(name)
  return 0
}

await runTool(main, USAGE)
