/** A kiosk proves itself by its token: in the header, or in the cookie that pairing gave for it. */
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import type { Device } from '../../domain/devices/schema.ts'
import { deviceOfToken, isTokenOf } from '../../domain/devices/token.ts'
import { bearerToken, unauthorized } from '../authentication.ts'
import type { ApiDeps } from '../deps.ts'

const DEVICE_COOKIE = 'sigcase-kiosk'

const isHttps = ({ baseUrl }: Pick<ApiDeps, 'baseUrl'>) => new URL(baseUrl).protocol === 'https:'

/**
 * The name of the cookie. Over https its prefix says that only this host can have set it
 * (RFC 6265bis, 4.1.3.2); browsers refuse the prefix over http.
 */
export const deviceCookieName = (deps: Pick<ApiDeps, 'baseUrl'>): string =>
  isHttps(deps) ? `__Host-${DEVICE_COOKIE}` : DEVICE_COOKIE

/** As long as browsers keep one; every new stream gives it anew. */
const COOKIE_LIFE_SECONDS = 400 * 24 * 60 * 60

/** A `Set-Cookie` value that only the kiosk's channel uses, and no script reads. */
export function deviceCookie(token: string, deps: Pick<ApiDeps, 'baseUrl'>): string {
  const { pathname } = new URL(deps.baseUrl)
  return stringifySetCookie({
    name: deviceCookieName(deps),
    value: token,
    // The prefix asks for this path.
    path: isHttps(deps) ? '/' : `${pathname.replace(/\/$/, '')}/devices`,
    maxAge: COOKIE_LIFE_SECONDS,
    httpOnly: true,
    sameSite: 'strict',
    secure: isHttps(deps),
  })
}

const cookieToken = (
  { headers }: FastifyRequest,
  deps: Pick<ApiDeps, 'baseUrl'>,
): string | undefined => parseCookie(headers.cookie ?? '')[deviceCookieName(deps)]

/** @throws AuthenticationError 401 for what is not the token of a registered device */
export async function readDevice(
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
  const kept = request.headers.authorization === undefined ? cookieToken(request, deps) : undefined
  const device = await readDevice(kept ?? bearerToken(request), deps)
  if (device.metadata.name !== deviceId.toLowerCase()) throw unauthorized()
  return kept === undefined ? { device } : { device, cookie: deviceCookie(kept, deps) }
}
