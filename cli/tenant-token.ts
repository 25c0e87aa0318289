/** Creates tokens of the local issuer with the keyring of the service on this machine. */
import { mkdirSync } from 'node:fs'
import { openWholeKeyring } from '../adapters/embedded/keyring.ts'
import { isTenantName, mintTenantToken } from '../adapters/jose/local-identity.ts'
import { keyringFolder } from '../runtime/embedded/paths.ts'
import { UsageError } from './usage.ts'

const PRIVATE_FOLDER_MODE = 0o700

/**
 * Creates a bearer token for the tenant. Reads the keyring of the service, which may be running,
 * and creates it if the service has never started.
 *
 * @throws UsageError when the name is not a valid tenant name
 */
export async function tenantToken(
  dataDirectory: string,
  tenant: string,
  now: Date,
): Promise<string> {
  if (!isTenantName(tenant)) {
    throw new UsageError(
      `"${tenant}" is not a tenant's name: letters a to z, digits and hyphens, at most 63`,
    )
  }
  mkdirSync(dataDirectory, { recursive: true, mode: PRIVATE_FOLDER_MODE })
  return mintTenantToken(openWholeKeyring(keyringFolder(dataDirectory)), tenant, now)
}
