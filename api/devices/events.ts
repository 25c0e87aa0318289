/** Events of the kiosk channel as the wire has them (server-sent events, HTML 9.2). */
import { deviceEventOf } from '../../domain/devices/handover.ts'
import type { HandOver } from '../../domain/devices/schema.ts'
import type { TenantLook } from '../../domain/ports/branding.ts'
import type { ApiDeps } from '../deps.ts'
import { NotFoundError } from '../../application/errors.ts'
import { presentBranding } from '../present/branding.ts'
import { mintSignerUrl } from '../present/case.ts'
import { readCase, type ObservedCase } from '../../application/cases/read-case.ts'

export type EventDeps = Pick<ApiDeps, 'cases' | 'keyring' | 'links' | 'baseUrl' | 'now'>

export const EVENT_STREAM = 'text/event-stream'

/** A line that clients skip: it shows both ends that the connection is alive. */
export const HEARTBEAT = ':\n\n'

/** After how many milliseconds a client that lost its stream comes back. */
export const retryField = (retryMs: number) => `retry: ${Math.round(retryMs)}\n\n`

/**
 * Informs the older of two streams of a device why it ends; its client then stays away for a while.
 */
export const replacedEvent = (retryMs: number) =>
  `event: device.replaced\n${`retry: ${Math.round(retryMs)}`}\ndata: {}\n\n`

/** The look of the tenant. It has no id: a kiosk gets it on every connection. */
export const brandingEvent = (look: TenantLook): string =>
  `event: device.branding\ndata: ${JSON.stringify(presentBranding(look, look.sender?.name))}\n\n`

/** JSON has no line breaks of its own: it is one `data` line. */
function field({ eventId }: HandOver, type: string, data: object): string {
  return `id: ${eventId}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}

async function readCaseOrNothing(tenant: string, caseId: string, deps: EventDeps) {
  try {
    return await readCase({ tenant, caseId }, deps)
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}

/**
 * The event that notifies a kiosk of a handover in its current state. The signing link is made here
 * and is not stored.
 */
export async function buildDeviceEvent(
  tenant: string,
  current: HandOver,
  deps: EventDeps,
): Promise<string> {
  const { caseId, participantId } = current
  const seen: ObservedCase | undefined =
    current.state === 'open' ? await readCaseOrNothing(tenant, caseId, deps) : undefined
  const { type, ...data } = deviceEventOf(current, seen, deps.now().getTime())
  if (type === 'device.close_case') return field(current, type, { caseId, participantId, ...data })
  const url = await mintSignerUrl({ tenant, caseId, participantId }, deps)
  return field(current, type, { caseId, participantId, url, ...data })
}
