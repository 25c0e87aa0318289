/** Requests and responses of the kiosk routes (specification 2.6, 4.5, 4.6; design 8). */
import { Type, type Static } from '@sinclair/typebox'
import { MAXIMUM_DEVICE_NAME_LENGTH } from '../limits.ts'
import { uuid } from '../schema-parts.ts'
import { ONE_LINE } from '../visible-text.ts'

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
  { wellFormed: true },
)

const deviceCore = {
  deviceId: uuid('Id of the kiosk'),
  name: Type.String(),
  created: Type.String({ format: 'date-time' }),
  channel: Type.String({ description: "Path of the device's real-time channel" }),
}

export const RegisteredDeviceAnswer = Type.Object({
  ...deviceCore,
  token: Type.String({ description: 'Credential for the channel; returned only once' }),
})

export const DevicesAnswer = Type.Object({
  devices: Type.Array(Type.Object(deviceCore)),
  nextCursor: Type.Optional(Type.String()),
})

export const OpenInput = Type.Object(
  { deviceId: uuid('The kiosk that shows the case') },
  { wellFormed: true },
)

export const OpenedAnswer = Type.Object({
  caseId: uuid('The case'),
  participantId: uuid('Participant who signs'),
  deviceId: uuid('The kiosk'),
})

export const PairInput = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: MAXIMUM_TOKEN_LENGTH,
      description: 'From the response of the registration',
    }),
  },
  { wellFormed: true },
)

export const PairedAnswer = Type.Object(deviceCore)
export type PairedAnswer = Static<typeof PairedAnswer>
