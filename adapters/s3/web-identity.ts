/**
 * Exchanges the token of the pod's service account for temporary credentials
 * (AssumeRoleWithWebIdentity of the AWS Security Token Service, which other stores offer too).
 */
import { readFile } from 'node:fs/promises'
import type { Agent } from 'undici'
import { exchange, openAgent } from '../shared/exchange.ts'
import { repeated } from '../shared/repeated.ts'
import { elementText, S3AnswerError, type S3Answer } from './answers.ts'
import type { CredentialSource } from './credentials.ts'
import { isRetryable, pauseMsOf, S3RefusedError, S3StatusError } from './refusals.ts'
import type { S3Credentials } from './signature.ts'

const VERSION = '2011-06-15'
const SESSION_NAME = 'sigcase'
/** The longest session that every role allows. */
const SESSION_SECONDS = 3_600
/** Credentials are replaced when they are valid for a shorter time. */
const SHORTEST_REST_MS = 10 * 60 * 1000
/** Links live for up to an hour; credentials of this age are replaced for them. */
const LINK_AGE_MS = 5 * 60 * 1000
const ANSWER_OCTETS = 64 * 1024
const CLIENT_ERROR = 400
const SERVER_ERROR = 500

export interface WebIdentityOptions {
  /** Absolute path of the token, which is replaced before it expires. */
  tokenFile: string
  role: string
  /** Origin of the Security Token Service. */
  endpoint: string
  authorities?: string
  now: () => Date
}

interface Session {
  credentials: S3Credentials
  receivedMs: number
  expiresMs: number
}

function readSession(answer: S3Answer, receivedMs: number): Session {
  const xml = answer.body.toString('utf8')
  const accessKeyId = elementText(xml, 'AccessKeyId')
  const secretAccessKey = elementText(xml, 'SecretAccessKey')
  const sessionToken = elementText(xml, 'SessionToken')
  const expiresMs = Date.parse(elementText(xml, 'Expiration') ?? '')
  if (!accessKeyId || !secretAccessKey || !sessionToken || Number.isNaN(expiresMs)) {
    throw new S3AnswerError('the answer has no credentials')
  }
  return { credentials: { accessKeyId, secretAccessKey, sessionToken }, receivedMs, expiresMs }
}

/** Credentials of a role, which are renewed before they expire. */
export class WebIdentity implements CredentialSource {
  readonly #options: WebIdentityOptions
  readonly #agent: Agent
  #session: Session | undefined
  #running: Promise<Session> | undefined

  constructor(options: WebIdentityOptions) {
    this.#options = options
    this.#agent = openAgent(options.authorities)
  }

  async current(lifeMs = 0): Promise<S3Credentials> {
    const nowMs = this.#options.now().getTime()
    const known = this.#session
    if (known) {
      const restMs = known.expiresMs - nowMs
      const isTooShort = restMs < lifeMs && nowMs - known.receivedMs > LINK_AGE_MS
      if (restMs > SHORTEST_REST_MS && !isTooShort) return known.credentials
    }
    // Requests that need credentials at the same time share one exchange.
    this.#running ??= this.#exchange().finally(() => (this.#running = undefined))
    this.#session = await this.#running
    return this.#session.credentials
  }

  forget(): void {
    this.#session = undefined
  }

  async #exchange(): Promise<Session> {
    const { tokenFile, role, endpoint, now } = this.#options
    const token = await readFile(tokenFile, 'utf8').catch((cause: unknown) => {
      throw new S3RefusedError('AWS_WEB_IDENTITY_TOKEN_FILE cannot be read', { cause })
    })
    const form = new URLSearchParams({
      Action: 'AssumeRoleWithWebIdentity',
      Version: VERSION,
      RoleArn: role,
      RoleSessionName: SESSION_NAME,
      DurationSeconds: String(SESSION_SECONDS),
      WebIdentityToken: token.trim(),
    })
    const request = {
      method: 'POST',
      url: new URL(endpoint),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
      maximumBytes: ANSWER_OCTETS,
    } as const
    const send = async () => {
      const answer = await exchange(this.#agent, request)
      if (answer.status < CLIENT_ERROR) return readSession(answer, now().getTime())
      const code = elementText(answer.body.toString('utf8'), 'Code')
      // A proxy may answer in place of the service; a refusal of the service has a code.
      const isRefusal = answer.status < SERVER_ERROR && code !== undefined && code !== 'Throttling'
      if (!isRefusal) throw new S3StatusError(answer, true)
      throw new S3RefusedError(
        `the role AWS_ROLE_ARN cannot be assumed: ${answer.status} ${code}; check its trust ` +
          'policy and the service account of the pod',
      )
    }
    return repeated(send, isRetryable, pauseMsOf)
  }
}
