/** For how long the cases of a tenant are kept: `Tenant` resources on a cluster. */

export interface RetentionRules {
  /**
   * Days after its end for which a case of the tenant is kept; undefined: for ever.
   * @throws Error when it cannot be told; nothing may be erased then
   */
  daysOf(tenant: string): Promise<number | undefined>
}
