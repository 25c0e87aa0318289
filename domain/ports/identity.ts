/** Authentication: tenants by identity token, participants by signing link. */
import type { CaseKey } from './stores.ts'

/** A valid token without a tenant is answered with 403, every other invalid token with 401. */
export type TenantAuthentication =
  { outcome: 'tenant'; tenant: string } | { outcome: 'no-tenant' } | { outcome: 'invalid' }

export interface TenantIdentity {
  /** @param bearerToken value after `Bearer` in the header, in any form */
  authenticate(bearerToken: string): Promise<TenantAuthentication>
}

/**
 * The token of a signing link identifies one participant of one case and does not expire by itself.
 */
export interface SigningLinks {
  /** @returns the token for the link; tokens minted earlier stay valid */
  mint(link: CaseKey & { participantId: string }): Promise<string>
  /** @returns undefined when the token was not made by this service or was altered */
  read(token: string): Promise<(CaseKey & { participantId: string }) | undefined>
}

/** Sessions of participants who entered a one-time code (specification 2.9, 5.3). */
export interface CodeSessions {
  /** @param expiresAt exact end of the session, in milliseconds */
  mint(participant: CaseKey & { participantId: string }, expiresAt: Date): Promise<string>
  /** Whether the session was made by this service for this participant and is valid at `now`. */
  opens(
    session: string,
    participant: CaseKey & { participantId: string },
    now: Date,
  ): Promise<boolean>
}

/** Authentication of notifications about finished uploads. */
export interface UploadNotifiers {
  /** @param bearerToken value after `Bearer` in the header, in any form */
  isNotifier(bearerToken: string): Promise<boolean>
}
