/** Checks what a tenant chose as its look, and reads it for pages, mails and evidence. */
import { Buffer } from 'node:buffer'
import type { Logo, TenantLook } from '../../domain/ports/branding.ts'
import { isTimeZone } from '../../domain/local-time.ts'
import { type Branding, brandColours } from '../../domain/tenants/branding.ts'
import { visibleTextFaults } from '../../domain/visible-text.ts'
import { PadesError, readLogo } from '../../pades/index.ts'

/** A logo that was checked, or why it is refused. */
type CheckedLogo = { logo: Logo } | { fault: string }

/** With at most 12 KB of image and its text for each, about 6 MB. */
const MAXIMUM_CHECKED = 200
/** Checking takes up to 20 ms of CPU time, and each case, mail and page of a tenant needs it. */
const checked = new Map<string, CheckedLogo>()

function check(encoded: string): CheckedLogo {
  try {
    const { mediaType, bytes, width, height } = readLogo(Buffer.from(encoded, 'base64'))
    return { logo: { mediaType, bytes, width, height } }
  } catch (error) {
    if (error instanceof PadesError) return { fault: error.message }
    throw error
  }
}

/** Checks each logo once, until others take its place. */
function checkOnce(encoded: string): CheckedLogo {
  const known = checked.get(encoded) ?? check(encoded)
  checked.delete(encoded)
  checked.set(encoded, known)
  const [oldest] = checked.keys()
  if (checked.size > MAXIMUM_CHECKED && oldest !== undefined) checked.delete(oldest)
  return known
}

/**
 * Says why a logo is refused; undefined when it is accepted.
 *
 * @param encoded PNG or JPEG in base64
 */
export function findLogoFault(encoded: string): string | undefined {
  const found = checkOnce(encoded)
  return 'fault' in found ? found.fault : undefined
}

/** Leaves out a name that is blank or could turn the text around it. */
function senderOf({ name, replyTo }: NonNullable<TenantLook['sender']>): TenantLook {
  const isShown = name !== undefined && visibleTextFaults(name).length === 0
  const sender = { ...(isShown && { name }), ...(replyTo !== undefined && { replyTo }) }
  return Object.keys(sender).length > 0 ? { sender } : {}
}

/**
 * Reads the look of a tenant. A logo that is refused and a zone that is unknown are left out;
 * the controller reports them in the status of the tenant.
 */
export function lookOf({
  sender,
  timeZone,
  branding: { colour, logo } = {},
}: {
  sender?: TenantLook['sender']
  branding?: Branding | undefined
  timeZone?: string | undefined
}): TenantLook {
  const found = logo === undefined ? undefined : checkOnce(logo)
  return {
    ...(sender && senderOf(sender)),
    ...(colour !== undefined && { colours: brandColours(colour) }),
    ...(found && 'logo' in found && { logo: found.logo }),
    ...(timeZone !== undefined && isTimeZone(timeZone) && { timeZone }),
  }
}
