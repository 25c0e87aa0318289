/** Kiosks' routes: pairing, and the real-time channel (specification 6.3; design 8). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { exchangePairingCode } from '../../application/kiosks/pairing-codes.ts'
import { parsePairingCode } from '../../domain/devices/pairing-code.ts'
import { PairedAnswer, PairInput } from '../../domain/contract/device.ts'
import * as examples from '../../domain/contract/examples.ts'
import { JSON_TYPE } from '../../domain/media-types.ts'
import type { ApiDeps } from '../deps.ts'
import {
  authenticateDevice,
  deviceCookie,
  readDevice,
  type Kiosk,
} from '../devices/authentication.ts'
import { EVENT_STREAM } from '../devices/events.ts'
import { DeviceStreams } from '../devices/streams.ts'
import { unauthorized } from '../authentication.ts'
import { logIds } from '../logging.ts'
import { originOf } from '../origin.ts'
import { presentDevice } from '../present/device.ts'
import {
  BODY_REFUSALS,
  DEVICE_PARAMS,
  PUBLIC_REFUSALS,
  refusals,
  shownBy,
} from '../route-schemas.ts'
import { callerOf, throttlePublic } from '../throttle.ts'

const tags = ['kiosk']

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on the kiosks' channel alone. */
    kiosk: Kiosk
  }
}

/** Response header with the credential of the kiosk. */
const cookieHeader = (when: string) => ({
  'set-cookie': { type: 'string', description: `The cookie of the kiosk for its channel${when}` },
})

const pairing = {
  tags,
  operationId: 'pairKiosk',
  summary: 'Exchange the token of a kiosk, or a pairing code, for a cookie',
  body: shownBy(PairInput, examples.PAIR_INPUT),
  response: {
    200: {
      description: 'The kiosk; the cookie comes with it',
      headers: cookieHeader(''),
      content: { [JSON_TYPE]: { schema: PairedAnswer, example: examples.PAIRED_ANSWER } },
    },
    ...refusals(...BODY_REFUSALS, 'unauthorized', ...PUBLIC_REFUSALS),
  },
}

const channel = {
  tags,
  operationId: 'deviceEvents',
  summary: "A device's real-time channel",
  description:
    'Server-sent events `device.open_case` (caseId, participantId, url, title) and ' +
    '`device.close_case` (caseId, participantId, reason). With `Last-Event-ID`, and at every ' +
    'start, the kiosk receives what it should show now if it does not show it yet. ' +
    '`device.branding` has the look of the tenant, as `getBranding` returns it. A device has one ' +
    'stream: an older one ends with `device.replaced`.',
  security: [{ device: [] }, { deviceCookie: [] }] as Record<string, string[]>[],
  params: DEVICE_PARAMS,
  headers: Type.Object({
    'Last-Event-ID': Type.Optional(
      Type.String({ description: '`id` of the last event that the kiosk received' }),
    ),
  }),
  response: {
    200: {
      description: 'Events, for as long as it lasts',
      headers: cookieHeader(', anew, when the request has it'),
      content: {
        [EVENT_STREAM]: {
          schema: { type: 'string' },
          examples: { open: { value: examples.DEVICE_EVENT } },
        },
      },
    },
    ...refusals('unauthorized', ...PUBLIC_REFUSALS, 'EVENTS_UNAVAILABLE'),
  },
}

function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const given = headers['last-event-id']
  return typeof given === 'string' ? given : undefined
}

function openStream(request: FastifyRequest, reply: FastifyReply, streams: DeviceStreams): void {
  const { device, cookie } = request.kiosk
  reply.hijack()
  streams.open({
    device,
    response: reply.raw,
    lastEventId: lastEventIdOf(request),
    headers: { ...reply.getHeaders(), ...(cookie === undefined ? {} : { 'set-cookie': cookie }) },
  })
}

/**
 * Exchanges a pairing code for the token of its device.
 *
 * @returns a text that is not a pairing code as it is
 * @throws AuthenticationError, ThrottledError
 */
async function readToken(given: string, request: FastifyRequest, deps: ApiDeps): Promise<string> {
  const code = parsePairingCode(given)
  if (code === undefined) return given
  const caller = callerOf(originOf(request).ip)
  const token = await exchangePairingCode(code, caller, deps)
  if (token === undefined) throw unauthorized()
  return token
}

/** Owns the open channels, and ends them when the server begins to close. */
export const kioskRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const streams = new DeviceStreams({ ...deps, log: app.log })
    app.addHook('preClose', () => streams.close())
    throttlePublic(app, deps)

    app.post('/kiosk/pair', { schema: pairing }, async (request, reply) => {
      const token = await readToken(request.body.token, request, deps)
      const device = await readDevice(token, deps)
      reply.header('set-cookie', deviceCookie(token, deps))
      return presentDevice(device)
    })

    app.decorateRequest('kiosk')
    app.get(
      '/devices/:deviceId/events',
      {
        // A stream has no head of its own: it would take the place of the kiosk's.
        exposeHeadRoute: false,
        config: { isEventStream: true },
        async onRequest(request) {
          request.kiosk = await authenticateDevice(request, deps)
          logIds(request, { tenant: request.kiosk.device.metadata.namespace })
        },
        schema: channel,
      },
      async (request, reply) => {
        await streams.listen()
        openStream(request, reply, streams)
      },
    )
  }
