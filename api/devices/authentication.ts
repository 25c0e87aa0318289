/** A kiosk proves itself by its token: in the header, or in the cookie that pairing gave for it. */
import { parseCookie, stringifySetCookie } from 'cookie'
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
  return stringifySetCookie({
    name: DEVICE_COOKIE,
    value: token,
    path: `${pathname.replace(/\/$/, '')}/devices`,
    maxAge: COOKIE_LIFE_SECONDS,
    httpOnly: true,
    sameSite: 'strict',
    secure: protocol === 'https:',
  })
}

const cookieToken = ({ headers }: FastifyRequest): string | undefined =>
  parseCookie(headers.cookie ?? '')[DEVICE_COOKIE]

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
