/** One kiosk that listens: an open response, and the last event that went into it. */
import type { ServerResponse } from 'node:http'
import { recordConnection } from '../../application/kiosks/connections.ts'
import { eventMs, isLater } from '../../domain/devices/event-id.ts'
import type { Device } from '../../domain/devices/schema.ts'
import type { DeviceKey } from '../../domain/ports/device-store.ts'
import type { ApiDeps } from '../deps.ts'
import {
  brandingEvent,
  buildDeviceEvent,
  HEARTBEAT,
  replacedEvent,
  retryField,
  type EventDeps,
} from './events.ts'

/** What a client may leave unread of what the machine could not send; an event has half a KB. */
const MAXIMUM_UNREAD_BYTES = 16 * 1024
/**
 * After so many heartbeats, the connection is recorded and the device is read again: a notification
 * may be lost.
 */
const HEARTBEATS_PER_REFRESH = 4
/** After the normal end of a stream, the kiosk connects again soon. */
const ROTATION_RETRY_MS = 250
/** When a process ends, its kiosks connect again spread over this time. */
const SHUTDOWN_RETRY_SPREAD_MS = 1_750
/** The older of two kiosks with one token must not take the stream back at once. */
const REPLACED_RETRY_MS = 60_000
const MILLISECONDS_PER_SECOND = 1_000

export type StreamDeps = EventDeps &
  Pick<ApiDeps, 'devices' | 'branding' | 'ephemeral' | 'metrics'> & { log: StreamLog }

export interface StreamLog {
  warn(details: object, message: string): void
}

export interface StreamOptions {
  key: DeviceKey
  /** `<ms>/<uuid>`; a later one is greater. */
  connection: string
  response: ServerResponse
  /** The last event that the kiosk has. */
  lastEventId: string | undefined
  /** When the stream ends and the kiosk connects again, in milliseconds since 1970. */
  endsAtMs: number
}

/** Where the kiosk goes on: an id beyond the record was never given out and counts for nothing. */
export function lastEventOf(given: string | undefined, { spec }: Device): string | undefined {
  const current = spec.handOver?.eventId
  if (given === undefined || current === undefined || isLater(given, current)) return undefined
  return given
}

/** Reads the record after a notification, and writes the events that the kiosk has not received. */
export class DeviceStream {
  readonly key: DeviceKey
  readonly connection: string
  readonly #response: ServerResponse
  readonly #deps: StreamDeps
  readonly #endsAtMs: number
  readonly #openedAtMs: number
  #lastEventId: string | undefined
  #beats = 0
  #refreshing: Promise<void> | undefined
  #again = false
  #ended = false

  constructor(options: StreamOptions, deps: StreamDeps) {
    this.key = options.key
    this.connection = options.connection
    this.#response = options.response
    this.#lastEventId = options.lastEventId
    this.#endsAtMs = options.endsAtMs
    this.#deps = deps
    this.#openedAtMs = deps.now().getTime()
  }

  /** Reads the record and sends what the kiosk does not know; simultaneous calls share one read. */
  async refresh(): Promise<void> {
    if (this.#refreshing) {
      this.#again = true
      return this.#refreshing
    }
    this.#refreshing = this.#refreshUntilCurrent()
    return this.#refreshing
  }

  /** Sends the look of the tenant for the screens before and after a document (decision 226). */
  async sendBranding(): Promise<void> {
    const { branding, log } = this.#deps
    if (!branding) return
    try {
      const look = await branding.read(this.key.tenant)
      // It does not count towards the limit: up to 17 KB, once in a stream. The next heartbeat ends
      // the stream of a client that does not read.
      if (!this.#ended) this.#response.write(brandingEvent(look))
    } catch (error) {
      // The kiosk works without it; the next stream sends it.
      log.warn({ err: error, ...this.key }, 'the look of the tenant could not be read')
    }
  }

  /** To be called once in a while: rotates, cuts a client that does not read, or shows life. */
  beat(): void {
    // What was written a heartbeat ago, the end included, should have left the process long since.
    if (this.#ended || this.#response.writableLength > 0) return this.cut()
    if (this.#deps.now().getTime() >= this.#endsAtMs) {
      return this.#end(retryField(ROTATION_RETRY_MS))
    }
    this.#write(HEARTBEAT)
    this.#beats = (this.#beats + 1) % HEARTBEATS_PER_REFRESH
    if (this.#beats !== 0) return
    void this.refresh()
    void this.recordConnection()
  }

  /** Records that the kiosk listens, for the list of the tenant. */
  async recordConnection(): Promise<void> {
    try {
      await recordConnection(this.key, this.connection, this.#deps)
    } catch (error) {
      this.#deps.log.warn({ err: error, ...this.key }, 'the connection could not be recorded')
    }
  }

  /** Ends it because the device opened another. */
  replace(): void {
    this.#end(replacedEvent(REPLACED_RETRY_MS))
  }

  /** Ends it; the client comes back. */
  end(): void {
    this.#end('')
  }

  /**
   * Ends it because the process shuts down; the client reconnects to another one.
   *
   * @param share 0 to 1: how late it reconnects, compared with the other streams
   */
  shutDown(share: number): void {
    this.#end(retryField(ROTATION_RETRY_MS + share * SHUTDOWN_RETRY_SPREAD_MS))
  }

  /** Drops the connection with what is unsent. */
  cut(): void {
    this.#ended = true
    this.#response.destroy()
  }

  async #refreshUntilCurrent(): Promise<void> {
    try {
      do {
        this.#again = false
        await this.#refreshOnce()
      } while (this.#again && !this.#ended)
    } catch (error) {
      // The next heartbeat looks again.
      this.#beats = HEARTBEATS_PER_REFRESH - 1
      this.#deps.log.warn({ err: error, ...this.key }, 'the kiosk could not be notified')
    } finally {
      // In the same turn as the last check, so a later notification starts a new run.
      this.#refreshing = undefined
    }
  }

  async #refreshOnce(): Promise<void> {
    if (this.#ended) return
    const device = await this.#deps.devices.get(this.key)
    if (!device) return this.end()
    const { handOver } = device.spec
    if (!handOver || !isLater(handOver.eventId, this.#lastEventId)) return
    const text = await buildDeviceEvent(this.key.tenant, handOver, this.#deps)
    if (this.#ended) return
    this.#lastEventId = handOver.eventId
    this.#write(text)
    this.#measure(eventMs(handOver.eventId))
  }

  /** Measures what was published while the stream was open; before that, nobody listened. */
  #measure(publishedAtMs: number): void {
    const { metrics, now } = this.#deps
    if (publishedAtMs < this.#openedAtMs) return
    const seconds = Math.max(now().getTime() - publishedAtMs, 0) / MILLISECONDS_PER_SECOND
    metrics.observe('sigcase_kiosk_delivery_seconds', {}, seconds)
  }

  #write(text: string): void {
    this.#response.write(text)
    if (this.#response.writableLength > MAXIMUM_UNREAD_BYTES) this.cut()
  }

  #end(lastText: string): void {
    if (this.#ended) return
    this.#ended = true
    this.#response.end(lastText)
  }
}
