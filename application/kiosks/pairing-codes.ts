/** Short codes that pair a kiosk: a tenant creates one, the kiosk exchanges it for its token. */
import {
  makePairingCode,
  openToken,
  PAIRING_CODE_LIFE_MS,
  pairingCodeKey,
  parsePairingCode,
  sealToken,
} from '../../domain/devices/pairing-code.ts'
import { isTokenOf } from '../../domain/devices/token.ts'
import { ServiceError, ValidationError } from '../../domain/errors.ts'
import type { DeviceKey } from '../../domain/ports/device-store.ts'
import type { UseCaseDeps } from '../deps.ts'
import { ThrottledError } from '../errors.ts'

/** Enough for people who mistype, and too few to find one of 6.5 × 10^11 codes. */
const TRIES = 20
const SECOND_MS = 1000

const WRONG_TOKEN = {
  instancePath: '/token',
  keyword: 'deviceToken',
  params: {},
  message: 'is not the token of this kiosk',
} as const

type PairingDeps = Pick<UseCaseDeps, 'ephemeral' | 'keyring' | 'now'>

/**
 * Creates a code that pairs the device once, within ten minutes.
 *
 * @param token of the device; the service has only its digest
 * @throws ServiceError UNKNOWN_DEVICE when the tenant has no such device
 * @throws ValidationError when the token is of another device
 * @throws ServiceError TIMEOUT when the code cannot be stored
 */
export async function createPairingCode(
  { tenant, deviceId }: DeviceKey,
  token: string,
  deps: PairingDeps & Pick<UseCaseDeps, 'devices' | 'randomInt'>,
): Promise<{ code: string; expiresAt: string }> {
  const { devices, ephemeral, keyring, now, randomInt } = deps
  const device = await devices.get({ tenant, deviceId: deviceId.toLowerCase() })
  if (!device) throw new ServiceError('UNKNOWN_DEVICE')
  if (!isTokenOf(token, device)) throw new ValidationError([WRONG_TOKEN])
  const shown = makePairingCode(randomInt)
  const code = parsePairingCode(shown) as string
  const ttlMs = PAIRING_CODE_LIFE_MS
  await ephemeral.set(pairingCodeKey(keyring, code), sealToken(keyring, code, token), { ttlMs })
  return { code: shown, expiresAt: new Date(now().getTime() + ttlMs).toISOString() }
}

/** @throws ThrottledError when this caller has tried too many codes in these ten minutes */
async function countTry(caller: string, { ephemeral, now }: PairingDeps): Promise<void> {
  const nowMs = now().getTime()
  const window = Math.floor(nowMs / PAIRING_CODE_LIFE_MS)
  const tries = await ephemeral.increment(
    `kiosk/pairing-tries/${caller}/${window}`,
    PAIRING_CODE_LIFE_MS,
  )
  if (tries <= TRIES) return
  throw new ThrottledError(Math.ceil(((window + 1) * PAIRING_CODE_LIFE_MS - nowMs) / SECOND_MS))
}

/**
 * Exchanges a code for the token of its device.
 *
 * @param code as `parsePairingCode` returns it
 * @param caller network of the kiosk
 * @returns undefined when the code was used, has expired, or was never created, or when another
 *   writer of the ephemeral store replaced its token
 * @throws ThrottledError after 20 codes of one caller in ten minutes
 * @throws ServiceError TIMEOUT when the codes cannot be read
 */
export async function exchangePairingCode(
  code: string,
  caller: string,
  deps: PairingDeps,
): Promise<string | undefined> {
  await countTry(caller, deps)
  const { ephemeral, keyring } = deps
  const key = pairingCodeKey(keyring, code)
  const sealed = await ephemeral.get(key)
  if (sealed === undefined) return undefined
  // Only the first of two requests with one code may write the marker.
  const options = { ttlMs: PAIRING_CODE_LIFE_MS, onlyIfAbsent: true }
  if (!(await ephemeral.set(`${key}/used`, '1', options))) return undefined
  await ephemeral.delete(key)
  return openToken(keyring, code, sealed)
}
