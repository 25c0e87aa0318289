/**
 * The token of a device (specification 5.5). It contains tenant and device, so that its record is
 * found without a search. Only its digest is stored.
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { isUuid } from '../ids.ts'
import type { DeviceKey } from '../ports/device-store.ts'
import { isSameSecret } from '../same-secret.ts'
import type { Device } from './schema.ts'

/** Identifies the token for people and secret scanners. */
const PREFIX = 'kiosk'
/** A tenant is a DNS label; 43 characters are 256 bits in base64url. */
const TOKEN = new RegExp(`^${PREFIX}\\.([a-z0-9-]{1,63})\\.([0-9a-f-]{36})\\.[A-Za-z0-9_-]{43}$`)

/** @param secret 256 random bits in base64url */
export function deviceToken({ tenant, deviceId }: DeviceKey, secret: string): string {
  return [PREFIX, tenant, deviceId, secret].join('.')
}

/**
 * Returns the device that the token names, or undefined for an invalid token; does not
 * authenticate.
 */
export function deviceOfToken(token: string): DeviceKey | undefined {
  const [, tenant, deviceId] = TOKEN.exec(token) ?? []
  if (tenant === undefined || deviceId === undefined || !isUuid(deviceId)) return undefined
  return { tenant, deviceId }
}

/** Returns lower-case hex. The token is random, so a fast unsalted digest is sufficient. */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Whether the token is the one that was issued for the device. */
export function isTokenOf(token: string, { spec }: Device): boolean {
  const given = Buffer.from(tokenDigest(token), 'hex')
  const kept = Buffer.from(spec.tokenSha256, 'hex')
  return isSameSecret(given, kept)
}
