/** The port for the origins that tenants registered for embedding (decision 192). */

export interface EmbeddingOrigins {
  /**
   * Whether at least one tenant registered the origin.
   *
   * @param origin as browsers write it, such as `https://app.example.com`
   */
  isRegistered(origin: string): Promise<boolean>
  /** Whether this tenant registered the origin. */
  isRegisteredBy(tenant: string, origin: string): Promise<boolean>
}
