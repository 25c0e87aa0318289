/**
 * `npm run --silent kms-certificates -- --organisation Acme [--root-key root.key] <folder>`: issues
 * certificates for the keys of the service in Cloud KMS or Vault into a folder. It can run again:
 * it keeps certificates that match, and issues new ones for changed keys.
 */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { AuthorityKey, CertifiedKeyName } from '../adapters/shared/authorities.ts'
import { googleAuth } from '../adapters/shared/google-auth.ts'
import { bootstrap } from '../adapters/shared/bootstrap.ts'
import { KmsClient } from '../adapters/kms/client.ts'
import { openAuthorityKey, type KeyClient } from '../adapters/shared/certified-device.ts'
import { VaultClient } from '../adapters/vault/client.ts'
import { describeError } from '../domain/describe-error.ts'
import { ServiceError } from '../domain/errors.ts'
import { readGoogleCredentials } from '../runtime/config/google-cloud.ts'
import { readKmsEndpoint } from '../runtime/config/kms.ts'
import { ConfigError, EnvironmentReader } from '../runtime/config/reader.ts'
import { readVaultAccess } from '../runtime/config/vault.ts'
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

/** A key management service, with the key versions to certify. */
interface Source {
  name: string
  client: KeyClient
  versions: readonly (readonly [CertifiedKeyName, string])[]
}

const isCertified = (name: string): name is CertifiedKeyName => name !== 'former-issuing-ca'

/** Opens Vault, if `VAULT_ADDR` names it, else Cloud KMS. */
function openSource(reader: EnvironmentReader): () => Source {
  const vault = readVaultAccess(reader)
  if (vault) {
    const versions = Object.entries(vault.keys).flatMap(([name, version]) =>
      isCertified(name) ? [[name, version] as const] : [],
    )
    return () => ({ name: `Vault at ${vault.endpoint}`, client: new VaultClient(vault), versions })
  }
  const versions = VARIABLES.flatMap(([name, variable]) => {
    const version = reader.get(variable)
    return version === undefined ? [] : [[name, version] as const]
  })
  const endpoint = readKmsEndpoint(reader)
  const credentials = readGoogleCredentials(reader)
  const open = () => new KmsClient({ endpoint, auth: googleAuth(credentials) })
  return () => ({ name: `Cloud KMS at ${endpoint.origin}`, client: open(), versions })
}

function readEnvironment() {
  const reader = new EnvironmentReader(process.env)
  const open = openSource(reader)
  const baseUrl = reader.getRequired('BASE_URL')
  if (reader.faults.length > 0) throw new ConfigError(reader.faults)
  return { ...open(), baseUrl }
}

/**
 * Loads the keys.
 *
 * @throws Error with the cause when the service is not reachable
 */
async function loadKeys({
  name: service,
  client,
  versions,
}: Source): Promise<Map<CertifiedKeyName, AuthorityKey>> {
  const keys = new Map<CertifiedKeyName, AuthorityKey>()
  try {
    for (const [name, version] of versions) {
      keys.set(name, await openAuthorityKey(client, version))
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const reason = describeError(error.cause).message
    throw new Error(`${service} is not reachable: ${reason}`, { cause: error })
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
  const { baseUrl, ...source } = readEnvironment()
  const keys = await loadKeys(source)
  const from = (path: string) => resolve(calledFrom(SCRIPT), path)
  const root = rootFile === undefined ? keys.get('root') : rootInFile(from(rootFile))
  if (!root) throw new UsageError('set --root-key or KMS_ROOT_KEY: the key of the root')
  const names = { organisation, prefix: organisation }
  const request = { folder: from(folder), root, keys, now: new Date(), baseUrl, names }
  const issued = await bootstrap(request)
  await source.client.close()
  console.log(issued.length === 0 ? 'nothing to issue' : `issued: ${issued.join(', ')}`)
  return 0
}

await runTool(main, USAGE)
