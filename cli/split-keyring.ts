/**
 * `npm run --silent split-keyring`: divides a keyring among the processes, so that each one gets
 * only the sets that it uses.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openKeyring } from '../adapters/embedded/keyring.ts'
import { keySetPath } from '../adapters/embedded/key-sets.ts'
import { setsOnCluster, splitKeyring } from '../adapters/embedded/split-keyring.ts'
import { KEY_GRANTS, type KeyHolder, type KeySet } from '../domain/key-grants.ts'
import { printSecrets, STANDARD_PREFIX } from './keyring-secrets.ts'
import { calledFrom, runTool, UsageError } from './usage.ts'

const USAGE = `usage: npm run --silent split-keyring -- KEYRING FOLDER
       npm run --silent split-keyring -- --secrets [--prefix sigcase-keyring] KEYRING
Divides the keyring in the folder KEYRING among the processes. Creates FOLDER/api,
FOLDER/controller and FOLDER/worker, each with only the sets of keys that this process uses, for
KEYRING_FOLDER. Replaces existing files, and removes the sets that a process must not have.
With --secrets, prints one Kubernetes Secret for each set instead, for \`kubectl apply -f -\`: the
chart mounts into each process only its own sets.`

const HOLDERS = Object.keys(KEY_GRANTS) as KeyHolder[]

/** @throws Error when a process would not start with its part of the keyring */
function checkKeyring(folder: string): void {
  for (const holder of HOLDERS) openKeyring(folder, holder, { keepsObjects: false })
}

function printParts(keyring: string, prefix: string): void {
  const sets = new Set<KeySet>(HOLDERS.flatMap(setsOnCluster))
  printSecrets(
    [...sets].map((set) => [set, readFileSync(keySetPath(keyring, set), 'utf8')]),
    prefix,
  )
}

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { secrets: { type: 'boolean', default: false }, prefix: { type: 'string' } },
  })
  const { secrets, prefix = STANDARD_PREFIX } = values
  const [from, to, ...rest] = positionals
  if (from === undefined) throw new UsageError('give the folder of the keyring')
  if (rest.length > 0 || (to === undefined) !== secrets) {
    throw new UsageError('give a second folder, or --secrets')
  }
  if (values.prefix !== undefined && !secrets) throw new UsageError('--prefix requires --secrets')
  const origin = calledFrom('split-keyring')
  const keyring = resolve(origin, from)
  checkKeyring(keyring)
  if (to === undefined) printParts(keyring, prefix)
  else {
    const parts = splitKeyring(keyring, resolve(origin, to))
    for (const [holder, sets] of parts) console.log(`${holder}: ${sets.join(', ')}`)
  }
  return 0
}

await runTool(main, USAGE)
