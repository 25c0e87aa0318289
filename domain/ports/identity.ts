/** Who asks: tenants by identity token, participants by signing link. */
import type { CaseKey } from './stores.ts'

/** A token that is valid but names no tenant is answered with 403, every other bad one with 401. */
export type TenantAuthentication =
  { outcome: 'tenant'; tenant: string } | { outcome: 'no-tenant' } | { outcome: 'invalid' }

export interface TenantIdentity {
  /** @param bearerToken what follows `Bearer` in the header, of any form */
  authenticate(bearerToken: string): Promise<TenantAuthentication>
}

/** A signing link's token names one participant of one case and does not expire by itself. */
export interface SigningLinks {
  /** @returns the token for the link's address; one that was minted earlier stays good */
  mint(link: CaseKey & { participantId: string }): Promise<string>
  /** @returns undefined when the token was not made by us or was altered */
  read(token: string): Promise<(CaseKey & { participantId: string }) | undefined>
}

/** Sessions of participants who entered a one-time code (specification 2.9, 5.3). */
export interface CodeSessions {
  /** @param expiresAt from then on the session opens nothing, to the millisecond */
  mint(participant: CaseKey & { participantId: string }, expiresAt: Date): Promise<string>
  /** Whether the session was made by us for this participant of this case, and lives at `now`. */
  opens(
    session: string,
    participant: CaseKey & { participantId: string },
    now: Date,
  ): Promise<boolean>
}

/** Who may tell that an upload has ended. */
export interface UploadNotifiers {
  /** @param bearerToken what follows `Bearer` in the header, of any form */
  isNotifier(bearerToken: string): Promise<boolean>
}
