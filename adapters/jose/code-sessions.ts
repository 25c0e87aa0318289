/** Sessions after a one-time code: compact JWS (RFC 7515) with an expiry (decision 40). */
import { errors, jwtVerify } from 'jose'
import type { CodeSessions } from '../../domain/ports/identity.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { ALGORITHM, compactJws } from './compact-jws.ts'
import { HmacKeys } from './hmac-keys.ts'

const PURPOSE = 'code-session'
const TYPE = 'sigcase-session+jwt'
const MILLISECONDS_PER_SECOND = 1000

type Participant = CaseKey & { participantId: string }

export class JwsCodeSessions implements CodeSessions {
  readonly #keyring: Keyring<'code-session'>
  readonly #keys: HmacKeys<'code-session'>

  constructor(keyring: Keyring<'code-session'>) {
    this.#keyring = keyring
    this.#keys = new HmacKeys(keyring, PURPOSE)
  }

  async mint({ tenant, caseId, participantId }: Participant, expiresAt: Date): Promise<string> {
    const exp = expiresAt.getTime() / MILLISECONDS_PER_SECOND
    const payload = { tenant, case: caseId, sub: participantId, exp }
    return compactJws(this.#keyring.current(PURPOSE), TYPE, payload)
  }

  async opens(
    session: string,
    { tenant, caseId, participantId }: Participant,
    now: Date,
  ): Promise<boolean> {
    try {
      const { payload } = await jwtVerify(session, ({ kid }) => this.#keys.find(kid), {
        algorithms: [ALGORITHM],
        typ: TYPE,
        requiredClaims: ['exp'],
        currentDate: now,
      })
      // The library compares whole seconds.
      const expiresAtMs = Math.round((payload.exp ?? 0) * MILLISECONDS_PER_SECOND)
      const isOwn =
        payload['tenant'] === tenant && payload['case'] === caseId && payload.sub === participantId
      return isOwn && now.getTime() < expiresAtMs
    } catch (error) {
      if (error instanceof errors.JOSEError) return false
      throw error
    }
  }
}
