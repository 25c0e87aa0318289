/** What of a tenant's request is kept apart from the case, where only the service reads it. */
import type { CaseInput } from '../contract/case-input.ts'
import type { CaseSecrets } from '../ports/secret-store.ts'

/** The PIN that the case gets: beside one-time codes it is ignored (specification 4.1). */
export function pinOf({
  pin,
  multiFactorType,
}: Pick<CaseInput, 'pin' | 'multiFactorType'>): string | undefined {
  return multiFactorType === undefined ? pin : undefined
}

/**
 * @param pinHash made of the PIN when the case has one
 * @returns undefined when the tenant entrusted nothing
 */
export function secretsOf({ callback }: CaseInput, pinHash?: string) {
  if (!callback && pinHash === undefined) return undefined
  const { clientId, clientSecret, apiKeyValue, signingSecret } = callback ?? {}
  const given = { clientId, clientSecret, apiKeyValue, signingSecret, pinHash }
  const known = Object.entries(given).filter(([, value]) => value !== undefined)
  return known.length > 0 ? (Object.fromEntries(known) as CaseSecrets) : undefined
}
