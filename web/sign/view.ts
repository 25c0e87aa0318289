/** What a signing link shows, decided by the API's last answer alone. */
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'
import type { Outcome, Refusal } from '../lib/client.ts'

const PROBLEM_KINDS = [
  'link',
  'expired',
  'cancelled',
  'failed',
  'rejected',
  'linkExpired',
  'notEmbeddable',
  'unavailable',
  'offline',
] as const

export interface Problem {
  kind: (typeof PROBLEM_KINDS)[number]
  senderName?: string | undefined
}

export type View =
  | { kind: 'loading' }
  | { kind: 'problem'; problem: Problem }
  | { kind: 'code'; definition: CaseDefinitionAnswer }
  | { kind: 'pin'; refusal?: Refusal; definition?: CaseDefinitionAnswer }
  | { kind: 'document'; definition: CaseDefinitionAnswer }
  | { kind: 'done'; definition: CaseDefinitionAnswer }

const ENDED: Readonly<Record<string, Problem['kind']>> = {
  EXPIRED: 'expired',
  CANCELLED: 'cancelled',
  FAILED: 'failed',
  UPLOAD_REJECTED: 'rejected',
}

/** What a request that failed means for the person. */
export function problemOf(outcome: Refusal | { kind: 'unreachable' }): Problem {
  if (outcome.kind === 'unreachable') {
    return { kind: navigator.onLine ? 'unavailable' : 'offline' }
  }
  const { httpStatus, code, status = '', senderName } = outcome
  if (code === 'EMBEDDING_NOT_ALLOWED') return { kind: 'notEmbeddable' }
  if (code === 'LINK_EXPIRED') return { kind: 'linkExpired', senderName }
  if (httpStatus === 410) return { kind: ENDED[status] ?? 'expired', senderName }
  if (httpStatus === 401 || httpStatus === 404) return { kind: 'link' }
  return { kind: 'unavailable' }
}

const PIN_CODES = new Set<string | undefined>(['PIN_REQUIRED', 'PIN_LOCKED'])

/** @param outcome of reading the case definition */
export function viewOf(outcome: Outcome<CaseDefinitionAnswer>): View {
  if (outcome.kind === 'refused' && PIN_CODES.has(outcome.code)) {
    return { kind: 'pin', refusal: outcome }
  }
  if (outcome.kind !== 'answered') return { kind: 'problem', problem: problemOf(outcome) }
  const definition = outcome.value
  if (definition.participant.status === 'SIGNED') return { kind: 'done', definition }
  if (definition.otpRequired) return { kind: 'code', definition }
  if (definition.pinRequired) return { kind: 'pin', definition }
  return { kind: 'document', definition }
}
