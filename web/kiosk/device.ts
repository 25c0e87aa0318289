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

/**
 * Exchanges the token for the cookie that opens the channel; the token is not stored.
 *
 * @returns undefined when the token does not work
 */
export async function pair(token: string): Promise<Device | undefined> {
  const response = await fetch('/kiosk/pair', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
    signal: AbortSignal.timeout(PAIR_LIMIT_MS),
  })
  if (!response.ok) return undefined
  const { deviceId, name, channel } = (await response.json()) as PairedAnswer
  const device = { deviceId, name, channel }
  localStorage.setItem(DEVICE, JSON.stringify(device))
  return device
}
