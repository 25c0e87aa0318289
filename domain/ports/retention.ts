/** The port for retention times of tenants: `Tenant` resources on a cluster. */

export interface RetentionRules {
  /**
   * Days for which a case of the tenant is kept after its end; undefined means for ever.
   *
   * @throws Error when it is unknown; nothing may be erased then
   */
  readDays(tenant: string): Promise<number | undefined>
  /**
   * The shortest time of all tenants, in days; undefined: all cases are kept for ever. Absent where
   * it is not known: then a resync looks at every case.
   */
  shortestDays?(): number | undefined
}
