/** Checks what a tenant chose as its look, and reads it for pages, mails and evidence. */
import { Buffer } from 'node:buffer'
import type { Logo, TenantLook } from '../../domain/ports/branding.ts'
import { type Branding, brandColours } from '../../domain/tenants/branding.ts'
import { visibleTextFaults } from '../../domain/visible-text.ts'
import { PadesError, readLogo } from '../../pades/index.ts'

/** @throws PadesError `BAD_DRAWING` - the message says what is wrong */
function logoOf(encoded: string): Logo {
  const { mediaType, bytes, width, height } = readLogo(Buffer.from(encoded, 'base64'))
  return { mediaType, bytes, width, height }
}

/**
 * Says why a logo is refused; undefined when it is accepted.
 *
 * @param encoded PNG or JPEG in base64
 */
export function findLogoFault(encoded: string): string | undefined {
  try {
    logoOf(encoded)
    return undefined
  } catch (error) {
    if (error instanceof PadesError) return error.message
    throw error
  }
}

/** Leaves out a name that is blank or could turn the text around it. */
function senderOf({ name, replyTo }: NonNullable<TenantLook['sender']>): TenantLook {
  const isShown = name !== undefined && visibleTextFaults(name).length === 0
  const sender = { ...(isShown && { name }), ...(replyTo !== undefined && { replyTo }) }
  return Object.keys(sender).length > 0 ? { sender } : {}
}

/**
 * Reads the look of a tenant. A logo that is refused is left out; the controller reports it in the
 * status of the tenant.
 */
export function lookOf({
  sender,
  branding: { colour, logo } = {},
}: {
  sender?: TenantLook['sender']
  branding?: Branding | undefined
}): TenantLook {
  const isLogoShown = logo !== undefined && findLogoFault(logo) === undefined
  return {
    ...(sender && senderOf(sender)),
    ...(colour !== undefined && { colours: brandColours(colour) }),
    ...(isLogoShown && { logo: logoOf(logo) }),
  }
}
