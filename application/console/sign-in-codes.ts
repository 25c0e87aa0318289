/** One-time codes that open the console of a service on one machine (decision 216). */
import type { ConsoleIssuer } from '../../domain/ports/console-sign-in.ts'
import type { UseCaseDeps } from '../deps.ts'

/** A browser exchanges the code as soon as the page opens. */
const CODE_LIFE_MS = 2 * 60 * 1000
/** A working day. */
const TOKEN_LIFE_SECONDS = 12 * 60 * 60

type CodeDeps = Pick<UseCaseDeps, 'ephemeral'>

const keyOf = (code: string) => `console/codes/${code}`

/**
 * Creates a code that opens the console of the tenant once, within two minutes.
 *
 * @param code 256 random bits
 */
export async function createSignInCode(
  tenant: string,
  code: string,
  { ephemeral }: CodeDeps,
): Promise<void> {
  await ephemeral.set(keyOf(code), tenant, { ttlMs: CODE_LIFE_MS })
}

/**
 * Exchanges a code for a bearer token of its tenant.
 *
 * @returns undefined when the code was used, has expired, or was never created
 * @throws ServiceError TIMEOUT when the codes cannot be read
 */
export async function exchangeSignInCode(
  code: string,
  issuer: ConsoleIssuer,
  { ephemeral }: CodeDeps,
): Promise<{ tenant: string; token: string } | undefined> {
  const tenant = await ephemeral.get(keyOf(code))
  if (tenant === undefined) return undefined
  // Only the first of two requests with one code may write the marker.
  const options = { ttlMs: CODE_LIFE_MS, onlyIfAbsent: true }
  if (!(await ephemeral.set(`${keyOf(code)}/used`, '1', options))) return undefined
  await ephemeral.delete(keyOf(code))
  return { tenant, token: await issuer.mint(tenant, TOKEN_LIFE_SECONDS) }
}
