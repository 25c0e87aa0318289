/** The `KioskDevice` resource: a kiosk of a tenant, and the case that it shows. */
import { Type, type Static } from '@sinclair/typebox'
import { PHASES } from '../cases/status.ts'
import { API_VERSION, type ObjectMeta } from '../resources.ts'
import { sha256, stringEnum, timestamp, uuid } from '../schema-parts.ts'
import * as limits from '../limits.ts'

/** Why a kiosk stops showing a case: the participant signed, or the final status of the case. */
const CLOSE_REASONS = ['SIGNED', ...PHASES] as const
export type CloseReason = (typeof CLOSE_REASONS)[number]

export const HandOver = Type.Object(
  {
    eventId: Type.String({
      pattern: '^\\d{1,16}-\\d{1,9}$',
      maxLength: 26,
      description: '`<ms>-<n>`, greater than all earlier ids of this device',
    }),
    state: stringEnum(['open', 'closed'], {
      description: 'Whether the kiosk shows the case',
    }),
    caseId: uuid('Case that was handed over'),
    participantId: uuid('Participant who signs'),
    reason: Type.Optional(stringEnum(CLOSE_REASONS, { description: 'Why the case was closed' })),
  },
  { description: 'The latest handover of a case to the kiosk' },
)
export type HandOver = Static<typeof HandOver>

export const DeviceSpec = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: limits.MAXIMUM_DEVICE_NAME_LENGTH,
      description: 'Display name of the kiosk',
    }),
    created: timestamp('When the kiosk was registered'),
    tokenSha256: sha256('SHA-256 of the device token'),
    handOver: Type.Optional(HandOver),
  },
  { description: 'State of the kiosk; only the service writes it' },
)
export type DeviceSpec = Static<typeof DeviceSpec>

export const DEVICE_KIND = 'KioskDevice'

/** `metadata.name` is the device's id (a UUID), `metadata.namespace` its tenant. */
export interface Device {
  apiVersion: typeof API_VERSION
  kind: typeof DEVICE_KIND
  metadata: ObjectMeta
  spec: DeviceSpec
}

/** @returns the new resource */
export function newDevice(tenant: string, deviceId: string, spec: DeviceSpec): Device {
  const metadata = { name: deviceId, namespace: tenant }
  return { apiVersion: API_VERSION, kind: DEVICE_KIND, metadata, spec }
}
