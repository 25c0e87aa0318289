/** Reads which key versions of Vault sign, and how a worker authenticates itself there. */
import type { SigningKeyName } from '../../domain/ports/signing.ts'
import { readCertificateFile } from './certificate-file.ts'
import type { EnvironmentReader } from './reader.ts'

export type VaultIdentity = { tokenFile: string } | { role: string; mount: string; jwtFile: string }

export interface VaultConfig {
  /** Names of key versions, such as `sigcase-seal:1`. */
  keys: Partial<Record<SigningKeyName, string>>
  /** Absolute path of the folder with `<key>.pem` and `root.crl`. */
  certificatesFolder: string
  /** Origin of the server. */
  endpoint: string
  /** Path of the transit engine. */
  mount: string
  namespace?: string
  /** PEM certificates instead of the public authorities. */
  authorities?: string
  rsaPadding: 'pkcs1' | 'pss'
  identity: VaultIdentity
}

/** Variables that give access to the keys in Vault; only workers may have them. */
export const VAULT_SIGNING_VARIABLES = [
  'VAULT_ADDR',
  'VAULT_NAMESPACE',
  'VAULT_CA_FILE',
  'VAULT_TRANSIT_MOUNT',
  'VAULT_ROLE',
  'VAULT_AUTH_MOUNT',
  'VAULT_JWT_FILE',
  'VAULT_TOKEN_FILE',
  'VAULT_RSA_PADDING',
  'VAULT_ISSUING_CA_KEY',
  'VAULT_SEAL_KEY',
  'VAULT_TSA_KEY',
  'VAULT_FORMER_ISSUING_CA_KEY',
] as const

const KEYS = {
  'issuing-ca': 'VAULT_ISSUING_CA_KEY',
  seal: 'VAULT_SEAL_KEY',
  'time-stamp-authority': 'VAULT_TSA_KEY',
  'former-issuing-ca': 'VAULT_FORMER_ISSUING_CA_KEY',
} as const
const REQUIRED = ['issuing-ca', 'seal'] as const

function readKeys(reader: EnvironmentReader): VaultConfig['keys'] {
  const entries = Object.entries(KEYS).map(([name, variable]) => [name, reader.get(variable)])
  return Object.fromEntries(entries.filter(([, version]) => version !== undefined))
}

/** @returns undefined when there are no credentials */
function readIdentity(reader: EnvironmentReader): VaultIdentity | undefined {
  const tokenFile = reader.get('VAULT_TOKEN_FILE')
  const role = reader.get('VAULT_ROLE')
  const mount = reader.get('VAULT_AUTH_MOUNT')
  const jwtFile = reader.get('VAULT_JWT_FILE')
  if (tokenFile !== undefined) return { tokenFile }
  return role === undefined ? undefined : { role, mount, jwtFile }
}

/** Reads how to reach Vault, and its keys; undefined without `VAULT_ADDR`. */
export function readVaultAccess(
  reader: EnvironmentReader,
): Omit<VaultConfig, 'certificatesFolder'> | undefined {
  const endpoint = reader.get('VAULT_ADDR')
  const namespace = reader.get('VAULT_NAMESPACE')
  const authorities = readCertificateFile(reader, 'VAULT_CA_FILE')
  const mount = reader.get('VAULT_TRANSIT_MOUNT')
  const rsaPadding = reader.get('VAULT_RSA_PADDING')
  const identity = readIdentity(reader)
  const keys = readKeys(reader)
  if (endpoint === undefined) return undefined
  if (!identity) reader.faults.push('Set VAULT_ROLE or VAULT_TOKEN_FILE: VAULT_ADDR needs a token')
  return {
    keys,
    endpoint,
    mount,
    ...(namespace === undefined ? {} : { namespace }),
    ...(authorities === undefined ? {} : { authorities }),
    rsaPadding,
    identity: identity ?? { tokenFile: '' },
  }
}

/** Reads the variables about Vault; undefined without `VAULT_ADDR`. */
export function readVault(reader: EnvironmentReader): VaultConfig | undefined {
  const access = readVaultAccess(reader)
  if (!access) return undefined
  for (const name of REQUIRED.filter((each) => access.keys[each] === undefined)) {
    reader.faults.push(`${KEYS[name]} is required with VAULT_ADDR`)
  }
  return { ...access, certificatesFolder: reader.getRequired('KMS_CERTIFICATES') }
}
