/**
 * `npm run --silent kms-certificates -- --organisation Acme [--root-key root.key] <folder>`: issues
 * certificates for the keys of the service in Cloud KMS into a folder. It can run again: it keeps
 * certificates that match, and issues new ones for changed keys.
 */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { AuthorityKey, CertifiedKeyName } from '../adapters/shared/authorities.ts'
import { googleAuth } from '../adapters/shared/google-auth.ts'
import { bootstrap, kmsKey } from '../adapters/kms/bootstrap.ts'
import { KmsClient } from '../adapters/kms/client.ts'
import { describeError } from '../domain/describe-error.ts'
import { ServiceError } from '../domain/errors.ts'
import { readGoogleCredentials } from '../runtime/config/google-cloud.ts'
import { readKmsEndpoint } from '../runtime/config/kms.ts'
import { ConfigError, EnvironmentReader } from '../runtime/config/reader.ts'
import type { VariableName } from '../runtime/config/variables/schema.ts'
import { importKey } from '../pades/index.ts'
import { calledFrom, runTool, UsageError } from './usage.ts'

const SCRIPT = 'kms-certificates'
const USAGE = `usage: npm run --silent ${SCRIPT} -- --organisation name [--root-key file] folder`
const PRIVATE_MODE = 0o600
const VARIABLES = [
  ['root', 'KMS_ROOT_KEY'],
  ['issuing-ca', 'KMS_ISSUING_CA_KEY'],
  ['seal', 'KMS_SEAL_KEY'],
  ['time-stamp-authority', 'KMS_TSA_KEY'],
] as const satisfies readonly (readonly [CertifiedKeyName, VariableName])[]

function readEnvironment() {
  const reader = new EnvironmentReader(process.env)
  const versions = VARIABLES.flatMap(([name, variable]) => {
    const version = reader.get(variable)
    return version === undefined ? [] : [[name, version] as const]
  })
  const baseUrl = reader.getRequired('BASE_URL')
  const endpoint = readKmsEndpoint(reader)
  const credentials = readGoogleCredentials(reader)
  if (reader.faults.length > 0) throw new ConfigError(reader.faults)
  return { versions, baseUrl, endpoint, credentials }
}

/**
 * Loads the keys in Cloud KMS.
 *
 * @throws Error with the cause when Cloud KMS is not reachable
 */
async function loadKeys(
  client: KmsClient,
  { versions, endpoint }: ReturnType<typeof readEnvironment>,
): Promise<Map<CertifiedKeyName, AuthorityKey>> {
  const keys = new Map<CertifiedKeyName, AuthorityKey>()
  try {
    for (const [name, version] of versions) keys.set(name, await kmsKey(client, version))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const reason = describeError(error.cause).message
    throw new Error(`Cloud KMS at ${endpoint.origin} is not reachable: ${reason}`, { cause: error })
  }
  return keys
}

/** Loads the key of the root from a file that is kept offline; creates it if it is missing. */
function rootInFile(path: string): AuthorityKey {
  if (!existsSync(path)) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const text = privateKey.export({ type: 'pkcs8', format: 'pem' })
    writeFileSync(path, text, { mode: PRIVATE_MODE, flag: 'wx', flush: true })
  }
  const key = createPrivateKey(readFileSync(path))
  return importKey(new Uint8Array(key.export({ type: 'pkcs8', format: 'der' })))
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { organisation: { type: 'string' }, 'root-key': { type: 'string' } },
  })
  const { organisation, 'root-key': rootFile } = values
  const [folder, ...rest] = positionals
  if (!organisation || folder === undefined || rest.length > 0) {
    throw new UsageError('give --organisation and one folder')
  }
  const environment = readEnvironment()
  const { baseUrl, endpoint, credentials } = environment
  const client = new KmsClient({ endpoint, auth: googleAuth(credentials) })
  const keys = await loadKeys(client, environment)
  const from = (path: string) => resolve(calledFrom(SCRIPT), path)
  const root = rootFile === undefined ? keys.get('root') : rootInFile(from(rootFile))
  if (!root) throw new UsageError('set --root-key or KMS_ROOT_KEY: the key of the root')
  const names = { organisation, prefix: organisation }
  const request = { folder: from(folder), root, keys, now: new Date(), baseUrl, names }
  const issued = await bootstrap(request)
  await client.close()
  console.log(issued.length === 0 ? 'nothing to issue' : `issued: ${issued.join(', ')}`)
  return 0
}

await runTool(main, USAGE)
