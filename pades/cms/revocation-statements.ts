/** Concludes from what lists and answers say whether a certificate was revoked (RFC 5280, 6.3). */

import { ALL_REASONS } from './distribution-points.ts'
import type { OcspResponse } from './ocsp-reader.ts'
import type { RevocationList } from './revocation-list-reader.ts'
import type { RevocationReason } from './revocation-list.ts'

export interface RevocationStatus {
  /** `stale`: something is known, but not for that time. */
  readonly status: 'good' | 'revoked' | 'stale' | 'unknown'
  /** With `stale`: it is for that time, but from after the certificate expired. */
  readonly isLate?: boolean
  readonly revokedAt?: Date
  readonly reason?: RevocationReason
  /** The list or answer that the status is taken from. */
  readonly source?: RevocationList | OcspResponse
  /**
   * With `good`: the lists and answers that the issuer's key signed and that prove it without
   * another certificate. Absent when the proof depends on a delegated signer.
   */
  readonly directSources?: readonly (RevocationList | OcspResponse)[]
}

/** What one list or answer says, before times are compared. */
export interface Statement {
  readonly source: RevocationList | OcspResponse
  readonly thisUpdate: Date
  readonly nextUpdate: Date | undefined
  readonly revokedAt: Date | undefined
  readonly reason: RevocationReason
  readonly isKnown: boolean
  /** Whether the certificate would still be named if it had been revoked. */
  readonly isRetained: boolean
  /** Whether the key of the issuer has signed the source, which is whole. */
  readonly isDirect: boolean
  /** For which reasons a revocation would be known (RFC 5280, 6.3.2 (a)). */
  readonly covered: ReadonlySet<number>
}

/** Whether statements together cover every reason (RFC 5280, 6.3.3 (l)). */
const coversAll = (statements: readonly Statement[]): boolean =>
  [...ALL_REASONS].every((reason) => statements.some(({ covered }) => covered.has(reason)))

const HOLD: RevocationReason = 'certificateHold'
/** The bit of ReasonFlags. */
const HOLD_FLAG = 6

/**
 * Whether a hold had ended at a time: something that was said since then, and after the hold, would
 * still name it (RFC 5280, 5.3.1).
 */
const hasEnded = (hold: Statement, statements: readonly Statement[], at: Date): boolean =>
  hold.reason === HOLD &&
  statements.some(
    ({ thisUpdate, revokedAt, isKnown, isRetained, covered }) =>
      revokedAt === undefined &&
      isKnown &&
      isRetained &&
      covered.has(HOLD_FLAG) &&
      thisUpdate > hold.thisUpdate &&
      thisUpdate <= at,
  )

/** The first revocation that counts at a time; one for good before a hold that may end. */
function revocationBy(statements: readonly Statement[], at: Date): Statement | undefined {
  const revoked = statements
    .filter((one) => one.revokedAt !== undefined && !hasEnded(one, statements, at))
    .sort((a, b) => Number(a.revokedAt) - Number(b.revokedAt))
  const isFinal = ({ reason, revokedAt }: Statement) =>
    reason !== HOLD && revokedAt !== undefined && revokedAt <= at
  return revoked.find(isFinal) ?? revoked.at(0)
}

/** The status of a certificate at a time, by all that is said of it. */
export function statusBy(statements: readonly Statement[], at: Date): RevocationStatus {
  const revoked = revocationBy(statements, at)
  if (revoked) {
    const { revokedAt, reason, source } = revoked
    return { status: 'revoked', ...(revokedAt && { revokedAt }), reason, source }
  }
  const known = statements.filter(({ isKnown }) => isKnown)
  // RFC 5280 5.1.2.5: without the time of the next update, its validity is unknown.
  const current = known.filter(({ nextUpdate }) => nextUpdate !== undefined && at <= nextUpdate)
  const fresh = current.filter(({ isRetained }) => isRetained)
  if (coversAll(fresh)) return goodBy(fresh)
  if (!coversAll(known)) return { status: 'unknown' }
  return { status: 'stale', isLate: coversAll(current), source: known[0].source }
}

function goodBy(fresh: readonly Statement[]): RevocationStatus {
  const direct = fresh.filter(({ isDirect }) => isDirect)
  const whole = direct.find((one) => coversAll([one]))
  const sources = whole ? [whole] : direct
  return {
    status: 'good',
    source: fresh[0].source,
    ...(coversAll(sources) && { directSources: sources.map(({ source }) => source) }),
  }
}
