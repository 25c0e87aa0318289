/** Secrets of a tenant's request, which are stored apart from the case. */
import type { SignatureCase } from './signature-case.ts'
import type { CaseInput } from '../contract/case-input.ts'
import type { CaseSecrets } from '../ports/secret-store.ts'

/** Position of the version in a UUID. */
const VERSION_AT = 14

/**
 * Whether secrets of the case can be stored: with a callback, a PIN or an idempotency key, whose
 * cases have a UUIDv5. Applied cases choose their ids.
 */
export function mayHaveSecrets({ metadata, spec }: SignatureCase): boolean {
  const { callback, pinRequired = false } = spec.definition
  const isFromKey = metadata.name[VERSION_AT] === '5'
  return isFromKey || pinRequired || callback !== undefined
}

/** Returns the PIN of the case; with one-time codes it is ignored (specification 4.1). */
export function pinOf({
  pin,
  multiFactorType,
}: Pick<CaseInput, 'pin' | 'multiFactorType'>): string | undefined {
  return multiFactorType === undefined ? pin : undefined
}

/**
 * @param pinHash hash of the PIN, if the case has one
 * @returns undefined when the request contains no secrets
 */
export function secretsOf({ callback }: CaseInput, pinHash?: string) {
  if (!callback && pinHash === undefined) return undefined
  const { clientId, clientSecret, apiKeyValue, signingSecret } = callback ?? {}
  const given = { clientId, clientSecret, apiKeyValue, signingSecret, pinHash }
  const known = Object.entries(given).filter(([, value]) => value !== undefined)
  return known.length > 0 ? (Object.fromEntries(known) as CaseSecrets) : undefined
}
