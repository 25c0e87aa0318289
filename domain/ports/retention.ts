/** The port for retention times of tenants: `Tenant` resources on a cluster. */

export interface RetentionRules {
  /**
   * Days for which a case of the tenant is kept after its end; undefined means for ever.
   *
   * @throws Error when it is unknown; nothing may be erased then
   */
  readDays(tenant: string): Promise<number | undefined>
}
