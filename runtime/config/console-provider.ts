/** Reads the configuration of the provider with which tenants sign in to the console. */
import type { ConsoleProvider } from '../../domain/ports/console-sign-in.ts'
import type { EnvironmentReader } from './reader.ts'

/** The origin becomes a part of the page's policy, so it contains nothing of its grammar. */
const ORIGIN = /^https?:\/\/[a-z0-9.[\]:-]+$/

/** @returns undefined when no provider is configured */
export function readConsole(reader: EnvironmentReader): ConsoleProvider | undefined {
  const issuer = reader.get('CONSOLE_OIDC_ISSUER')
  const clientId = reader.get('CONSOLE_OIDC_CLIENT_ID')
  const scope = reader.get('CONSOLE_OIDC_SCOPE')
  const token = reader.get('CONSOLE_OIDC_TOKEN')
  const tokenOrigin = reader.get('CONSOLE_OIDC_TOKEN_ORIGIN')
  if (issuer === undefined) {
    for (const name of ['CONSOLE_OIDC_CLIENT_ID', 'CONSOLE_OIDC_TOKEN_ORIGIN']) {
      if (!reader.has(name) || reader.has('CONSOLE_OIDC_ISSUER')) continue
      reader.faults.push(`${name}: CONSOLE_OIDC_ISSUER is required with it`)
    }
    return undefined
  }
  if (clientId === undefined) {
    reader.faults.push('CONSOLE_OIDC_CLIENT_ID is required with CONSOLE_OIDC_ISSUER')
  }
  if (!ORIGIN.test(new URL(issuer).origin) || (tokenOrigin && !ORIGIN.test(tokenOrigin))) {
    reader.faults.push('CONSOLE_OIDC_ISSUER: its origin cannot be part of a page policy')
  }
  return {
    kind: 'provider',
    issuer,
    clientId: clientId ?? '',
    scope,
    token,
    ...(tokenOrigin === undefined ? {} : { tokenOrigin }),
  }
}
