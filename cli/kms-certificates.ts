/**
 * `npm run --silent kms-certificates -- --organisation Acme [--root-key root.key] <folder>`: issues
 * certificates for the keys of the service in Cloud KMS or Vault into a folder. It can run again:
 * it keeps certificates that match, and issues new ones for changed keys and for certificates that
 * expire soon.
 */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { AuthorityKey, CertifiedKeyName } from '../adapters/shared/authorities.ts'
import { googleAuth } from '../adapters/shared/google-auth.ts'
import { bootstrap, RootKeyError } from '../adapters/shared/bootstrap.ts'
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
const USAGE =
  `usage: npm run --silent ${SCRIPT} -- --organisation name [--root-key file] ` +
  '[--renew-days days] folder'
/** The alert about a certificate that expires fires 30 days before. */
const RENEW_DAYS = 60
const DAY_MS = 24 * 60 * 60 * 1000
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

/**
 * Loads the key of the root from a file that is kept offline; creates it if it is missing and the
 * folder has no root yet.
 */
function rootInFile(path: string, folder: string): AuthorityKey {
  if (!existsSync(path)) {
    if (existsSync(join(folder, 'root.pem'))) {
      throw new UsageError(`${path} is missing, and a new key would not be that of root.pem`)
    }
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const text = privateKey.export({ type: 'pkcs8', format: 'pem' })
    writeFileSync(path, text, { mode: PRIVATE_MODE, flag: 'wx', flush: true })
  }
  const key = createPrivateKey(readFileSync(path))
  return importKey(new Uint8Array(key.export({ type: 'pkcs8', format: 'der' })))
}

function explainRootKey(error: unknown): never {
  if (!(error instanceof RootKeyError)) throw error
  throw new UsageError(`${error.message} (--root-key or KMS_ROOT_KEY)`)
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      organisation: { type: 'string' },
      'root-key': { type: 'string' },
      'renew-days': { type: 'string', default: String(RENEW_DAYS) },
    },
  })
  const { organisation, 'root-key': rootFile, 'renew-days': renewDays } = values
  const [folder, ...rest] = positionals
  if (!organisation || folder === undefined || rest.length > 0) {
    throw new UsageError('give --organisation and one folder')
  }
  if (!/^\d{1,4}$/.test(renewDays)) throw new UsageError('--renew-days is a number of days')
  const { baseUrl, ...source } = readEnvironment()
  const keys = await loadKeys(source)
  const from = (path: string) => resolve(calledFrom(SCRIPT), path)
  const target = from(folder)
  const root = rootFile === undefined ? keys.get('root') : rootInFile(from(rootFile), target)
  const now = new Date()
  const issued = await bootstrap({
    folder: target,
    ...(root && { root }),
    keys,
    now,
    baseUrl,
    names: { organisation, prefix: organisation },
    renewBefore: new Date(now.getTime() + Number(renewDays) * DAY_MS),
  }).catch(explainRootKey)
  await source.client.close()
  console.log(issued.length === 0 ? 'nothing to issue' : `issued: ${issued.join(', ')}`)
  return 0
}

await runTool(main, USAGE)
