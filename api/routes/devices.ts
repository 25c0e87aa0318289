/** Tenants' kiosks: register, list, remove, and hand a case over (specification 4.5, 4.6). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { assertCanOpen } from '../../domain/cases/refusals.ts'
import {
  DeviceInput,
  DevicesAnswer,
  OpenedAnswer,
  OpenInput,
  PairingCodeAnswer,
  PairingCodeInput,
  RegisteredDeviceAnswer,
} from '../../domain/contract/device.ts'
import * as examples from '../../domain/contract/examples.ts'
import type { ApiDeps } from '../deps.ts'
import { assertRegistered, openOnDevice } from '../../application/kiosks/open.ts'
import { createPairingCode } from '../../application/kiosks/pairing-codes.ts'
import { registerDevice, removeDevice } from '../../application/kiosks/register.ts'
import { listDevices } from '../../application/kiosks/list-devices.ts'
import { NotFoundError } from '../../application/errors.ts'
import { isUuid } from '../../domain/ids.ts'
import type { DeviceKey } from '../../domain/ports/device-store.ts'
import { PAGE_QUERY } from '../paging.ts'
import { presentDevice, presentDevices } from '../present/device.ts'
import { participantOf, readCase } from '../../application/cases/read-case.ts'
import {
  BODY_REFUSALS,
  CASE_PARTICIPANT_PARAMS,
  DEVICE_PARAMS,
  refusals,
  shownBy,
  TENANT_REFUSALS,
} from '../route-schemas.ts'
import { tenantRoute } from '../tenant-route.ts'

const common = { tags: ['devices'], security: [{ tenant: [] }] }

const registration = {
  ...common,
  operationId: 'registerDevice',
  summary: 'Register a kiosk',
  body: shownBy(DeviceInput, examples.DEVICE_INPUT),
  response: {
    200: shownBy(RegisteredDeviceAnswer, examples.REGISTERED_DEVICE_ANSWER, 'With its token'),
    ...refusals(...BODY_REFUSALS, ...TENANT_REFUSALS),
  },
}

const listing = {
  ...common,
  operationId: 'listDevices',
  summary: 'List the kiosks',
  querystring: Type.Object(PAGE_QUERY),
  response: {
    200: shownBy(DevicesAnswer, examples.DEVICES_ANSWER, 'A page of kiosks'),
    ...refusals(...TENANT_REFUSALS, 'INVALID_LIMIT', 'INVALID_CURSOR'),
  },
}

const removal = {
  ...common,
  operationId: 'removeDevice',
  summary: 'Remove a kiosk; its stream ends and its token opens nothing any more',
  params: DEVICE_PARAMS,
  response: {
    204: { type: 'null', description: 'It is gone' },
    ...refusals(...BODY_REFUSALS, ...TENANT_REFUSALS, 'not-found'),
  },
}

const pairingCode = {
  ...common,
  operationId: 'createPairingCode',
  summary: 'Create a short code that pairs a kiosk',
  params: DEVICE_PARAMS,
  body: shownBy(PairingCodeInput, examples.PAIRING_CODE_INPUT),
  response: {
    200: shownBy(PairingCodeAnswer, examples.PAIRING_CODE_ANSWER, 'The code works once'),
    ...refusals(...BODY_REFUSALS, 'UNKNOWN_DEVICE', ...TENANT_REFUSALS, 'not-found'),
  },
}

const opening = {
  ...common,
  operationId: 'openOnDevice',
  summary: 'Hand a case to a kiosk for a participant',
  params: CASE_PARTICIPANT_PARAMS,
  body: shownBy(OpenInput, examples.OPEN_INPUT),
  response: {
    200: shownBy(OpenedAnswer, examples.OPENED_ANSWER, 'The kiosk has been notified'),
    ...refusals(
      ...BODY_REFUSALS,
      'UNKNOWN_DEVICE',
      ...TENANT_REFUSALS,
      'not-found',
      'ALREADY_SIGNED',
      'NOT_QUICK_SIGN',
      'PARTICIPANT_NOT_READY',
      'CASE_NOT_ACTIVE',
      'EVENTS_UNAVAILABLE',
    ),
  },
}

/** @throws NotFoundError */
async function assertExists(key: DeviceKey, { devices }: Pick<ApiDeps, 'devices'>): Promise<void> {
  if (!isUuid(key.deviceId) || !(await devices.get(key))) throw new NotFoundError('Device')
}

/** A kiosk's token is in the answer to its registration alone. */
export const deviceRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    tenantRoute(app, deps)

    app.post('/tenant/devices', { schema: registration }, async ({ tenant, body }) => {
      const registered = { tenant, name: body.name, secret: deps.randomSecret() }
      const { device, token } = await registerDevice(registered, deps)
      return { ...presentDevice(device), token }
    })

    app.get(
      '/tenant/devices',
      { schema: listing, attachValidation: true },
      async ({ tenant, query }) => presentDevices(await listDevices(tenant, query, deps)),
    )

    app.post(
      '/tenant/devices/:deviceId/pairingCode',
      {
        // A missing device is reported before the body is read.
        async onRequest({ tenant, params }) {
          await assertExists({ tenant, deviceId: params.deviceId.toLowerCase() }, deps)
        },
        schema: pairingCode,
      },
      async ({ tenant, params, body }) =>
        createPairingCode({ tenant, deviceId: params.deviceId }, body.token, deps),
    )

    app.delete('/tenant/devices/:deviceId', { schema: removal }, async (request, reply) => {
      const { tenant, params, log } = request
      await removeDevice({ tenant, deviceId: params.deviceId }, deps, (err) =>
        log.warn({ err }, 'the stream of a removed kiosk could not be notified'),
      )
      return reply.code(204).send()
    })

    app.post(
      '/cases/:caseId/participants/:participantId/open',
      {
        // A missing case or device is reported before the body is read.
        async onRequest({ tenant, params }) {
          participantOf(await readCase({ tenant, caseId: params.caseId }, deps), params)
        },
        schema: opening,
      },
      async ({ tenant, params, body }) => {
        const key = await assertRegistered(tenant, body, deps)
        const seen = await readCase({ tenant, caseId: params.caseId }, deps)
        const participant = participantOf(seen, params)
        const { definition } = seen.signatureCase.spec
        assertCanOpen(seen.view, definition, participant)
        const { caseId } = seen.key
        const showing = { caseId, participantId: participant.definition.id }
        await openOnDevice(key, showing, deps)
        return { ...showing, deviceId: key.deviceId }
      },
    )
  }
