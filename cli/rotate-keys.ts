/**
 * `npm run --silent rotate-keys -- NAME`: replaces keys of the service in `DATA_DIR`, or of a
 * keyring for a cluster. A running service uses a new `seal` or `issuing-ca` for the next
 * signature, and a new keyring after its next start.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { replaceIssuingCa, replaceSeal } from '../adapters/embedded/key-files.ts'
import {
  holdersOf,
  ROTATION_STEPS,
  rotateKeySet,
  type RotationStep,
} from '../adapters/embedded/key-sets.ts'
import { FACT_KEY } from '../domain/key-grants.ts'
import { KEY_PURPOSES } from '../domain/ports/keyring.ts'
import { baseUrlOf } from '../runtime/embedded/base-url.ts'
import { readConfig } from '../runtime/embedded/config.ts'
import { keyringFolder, keysFolder } from '../runtime/embedded/paths.ts'
import { calledFrom, runTool, UsageError } from './usage.ts'

const SETS = [...KEY_PURPOSES, FACT_KEY] as const
const USAGE = `usage: npm run --silent rotate-keys -- seal|issuing-ca
       npm run --silent rotate-keys -- [--keyring FOLDER] [--step ${ROTATION_STEPS.join('|')}] SET
SET is one of ${SETS.join(', ')}.
Without --step, adds a new key and uses it at once; docs/how-to/rotate-keys.md has the steps.`

const REPLACE: Readonly<Record<string, typeof replaceSeal>> = {
  seal: replaceSeal,
  'issuing-ca': replaceIssuingCa,
}

async function replaceAuthority(name: string, replace: typeof replaceSeal): Promise<number> {
  const config = readConfig(process.env)
  const folder = keysFolder(config.dataDirectory)
  if (!existsSync(folder)) throw new UsageError(`${config.dataDirectory} has no keys`)
  await replace(folder, { now: new Date(), baseUrl: baseUrlOf(config, config.port) })
  console.log(`${name} replaced in ${folder}`)
  return 0
}

function readSteps(step: string | undefined): readonly RotationStep[] {
  if (step === undefined) return ['add', 'use']
  const known = ROTATION_STEPS.find((one) => one === step)
  if (!known) throw new UsageError(`"${step}" is not a step`)
  return [known]
}

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { keyring: { type: 'string' }, step: { type: 'string' } },
  })
  const [name = '', ...rest] = positionals
  if (rest.length > 0) throw new UsageError('the name of one key is needed')
  const replace = Object.hasOwn(REPLACE, name) ? REPLACE[name] : undefined
  if (replace) return replaceAuthority(name, replace)
  const set = SETS.find((one) => one === name)
  if (!set) throw new UsageError('the name of one key is needed')
  const folder =
    values.keyring === undefined
      ? keyringFolder(readConfig(process.env).dataDirectory)
      : resolve(calledFrom('rotate-keys'), values.keyring)
  for (const step of readSteps(values.step)) rotateKeySet(folder, set, step)
  console.log(`${set} changed in ${folder}; restart: ${holdersOf(set).join(', ')}`)
  return 0
}

await runTool(main, USAGE)
