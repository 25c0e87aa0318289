/** The `KioskDevice` resource: a kiosk of a tenant, and which case it shows to whom. */
import { Type, type Static } from '@sinclair/typebox'
import { PHASES } from '../cases/status.ts'
import { API_VERSION, type ObjectMeta } from '../resources.ts'
import { sha256, stringEnum, timestamp, uuid } from '../schema-parts.ts'
import * as limits from '../limits.ts'

/** Why a kiosk shows a case no longer: its participant signed, or the case ended as this. */
const CLOSE_REASONS = ['SIGNED', ...PHASES] as const
export type CloseReason = (typeof CLOSE_REASONS)[number]

export const HandOver = Type.Object(
  {
    eventId: Type.String({
      pattern: '^\\d{1,16}-\\d{1,9}$',
      maxLength: 26,
      description: '`<ms>-<n>`, greater than every one before it on this device',
    }),
    state: stringEnum(['open', 'closed'], {
      description: 'Whether the case is shown or was closed',
    }),
    caseId: uuid('Case that is shown'),
    participantId: uuid('Who signs it'),
    reason: Type.Optional(stringEnum(CLOSE_REASONS, { description: 'Why it was closed' })),
  },
  { description: 'What the kiosk was last told to show' },
)
export type HandOver = Static<typeof HandOver>

export const DeviceSpec = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: limits.MAXIMUM_DEVICE_NAME_LENGTH,
      description: 'What the tenant calls the kiosk',
    }),
    created: timestamp('When the kiosk was registered'),
    tokenSha256: sha256("Digest of the device's token"),
    handOver: Type.Optional(HandOver),
  },
  { description: 'What is known of the kiosk; the service writes it' },
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

/** @returns the resource as it is stored first */
export function newDevice(tenant: string, deviceId: string, spec: DeviceSpec): Device {
  const metadata = { name: deviceId, namespace: tenant }
  return { apiVersion: API_VERSION, kind: DEVICE_KIND, metadata, spec }
}
