/** An invitation that the tenant requests again: it ends what wrong codes and PINs have caused. */
import type { InvitationRequest } from '../cases/spec.ts'

/**
 * Returns when the tenant last requested another invitation of the participant, in milliseconds
 * since 1970; minus infinity when it never did.
 */
export function invitedAgainAtMs(
  participantId: string,
  invitations: readonly InvitationRequest[] = [],
): number {
  const own = invitations.filter((request) => request.participantId === participantId)
  return Math.max(Number.NEGATIVE_INFINITY, ...own.map(({ at }) => Date.parse(at)))
}
