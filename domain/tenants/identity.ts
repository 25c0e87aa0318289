/** Whose tokens speak for a tenant: nobody else's. Pure. */
import { isOlder } from './place.ts'
import type { Tenant } from './schema.ts'

export interface IdentityFault {
  /** One word. */
  reason: 'IdentityTaken'
  message: string
}

/**
 * Why the tokens that a tenant names cannot be its own, or undefined. A token of two tenants is
 * nobody's: of several who want the same ones the first has them, and goes on.
 *
 * @param all tenants
 */
export function identityFault(tenant: Tenant, all: readonly Tenant[]): IdentityFault | undefined {
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
  const message = `the same tokens speak for tenant ${first.metadata.name}`
  return { reason: 'IdentityTaken', message }
}
