/** `npm run --silent make-keyring`: creates the keyring of a service on a cluster. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  holdersOf,
  KEY_SETS,
  makeKeySets,
  makeMissingKeySets,
} from '../adapters/embedded/key-sets.ts'
import { FOLDER_ONLY } from '../domain/key-grants.ts'
import { calledFrom, runTool, UsageError } from './usage.ts'

const USAGE = `usage: npm run --silent make-keyring -- FOLDER
       npm run --silent make-keyring -- --secrets [--prefix sigcase-keyring]
Creates FOLDER with one file for each set of keys, and keeps existing files. With --secrets,
prints one Kubernetes Secret for each set instead, for \`kubectl create -f -\`.`
const STANDARD_PREFIX = 'sigcase-keyring'
/** Key within each Secret, the chart value `keyring.key`. */
const MEMBER = 'keys.json'
/** RFC 1123, with room for the name of a set. */
const PREFIX = /^[a-z0-9]([-a-z0-9.]{0,198}[a-z0-9])?$/

/** Prints Secrets with new keys; `kubectl create` does not replace existing Secrets. */
function printSecrets(prefix: string): void {
  const items = [...makeKeySets()]
    .filter(([set]) => !FOLDER_ONLY.has(set))
    .map(([set, text]) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `${prefix}-${set}` },
      type: 'Opaque',
      stringData: { [MEMBER]: text },
    }))
  console.log(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2))
}

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
    if (!PREFIX.test(prefix)) throw new UsageError('--prefix is not a valid Kubernetes name')
    printSecrets(prefix)
    return 0
  }
  if (values.prefix !== undefined) throw new UsageError('--prefix requires --secrets')
  if (name === undefined || rest.length > 0) throw new UsageError('give one folder')
  makeFolder(name)
  return 0
}

await runTool(main, USAGE)
