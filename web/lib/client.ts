/** Asks the API as one participant (specification 4.7 to 4.11); the token is in a header alone. */
import type {
  BrandingAnswer,
  CaseDefinitionAnswer,
  CodeSentAnswer,
  CodeVerifiedAnswer,
} from '../../domain/contract/participant-answers.ts'
import type { SigningInput } from '../../domain/contract/signing-input.ts'
import type { ErrorCode, ErrorDetails } from '../../domain/errors.ts'

/** A slower answer counts as missing: the person sees a message and may try again. */
const ANSWER_LIMIT_MS = 30_000

/** Waits before a read is asked again; a line that failed for longer is reported. */
const RETRY_DELAYS_MS = [500, 1_500] as const
/** A request that failed after a longer time is not asked again: people have waited long enough. */
const SHORT_FAILURE_MS = 5_000

export interface Refusal extends ErrorDetails {
  kind: 'refused'
  httpStatus: number
  /** Absent where the contract names none. */
  code?: ErrorCode
  /** What was wrong with the request; with 400. */
  validationErrors?: readonly { instancePath: string }[]
}
export interface Answer<T> {
  kind: 'answered'
  value: T
  /** The server's clock: spans do not depend on the device's. */
  serverMs: number
}
export type Outcome<T> = Answer<T> | Refusal | { kind: 'unreachable' }

/** What opens the document beside the link. */
export interface Proof {
  otpSession?: string
  pin?: string
}

export interface ParticipantLink {
  participantId: string
  token: string
  /** The origin of the site around the page, in a frame. */
  embeddingOrigin?: string
}

async function readBody(response: Response): Promise<unknown> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return isJson ? ((await response.json()) as unknown) : {}
}

/**
 * Never throws for what the API answers or for a network that is unavailable: both are outcomes.
 */
export class ParticipantClient {
  readonly #link: ParticipantLink
  readonly #proof: () => Proof

  /** @param proof asked for at each request */
  constructor(link: ParticipantLink, proof: () => Proof) {
    this.#link = link
    this.#proof = proof
  }

  /** Specification 4.7; a line that fails for a moment is not noticed. */
  async caseDefinition(): Promise<Outcome<CaseDefinitionAnswer>> {
    const ask = () => this.#ask<CaseDefinitionAnswer>('GET', 'caseDefinition')
    for (const delayMs of RETRY_DELAYS_MS) {
      const startedMs = performance.now()
      const outcome = await ask()
      const isShort = performance.now() - startedMs < SHORT_FAILURE_MS
      if (outcome.kind !== 'unreachable' || !navigator.onLine || !isShort) return outcome
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
    return ask()
  }

  /** Decision 226; it also answers after the end of the case. */
  branding(): Promise<Outcome<BrandingAnswer>> {
    return this.#ask('GET', 'branding')
  }

  /** Specification 4.10; the code before it no longer works. */
  sendCode(): Promise<Outcome<CodeSentAnswer>> {
    return this.#ask('POST', 'otp')
  }

  /** Specification 4.11; the session in the answer belongs into the proof. */
  verifyCode(code: string): Promise<Outcome<CodeVerifiedAnswer>> {
    return this.#ask('POST', 'otp/verify', { code })
  }

  /** Specification 4.8. */
  sign(input: SigningInput): Promise<Outcome<unknown>> {
    return this.#ask('POST', 'signature', input)
  }

  /** Decision 215; without a reason, none is sent. */
  decline(reason: string): Promise<Outcome<unknown>> {
    return this.#ask('POST', 'decline', reason === '' ? {} : { reason })
  }

  /** Specification 4.9; the link opens for 15 minutes. */
  signedDocument(): Promise<Outcome<{ url: string }>> {
    return this.#ask('GET', 'signedDocument')
  }

  async #ask<T>(method: string, route: string, body?: object): Promise<Outcome<T>> {
    const { participantId, token, embeddingOrigin } = this.#link
    const { otpSession, pin } = this.#proof()
    const headers: Record<string, string> = {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(embeddingOrigin === undefined ? {} : { 'service-embedding-origin': embeddingOrigin }),
      ...(otpSession === undefined ? {} : { 'service-otp-session': otpSession }),
      ...(pin === undefined ? {} : { 'service-pin': encodePin(pin) }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    try {
      const response = await fetch(`/participant/${encodeURIComponent(participantId)}/${route}`, {
        method,
        headers,
        cache: 'no-store',
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const answer = await readBody(response)
      if (!response.ok)
        return { ...(answer as object), kind: 'refused', httpStatus: response.status }
      const serverMs = Date.parse(response.headers.get('date') ?? '') || Date.now()
      return { kind: 'answered', value: answer as T, serverMs }
    } catch {
      return { kind: 'unreachable' }
    }
  }
}

/** A header takes octets: the PIN's UTF-8, one character for each. */
function encodePin(pin: string): string {
  return String.fromCharCode(...new TextEncoder().encode(pin))
}
