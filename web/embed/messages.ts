/** Messages of the signing page in a frame to the site around it (decision 192). */
import type { Problem, View } from '../sign/view.ts'

/** Why the participant cannot sign; codes of the API where it gave one. */
const FAILURES = {
  link: 'LINK_INVALID',
  expired: 'CASE_NOT_ACTIVE',
  cancelled: 'CASE_NOT_ACTIVE',
  failed: 'CASE_NOT_ACTIVE',
  rejected: 'CASE_NOT_ACTIVE',
  linkExpired: 'LINK_EXPIRED',
  notEmbeddable: 'EMBEDDING_NOT_ALLOWED',
  unavailable: 'UNAVAILABLE',
  offline: 'UNAVAILABLE',
} as const satisfies Record<Problem['kind'], string>

/** Messages hold ids and no personal data, because every script of the site can read them. */
export type FrameMessage = { source: 'sigcase'; participantId: string; caseId?: string } & (
  | { type: 'ready' | 'signed' }
  | { type: 'failed'; code: (typeof FAILURES)[Problem['kind']] }
  /** Height of the content in CSS pixels. */
  | { type: 'resize'; height: number }
)

type State = 'ready' | 'signed' | 'failed'

function stateOf({ kind }: View): State | undefined {
  if (kind === 'loading') return undefined
  if (kind === 'problem') return 'failed'
  return kind === 'done' ? 'signed' : 'ready'
}

/**
 * Makes messages of views: one for each change between ready, signed and failed. `ready` always
 * precedes `signed`.
 *
 * @param participantId path segment of the signing link
 * @param post sends one message to the site
 * @returns a function that is called with each view
 */
export function reportViews(
  participantId: string,
  post: (message: FrameMessage) => void,
): (view: View) => void {
  let last: State | undefined
  let wasReady = false
  let caseId: string | undefined
  return (view) => {
    if ('definition' in view) caseId = view.definition?.case.id ?? caseId
    const state = stateOf(view)
    if (state === undefined || state === last) return
    last = state
    const ids = { participantId, ...(caseId === undefined ? {} : { caseId }) }
    if (view.kind === 'problem') {
      return post({ source: 'sigcase', type: 'failed', code: FAILURES[view.problem.kind], ...ids })
    }
    if (!wasReady || state === 'ready') post({ source: 'sigcase', type: 'ready', ...ids })
    wasReady = true
    if (state === 'signed') post({ source: 'sigcase', type: 'signed', ...ids })
  }
}
