/** What a kiosk remembers of itself; nothing of the people who sign on it. */
import type { PairedAnswer } from '../../domain/contract/device.ts'
import { guarded } from '../lib/guarded.ts'

export type Device = Pick<PairedAnswer, 'deviceId' | 'name' | 'channel'>

const DEVICE = 'kiosk/device'
const HANDLED = 'kiosk/handled'
/** What a header can carry. */
const EVENT_ID = /^[!-~]+$/
const PAIR_LIMIT_MS = 30_000

function isDevice(value: unknown): value is Device {
  const { deviceId, name, channel } = (value ?? {}) as Partial<Record<keyof Device, unknown>>
  if (typeof deviceId !== 'string' || typeof name !== 'string') return false
  const { origin, href } = window.location
  return typeof channel === 'string' && guarded(() => new URL(channel, href).origin) === origin
}

/** Undefined until the kiosk is paired, after it was removed, and when its entry is damaged. */
export function storedDevice(): Device | undefined {
  const stored = guarded((): unknown => JSON.parse(localStorage.getItem(DEVICE) ?? 'null'))
  return isDevice(stored) ? stored : undefined
}

/** What was handled goes along: events of another device are counted anew. */
export function forgetDevice(): void {
  guarded(() => localStorage.removeItem(DEVICE))
  guarded(() => localStorage.removeItem(HANDLED))
}

/** The last event that was handled completely: it is not to be sent again after a restart. */
export function handledEvent(): string | undefined {
  const eventId = guarded(() => localStorage.getItem(HANDLED)) ?? ''
  return EVENT_ID.test(eventId) ? eventId : undefined
}
/** As {@link handledEvent} gives it back. */
export const markHandled = (eventId: string): void =>
  void guarded(() => localStorage.setItem(HANDLED, eventId))

/** The token of `/kiosk#token`, once: the address and the history do not keep it. */
export function takeLinkedToken(): string | undefined {
  const token = window.location.hash.slice(1)
  if (token === '') return undefined
  window.history.replaceState(null, '', window.location.pathname)
  return token
}

/** Why a kiosk was not paired. Only `wrong` says something about the code or token. */
export type PairFault = 'wrong' | 'limited' | 'unanswered'

const WRONG = [400, 401]
const TOO_MANY_REQUESTS = 429

/** Exchanges the token for the cookie that opens the channel; the token is not stored. */
export async function pair(token: string): Promise<Device | PairFault> {
  const response = await fetch('/kiosk/pair', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
    signal: AbortSignal.timeout(PAIR_LIMIT_MS),
  }).catch(() => undefined)
  if (!response?.ok) {
    if (response?.status === TOO_MANY_REQUESTS) return 'limited'
    return response && WRONG.includes(response.status) ? 'wrong' : 'unanswered'
  }
  const paired = (await response.json().catch(() => undefined)) as PairedAnswer | undefined
  if (!paired) return 'unanswered'
  const { deviceId, name, channel } = paired
  const device = { deviceId, name, channel }
  guarded(() => localStorage.setItem(DEVICE, JSON.stringify(device)))
  return device
}
