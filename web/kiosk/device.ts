/** What a kiosk remembers of itself; nothing of the people who sign on it. */
import type { PairedAnswer } from '../../domain/contract/device.ts'

export type Device = Pick<PairedAnswer, 'deviceId' | 'name' | 'channel'>

const DEVICE = 'kiosk/device'
const HANDLED = 'kiosk/handled'
const PAIR_LIMIT_MS = 30_000

/** Undefined until the kiosk is paired, and after it was removed. */
export function storedDevice(): Device | undefined {
  const text = localStorage.getItem(DEVICE)
  return text === null ? undefined : (JSON.parse(text) as Device)
}

/** What was handled goes along: events of another device are counted anew. */
export function forgetDevice(): void {
  localStorage.removeItem(DEVICE)
  localStorage.removeItem(HANDLED)
}

/** The last event that was handled completely: it is not to be sent again after a restart. */
export const handledEvent = (): string | undefined => localStorage.getItem(HANDLED) ?? undefined
/** As {@link handledEvent} gives it back. */
export const markHandled = (eventId: string): void => localStorage.setItem(HANDLED, eventId)

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
  localStorage.setItem(DEVICE, JSON.stringify(device))
  return device
}
