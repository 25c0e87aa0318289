/** The client of a participant: for applications with a signing page of their own. */
import { Transport, type AskOptions, type CallOptions, type ClientOptions } from './transport.ts'
import type {
  GetBrandingResult,
  GetCaseDefinitionResult,
  GetSignedDocumentResult,
  SendCodeResult,
  SignInput,
  VerifyCodeResult,
} from './types.ts'
import { TRANSFER_TIMEOUT_MS } from './upload.ts'

export interface ParticipantOptions extends Omit<ClientOptions, 'token'> {
  /** `id` of the participant, the path segment of the signing link. */
  participantId: string
  /** Token of the signing link: the part after `#`. */
  token: string
  /** Session of an earlier code check; {@link ParticipantClient.verifyCode} sets it. */
  otpSession?: string
  /** PIN of a case with `pin`. */
  pin?: string
}

/** Header fields carry octets: UTF-8, written as one character for each octet. */
const octetsOf = (text: string) => String.fromCharCode(...new TextEncoder().encode(text))

/** A client of one participant. Every method can throw `SigcaseError`. */
export class ParticipantClient {
  readonly #transport: Transport
  readonly #path: string
  readonly #pin: string | undefined
  #otpSession: string | undefined

  constructor(given: ParticipantOptions) {
    const { participantId, otpSession, pin, ...options } = given
    this.#transport = new Transport(options)
    this.#path = `/participant/${encodeURIComponent(participantId)}`
    this.#otpSession = otpSession
    this.#pin = pin
  }

  /**
   * Opens a signing link, `signerUrl` of a participant.
   *
   * @throws TypeError for a text that is not a signing link
   */
  static fromLink(
    signerUrl: string,
    options: Omit<ParticipantOptions, 'baseUrl' | 'participantId' | 'token'> = {},
  ): ParticipantClient {
    const { origin, pathname, hash } = new URL(signerUrl)
    const [, folder = '', participantId] = /^(.*)\/sign\/([^/]+)$/.exec(pathname) ?? []
    if (participantId === undefined) throw new TypeError('the URL is not a signing link')
    const token = hash.slice(1)
    return new ParticipantClient({ ...options, baseUrl: origin + folder, participantId, token })
  }

  async #ask<T>(method: string, action: string, options: AskOptions = {}): Promise<T> {
    const headers = {
      ...options.headers,
      ...(this.#otpSession === undefined ? {} : { 'service-otp-session': this.#otpSession }),
      ...(this.#pin === undefined ? {} : { 'service-pin': octetsOf(this.#pin) }),
    }
    return this.#transport.ask(method, `${this.#path}/${action}`, { ...options, headers })
  }

  /** Reads what the participant may see: document, signature fields and consent text. */
  async getCaseDefinition(call: CallOptions = {}): Promise<GetCaseDefinitionResult> {
    return this.#ask('GET', 'caseDefinition', call)
  }

  /** Reads the sender's name, colours and logo, also after the end of the case. */
  async getBranding(call: CallOptions = {}): Promise<GetBrandingResult> {
    return this.#ask('GET', 'branding', call)
  }

  /** Sends a one-time code. Repeated only after 429: each code replaces the one before. */
  async sendCode(call: CallOptions = {}): Promise<SendCodeResult> {
    return this.#ask('POST', 'otp', { ...call, retry: 'refused' })
  }

  /** Checks a one-time code. Further calls of this client send its session. */
  async verifyCode(code: string, call: CallOptions = {}): Promise<VerifyCodeResult> {
    const options = { ...call, body: { code }, retry: 'refused' } as const
    const verified = await this.#ask<VerifyCodeResult>('POST', 'otp/verify', options)
    this.#otpSession = verified.otpSession
    return verified
  }

  /**
   * Signs. Repeated only after 429: after another failure, read the case definition before you
   * sign again.
   */
  async sign(input: SignInput, call: CallOptions = {}): Promise<void> {
    await this.#ask('POST', 'signature', { ...call, body: input, retry: 'refused' })
  }

  /**
   * States that the participant does not want to sign; the sender gets a mail. The case stays as it
   * is.
   */
  async decline(reason?: string, call: CallOptions = {}): Promise<void> {
    await this.#ask('POST', 'decline', { ...call, body: reason === undefined ? {} : { reason } })
  }

  /**
   * Downloads the signed PDF. `document.sha256` of the case definition is its digest.
   *
   * @throws SigcaseError NOT_COMPLETED before the case is DONE
   */
  async downloadSigned(call: CallOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    const options = { ...call, headers: { accept: 'application/json' } }
    const { url } = await this.#ask<GetSignedDocumentResult>('GET', 'signedDocument', options)
    const timed = { ...call, timeoutMs: TRANSFER_TIMEOUT_MS }
    const answer = await this.#transport.send('GET', url, timed)
    return new Uint8Array(await answer.arrayBuffer())
  }
}
