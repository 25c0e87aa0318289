/** `npm run --silent make-keyring`: makes the keys that a service on a cluster needs. */
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
Makes FOLDER with one file for each set of keys; files that exist stay as they are. With --secrets,
prints one Kubernetes Secret for each set instead, for \`kubectl create -f -\`.`
const STANDARD_PREFIX = 'sigcase-keyring'
/** The member that the chart mounts (`keyring.key`). */
const MEMBER = 'keys.json'
/** RFC 1123, with room for the name of a set. */
const PREFIX = /^[a-z0-9]([-a-z0-9.]{0,198}[a-z0-9])?$/

/** Prints new keys alone: `kubectl create` refuses to replace a Secret that exists. */
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
    if (!PREFIX.test(prefix)) throw new UsageError('--prefix is not a name in Kubernetes')
    printSecrets(prefix)
    return 0
  }
  if (values.prefix !== undefined) throw new UsageError('--prefix requires --secrets')
  if (name === undefined || rest.length > 0) throw new UsageError('one folder is needed')
  makeFolder(name)
  return 0
}

await runTool(main, USAGE)
