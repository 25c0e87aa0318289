/** Authenticates pushes of Pub/Sub. */
import type { UploadNotifiers } from '../../domain/ports/identity.ts'
import { isFor, type IdentityTokens } from './tokens.ts'

export interface PushRule {
  /** Audience of the subscription's tokens. */
  audience: string
  /** E-mail address of the service account that the subscription pushes as. */
  serviceAccount: string
  issuer: string
}

export class OidcUploadNotifiers implements UploadNotifiers {
  readonly #tokens: IdentityTokens
  readonly #rule: PushRule

  constructor(tokens: IdentityTokens, rule: PushRule) {
    this.#tokens = tokens
    this.#rule = rule
  }

  async isNotifier(bearerToken: string): Promise<boolean> {
    const { audience, serviceAccount, issuer } = this.#rule
    const payload = await this.#tokens.verify(bearerToken, issuer)
    if (!payload || !isFor(payload, audience)) return false
    return payload.email === serviceAccount && payload.email_verified === true
  }
}
