/** Signing links as compact JWS (RFC 7515) that contain tenant, case and participant. */
import { errors, jwtVerify } from 'jose'
import type { SigningLinks } from '../../domain/ports/identity.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { ALGORITHM, compactJws } from './compact-jws.ts'
import { HmacKeys } from './hmac-keys.ts'

const PURPOSE = 'signing-link'
const TYPE = 'sigcase-link+jwt'

type Link = CaseKey & { participantId: string }

function linkOf({ tenant, case: caseId, sub }: Record<string, unknown>): Link | undefined {
  if (typeof tenant !== 'string' || typeof caseId !== 'string') return undefined
  return typeof sub === 'string' ? { tenant, caseId, participantId: sub } : undefined
}

/** A link does not expire by itself; the state of the case decides how long it works. */
export class JwsSigningLinks implements SigningLinks {
  readonly #keyring: Keyring<'signing-link'>
  readonly #keys: HmacKeys<'signing-link'>

  constructor(keyring: Keyring<'signing-link'>) {
    this.#keyring = keyring
    this.#keys = new HmacKeys(keyring, PURPOSE)
  }

  async mint({ tenant, caseId, participantId }: Link): Promise<string> {
    const payload = { tenant, case: caseId, sub: participantId }
    return compactJws(this.#keyring.current(PURPOSE), TYPE, payload)
  }

  async read(token: string): Promise<Link | undefined> {
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => this.#keys.find(kid), {
        algorithms: [ALGORITHM],
        typ: TYPE,
      })
      return linkOf(payload)
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }
}
