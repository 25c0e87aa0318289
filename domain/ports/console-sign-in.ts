/** How tenants sign in to the console (decision 216). */

/** An OpenID Connect provider; the page itself runs the code flow with PKCE (RFC 7636). */
export interface ConsoleProvider {
  kind: 'provider'
  /** The issuer, as its tokens name it; discovery starts there. */
  issuer: string
  clientId: string
  /** Requested scopes, separated by spaces. */
  scope: string
  /** Which token of the answer the API accepts. */
  token: 'id_token' | 'access_token'
  /** Origin of the token endpoint, where it is not that of the issuer. */
  tokenOrigin?: string
}

/** The local issuer of a service that only this machine can reach. */
export interface ConsoleIssuer {
  kind: 'local'
  /**
   * Mints a bearer token of the tenant.
   *
   * @param tenant a valid tenant name
   */
  mint(tenant: string, lifeSeconds: number): Promise<string>
  /** Whether the text is a valid tenant name. */
  isTenant(text: string): boolean
}

export type ConsoleSignIn = ConsoleProvider | ConsoleIssuer
