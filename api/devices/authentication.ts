/** A kiosk proves itself by its token: in the header, or in the cookie that pairing gave for it. */
import type { FastifyRequest } from 'fastify'
import type { Device } from '../../domain/devices/schema.ts'
import { deviceOfToken, isTokenOf } from '../../domain/devices/token.ts'
import { bearerToken, unauthorized } from '../authentication.ts'
import type { ApiDeps } from '../deps.ts'

export const DEVICE_COOKIE = 'sigcase-kiosk'
/** As long as browsers keep one; every new stream gives it anew. */
const COOKIE_LIFE_SECONDS = 400 * 24 * 60 * 60

/** A `Set-Cookie` value that only the kiosk's channel gets back, and no script reads. */
export function deviceCookie(token: string, { baseUrl }: Pick<ApiDeps, 'baseUrl'>): string {
  const { protocol, pathname } = new URL(baseUrl)
  return [
    `${DEVICE_COOKIE}=${token}`,
    `Path=${pathname.replace(/\/$/, '')}/devices`,
    `Max-Age=${COOKIE_LIFE_SECONDS}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(protocol === 'https:' ? ['Secure'] : []),
  ].join('; ')
}

/** RFC 6265, 4.2; the token needs no quotes. */
function cookieToken({ headers }: FastifyRequest): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='))
  return pairs.find(([name]) => name === DEVICE_COOKIE)?.[1]
}

/** @throws AuthenticationError 401 for what is not the token of a registered device */
export async function deviceOf(
  token: string,
  { devices }: Pick<ApiDeps, 'devices'>,
): Promise<Device> {
  const key = deviceOfToken(token)
  const device = key && (await devices.get(key))
  if (!device || !isTokenOf(token, device)) throw unauthorized()
  return device
}

/** Who asks for the channel of the path; `cookie` is set when that is how the kiosk proved it. */
export interface Kiosk {
  device: Device
  cookie?: string
}

/** @throws AuthenticationError 401 unless the token is that of the device of the path */
export async function authenticateDevice(
  request: FastifyRequest,
  deps: Pick<ApiDeps, 'devices' | 'baseUrl'>,
): Promise<Kiosk> {
  const { deviceId = '' } = request.params as { deviceId?: string }
  const kept = request.headers.authorization === undefined ? cookieToken(request) : undefined
  const device = await deviceOf(kept ?? bearerToken(request), deps)
  if (device.metadata.name !== deviceId.toLowerCase()) throw unauthorized()
  return kept === undefined ? { device } : { device, cookie: deviceCookie(kept, deps) }
}
