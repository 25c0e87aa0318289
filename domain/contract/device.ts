/** Requests and responses of the kiosk routes (specification 2.6, 4.5, 4.6; design 8). */
import { Type, type Static } from '@sinclair/typebox'
import { MAXIMUM_DEVICE_NAME_LENGTH } from '../limits.ts'
import { timestamp, uuid } from '../schema-parts.ts'
import { ONE_LINE } from '../visible-text.ts'
import { nextCursor, optional } from './answer-parts.ts'

const MAXIMUM_TOKEN_LENGTH = 512

export const DeviceInput = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: MAXIMUM_DEVICE_NAME_LENGTH,
      visibleText: true,
      description: `Display name: ${ONE_LINE}`,
    }),
  },
  { wellFormed: true, description: 'A new kiosk' },
)

const deviceCore = {
  deviceId: uuid('Id of the kiosk'),
  name: Type.String({ description: 'Display name of the kiosk' }),
  created: timestamp('When the kiosk was registered'),
  channel: Type.String({ description: "Path of the device's real-time channel" }),
}

export const PairedAnswer = Type.Object(
  {
    ...deviceCore,
    connected: optional(
      Type.Boolean({
        description:
          'Whether the kiosk listens to its channel. Only in lists, and only where it is known. ' +
          'After a failure it can take two and a half minutes to become false',
      }),
    ),
  },
  { description: 'A kiosk of the tenant' },
)
export type PairedAnswer = Static<typeof PairedAnswer>

export const RegisteredDeviceAnswer = Type.Object(
  {
    ...deviceCore,
    token: Type.String({
      description: 'Credential of the kiosk, returned only here: the service keeps only its hash',
    }),
  },
  { description: 'A new kiosk with its token' },
)

export const DevicesAnswer = Type.Object(
  {
    devices: Type.Array(PairedAnswer, { description: 'Kiosks in the order of their ids' }),
    nextCursor: nextCursor(),
  },
  { description: 'A page of kiosks' },
)

export const OpenInput = Type.Object(
  { deviceId: uuid('Id of the kiosk that shows the case') },
  { wellFormed: true, description: 'The kiosk that shows the case' },
)

export const OpenedAnswer = Type.Object(
  {
    caseId: uuid('Id of the case'),
    participantId: uuid('Id of the participant who signs'),
    deviceId: uuid('Id of the kiosk'),
  },
  { description: 'A case that was handed to a kiosk' },
)

export const PairInput = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: MAXIMUM_TOKEN_LENGTH,
      description: '`token` from the response of the registration, or a pairing code',
    }),
  },
  { wellFormed: true, description: 'The token of a kiosk, or a pairing code for it' },
)

export const PairingCodeInput = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: MAXIMUM_TOKEN_LENGTH,
      description: '`token` from the response of the registration',
    }),
  },
  { wellFormed: true, description: 'The token of the kiosk' },
)

export const PairingCodeAnswer = Type.Object(
  {
    code: Type.String({ description: 'Eight characters with a hyphen; works once' }),
    expiresAt: timestamp('When the code expires, ten minutes after it was created'),
  },
  { description: 'A code that pairs the kiosk' },
)

/** The schemas of this file by the names that the OpenAPI document gives them. */
export const DEVICE_SCHEMAS = {
  Device: PairedAnswer,
  DeviceInput,
  DeviceList: DevicesAnswer,
  OpenedCase: OpenedAnswer,
  OpenInput,
  PairingCode: PairingCodeAnswer,
  PairingCodeInput,
  PairInput,
  RegisteredDevice: RegisteredDeviceAnswer,
} as const
