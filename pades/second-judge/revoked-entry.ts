/** Reads when and why a certificate was revoked (RFC 5280, 5.3; RFC 6960, 4.2.1 RevokedInfo). */

import { Extensions, Time } from 'pkijs'
import type { SingleResponse } from 'pkijs'
import { fromBER } from 'asn1js'
import { type Element, elementsOf, firstElement } from './elements.ts'

/** A revocation of one certificate. */
export interface RevokedEntry {
  /** Undefined when it cannot be read: it then counts for every time. */
  readonly revokedAt: Date | undefined
  /** Number of CRLReason; 0 when it is not given. */
  readonly reason: number
}

/** A revocation, and when a list or an answer said it. */
export interface Revocation extends RevokedEntry {
  readonly saidAt: Date
}

export const HOLD = 6
export const REMOVED = 8
const REASON_CODE = '2.5.29.21'
/** unspecified, the three compromises, and certificateHold. */
const UNTIMELY: ReadonlySet<number> = new Set([0, 1, 2, HOLD, 10])
/** Numbers of CRLReason; others are not known. */
const LAST_REASON = 10
const EXTENSIONS = 2

const octetsOf = (bytes: Uint8Array) => Uint8Array.from(bytes).buffer

/** Whether a certificate was revoked at a time. */
export const isRevokedAt = ({ revokedAt }: RevokedEntry, at: Date): boolean =>
  revokedAt === undefined || revokedAt <= at

/** Whether the time is open of what the key says: it may have been in wrong hands. */
export const isUntimely = ({ revokedAt, reason }: RevokedEntry): boolean =>
  revokedAt === undefined || UNTIMELY.has(reason) || reason > LAST_REASON

/** Reads an entry of a list. */
export function readEntry({ content }: Element): RevokedEntry {
  try {
    const parts = elementsOf(content)
    const { result } = fromBER(octetsOf(parts[1].encoded))
    const extensions = parts[EXTENSIONS]
    const found =
      extensions &&
      Extensions.fromBER(octetsOf(extensions.encoded)).extensions.find(
        ({ extnID }) => extnID === REASON_CODE,
      )
    return {
      revokedAt: new Time({ schema: result }).value,
      reason: found?.extnValue.valueBlock.valueHexView.at(-1) ?? 0,
    }
  } catch {
    return { revokedAt: undefined, reason: 0 }
  }
}

/** Reads RevokedInfo: a time, and a reason with a tag of its own. */
export function readRevokedInfo({ certStatus }: SingleResponse): RevokedEntry {
  try {
    const status = certStatus as { toBER(): ArrayBuffer }
    const [time, reason] = elementsOf(firstElement(new Uint8Array(status.toBER())).content)
    const { result } = fromBER(octetsOf(time.encoded))
    return {
      revokedAt: new Time({ schema: result }).value,
      reason: reason?.content.at(-1) ?? 0,
    }
  } catch {
    return { revokedAt: undefined, reason: 0 }
  }
}
