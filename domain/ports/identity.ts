/** Who asks: tenants by identity token, participants by signing link. */
import type { CaseKey } from './stores.ts'

/** A token that is valid but names no tenant is answered with 403, every other bad one with 401. */
export type TenantAuthentication =
  { outcome: 'tenant'; tenant: string } | { outcome: 'no-tenant' } | { outcome: 'invalid' }

export interface TenantIdentity {
  authenticate(bearerToken: string): Promise<TenantAuthentication>
}

/** A signing link's token names one participant of one case and does not expire by itself. */
export interface SigningLinks {
  mint(link: CaseKey & { participantId: string }): Promise<string>
  /** @returns undefined when the token was not made by us or was altered */
  read(token: string): Promise<(CaseKey & { participantId: string }) | undefined>
}
