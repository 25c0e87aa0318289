/** The port for what tenants chose, such as their look: `Tenant` resources on a cluster. */
import type { BrandColours } from '../tenants/branding.ts'

/** An image that was checked, without its metadata. */
export interface Logo {
  mediaType: 'image/png' | 'image/jpeg'
  bytes: Uint8Array
  /** In pixels. */
  width: number
  height: number
}

/** What a tenant chose; a logo that was refused and an unknown zone are absent. */
export interface TenantLook {
  /** For cases without a sender of their own. */
  sender?: { name?: string; replyTo?: string }
  colours?: BrandColours
  logo?: Logo
  /** IANA name of a zone that the runtime has; absent: `DEFAULT_TIME_ZONE`. */
  timeZone?: string
}

export interface TenantBranding {
  /** @returns an empty object when the tenant chose nothing */
  read(tenant: string): Promise<TenantLook>
}
