/** A participant's request, as use cases see it. */
import type { ParticipantView } from '../../domain/cases/lifecycle.ts'
import type { ObservedCase } from './read-case.ts'

/** The case and the participant whose link was used, as they were when the request came. */
export interface Visit {
  seen: ObservedCase
  participant: ParticipantView
}

/** Where a request came from. */
export interface Origin {
  ip: string
  userAgent?: string
}

export interface ParticipantRequest {
  visit: Visit
  origin: Origin
  /** The session of a one-time code (`service-otp-session`); empty when absent. */
  session: string
  /** The PIN (`service-pin`); empty when absent. */
  pin: string
  /** Origin of the site in whose frame the signing page is; absent outside of frames. */
  embeddingOrigin: string | undefined
  /** HEAD: nothing may be written into the trail. */
  isReadOnly: boolean
}
