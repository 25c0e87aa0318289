/**
 * The kiosks connected to this process: one subscription, one clock for all, and one stream
 * for each device.
 */
import type { ServerResponse } from 'node:http'
import { publishDeviceChange } from '../../application/kiosks/change.ts'
import { forgetConnection } from '../../application/kiosks/connections.ts'
import { parseDeviceChange, type DeviceChange } from '../../domain/devices/device-change.ts'
import type { Device } from '../../domain/devices/schema.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { DeviceKey } from '../../domain/ports/device-store.ts'
import { DEVICE_CHANGED } from '../../domain/ports/pub-sub.ts'
import type { ApiDeps } from '../deps.ts'
import { EVENT_STREAM, retryField } from './events.ts'
import { DeviceStream, lastEventOf, type StreamDeps } from './stream.ts'

export const HEARTBEAT_INTERVAL_MS = 15_000
/** Heartbeats are spread: ten thousand at once would delay everything else. */
const SLOTS = 150
const SLOT_MS = HEARTBEAT_INTERVAL_MS / SLOTS
/** Once a second the service checks whether notifications may have been lost. */
const SLOTS_PER_EPOCH_CHECK = 10
/** Then all streams refresh: a few at once, ten thousand within ten seconds. */
const REFRESHES_PER_SLOT = 100
/** Kiosks connect again after this time, so that connections spread over all processes. */
export const LONGEST_STREAM_MS = 15 * 60_000
const SHORTEST_STREAM_MS = 12 * 60_000
const SHORTEST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 3_000
/** Its multiples, modulo 1, are spread evenly, so streams that began together end apart. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2

const HEADERS = {
  'content-type': `${EVENT_STREAM}; charset=utf-8`,
  // For proxies that would collect the answer before they pass it on.
  'x-accel-buffering': 'no',
}

export type StreamsDeps = StreamDeps &
  Pick<ApiDeps, 'ephemeral' | 'timers' | 'randomUuid' | 'metrics' | 'tracer'>

const nameOf = ({ tenant, deviceId }: DeviceKey) => `${tenant}/${deviceId}`

export interface Listener {
  device: Device
  response: ServerResponse
  lastEventId: string | undefined
  /** Sent with the headers of an event stream. */
  headers: Record<string, string | string[] | number | undefined>
}

/** A process has one; streams that are open when it closes are ended by it. */
export class DeviceStreams {
  readonly #deps: StreamsDeps
  readonly #streams = new Map<string, DeviceStream>()
  readonly #slots = Array.from({ length: SLOTS }, () => new Set<DeviceStream>())
  /** Streams that may have missed a notification. */
  readonly #unsure = new Set<DeviceStream>()
  #listening: Promise<() => void> | undefined
  /** Epoch of the ephemeral store at the last check. */
  #epoch: string | undefined
  #stopClock: (() => void) | undefined
  #slot = 0
  #count = 0
  #closed = false

  constructor(deps: StreamsDeps) {
    this.#deps = deps
    this.#reportSize()
  }

  /** How many kiosks listen. */
  get size(): number {
    return this.#streams.size
  }

  /** Subscribes to changes of devices. @throws ServiceError EVENTS_UNAVAILABLE when it cannot */
  async listen(): Promise<void> {
    this.#listening ??= this.#listen()
    try {
      await this.#listening
    } catch (cause) {
      this.#listening = undefined
      throw new ServiceError('EVENTS_UNAVAILABLE', {}, { cause })
    }
  }

  async #listen(): Promise<() => void> {
    const { ephemeral } = this.#deps
    const end = await ephemeral.subscribe(DEVICE_CHANGED, (message) => {
      const change = parseDeviceChange(message)
      if (change) this.#onChange(change)
    })
    // Unknown: the first check has every stream look.
    this.#epoch = await ephemeral.epoch().catch(() => undefined)
    return end
  }

  /** Answers with a stream, which ends an older stream of the kiosk in any process. */
  open({ device, response, lastEventId, headers }: Listener): void {
    const { namespace: tenant, name: deviceId } = device.metadata
    const key = { tenant, deviceId }
    const nowMs = this.#deps.timers.nowMs()
    const spread = (this.#count++ * GOLDEN_RATIO) % 1
    const connection = `${nowMs}/${this.#deps.randomUuid()}`
    const lifeMs = SHORTEST_STREAM_MS + spread * (LONGEST_STREAM_MS - SHORTEST_STREAM_MS)
    const last = lastEventOf(lastEventId, device)
    const options = { key, connection, response, lastEventId: last, endsAtMs: nowMs + lifeMs }
    const stream = new DeviceStream(options, this.#deps)
    response.writeHead(200, { ...headers, ...HEADERS })
    response.write(retryField(SHORTEST_RETRY_MS + spread * (LONGEST_RETRY_MS - SHORTEST_RETRY_MS)))
    this.#keep(stream, response)
    // Registered first, so that the kiosk receives every handover from now on.
    void stream.refresh()
    void stream.sendBranding()
    void stream.recordConnection()
    publishDeviceChange({ ...key, connection }, this.#deps).catch((err: unknown) =>
      this.#deps.log.warn({ err, ...key }, 'an older stream may go on'),
    )
  }

  /** Ends every stream; the kiosks connect to another process. */
  async close(): Promise<void> {
    this.#closed = true
    this.#stopClock?.()
    let ended = 0
    for (const stream of this.#streams.values()) stream.shutDown((ended++ * GOLDEN_RATIO) % 1)
    const stop = await this.#listening?.catch(() => undefined)
    stop?.()
  }

  #keep(stream: DeviceStream, response: ServerResponse): void {
    const name = nameOf(stream.key)
    const slot = this.#slots[this.#count % SLOTS]
    this.#streams.get(name)?.replace()
    this.#streams.set(name, stream)
    this.#reportSize()
    slot?.add(stream)
    response.once('close', () => {
      slot?.delete(stream)
      this.#unsure.delete(stream)
      if (this.#streams.get(name) === stream) this.#streams.delete(name)
      this.#reportSize()
      // What is not deleted expires.
      void forgetConnection(stream.key, stream.connection, this.#deps).catch(() => undefined)
    })
    if (this.#closed) stream.shutDown(0)
    else if (!this.#stopClock) this.#armClock()
  }

  #reportSize(): void {
    this.#deps.metrics.set('sigcase_kiosk_streams', {}, this.#streams.size)
  }

  #onChange({ connection, traceparent: parent, ...key }: DeviceChange): void {
    const stream = this.#streams.get(nameOf(key))
    if (!stream) return
    const { tracer } = this.#deps
    if (connection !== undefined) {
      if (connection > stream.connection) stream.replace()
    } else if (tracer && parent !== undefined) {
      const attributes = { 'sigcase.tenant': key.tenant }
      const options = { kind: 'consumer', attributes, parent } as const
      void tracer.span('kiosk receive', options, () => stream.refresh())
    } else void stream.refresh()
  }

  /** While the subscription was interrupted, other processes may have published: all refresh. */
  async #checkEpoch(): Promise<void> {
    const epoch = await this.#deps.ephemeral.epoch().catch(() => undefined)
    if (epoch === undefined || epoch === this.#epoch) return
    this.#epoch = epoch
    for (const stream of this.#streams.values()) this.#unsure.add(stream)
  }

  #refreshUnsure(): void {
    let refreshes = 0
    for (const stream of this.#unsure) {
      if (refreshes++ >= REFRESHES_PER_SLOT) return
      this.#unsure.delete(stream)
      void stream.refresh()
    }
  }

  /** Runs while anybody listens. */
  #armClock(): void {
    this.#stopClock = this.#deps.timers.after(SLOT_MS, () => {
      this.#stopClock = undefined
      this.#slot = (this.#slot + 1) % SLOTS
      for (const stream of this.#slots[this.#slot] ?? []) stream.beat()
      if (this.#slot % SLOTS_PER_EPOCH_CHECK === 0) void this.#checkEpoch()
      this.#refreshUnsure()
      if (this.#streams.size > 0 && !this.#closed) this.#armClock()
    })
  }
}
