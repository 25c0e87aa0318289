/** Access tokens for callbacks with OAUTH_CLIENT_CREDENTIALS (specification 5.6). */

export interface TokenClient {
  tokenUrl: string
  clientId: string
  clientSecret: string
  tokenAuthMethod: 'basic' | 'post'
  scope?: string
  audience?: string
}

/** `unavailable` may pass, `refused` will not. */
export type TokenAnswer =
  { outcome: 'token'; accessToken: string } | { outcome: 'unavailable' | 'refused'; reason: string }

export interface AccessTokens {
  /** A token that is good for another minute, cached or new. */
  get(client: TokenClient): Promise<TokenAnswer>
  /** Says that the token was not taken: it is not given out again. */
  invalidate(client: TokenClient, accessToken: string): Promise<void>
}
