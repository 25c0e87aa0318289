/** Tokens of the local issuer, made from the keyring that the service on this machine uses. */
import { mkdirSync } from 'node:fs'
import { openWholeKeyring } from '../adapters/embedded/keyring.ts'
import { isTenantName, mintTenantToken } from '../adapters/jose/local-identity.ts'
import { keyringFolder } from '../embedded/paths.ts'
import { UsageError } from './usage.ts'

const PRIVATE_FOLDER_MODE = 0o700

/**
 * A bearer token for the tenant. Reads the keyring while the service runs, and makes it when the
 * service has never been started.
 *
 * @throws UsageError for what is no tenant's name
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
