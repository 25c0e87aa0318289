/** Checks that the tokens of a tenant belong to no other tenant. Pure. */
import { isOlder, type TenantClaim } from './namespace.ts'

export interface IdentityFault {
  /** One word. */
  reason: 'IdentityTaken'
  message: string
}

/**
 * Returns why the tenant cannot use its tokens, or undefined. A token that matched two tenants
 * would be refused, so the oldest of several tenants with the same rule keeps it.
 *
 * @param all claims of all tenants
 */
export function identityFault(
  tenant: TenantClaim,
  all: readonly TenantClaim[],
): IdentityFault | undefined {
  const { issuer, audience, claim, value } = tenant.spec.identity
  const first = all.find((other) => {
    const { identity } = other.spec
    const isSame =
      identity.issuer === issuer &&
      identity.audience === audience &&
      identity.claim === claim &&
      identity.value === value
    return isSame && isOlder(other, tenant)
  })
  if (!first) return undefined
  const message = `the same tokens belong to tenant ${first.metadata.name}`
  return { reason: 'IdentityTaken', message }
}
