/**
 * The delivery log of webhooks in the object store: attempts, receipts, rounds that tenants asked
 * for, and events that ended badly. Nothing of it is kept anywhere else.
 */
import { decodeJson, encodeJson, readJson } from '../json-object.ts'
import { JSON_TYPE } from '../media-types.ts'
import type { ObjectStore, StoredObject } from '../ports/object-store.ts'
import type { CaseKey } from '../ports/stores.ts'
import type { Attempt, AttemptEnding, DeliveryReceipt, EndState } from './deliveries.ts'
import {
  deliveryFolder,
  deliveryKey,
  endedWebhookKey,
  endedWebhooksFolder,
  receiptKey,
  redeliveryFolder,
  redeliveryKey,
  redeliveryOf,
} from './keys.ts'
import type { OwedWebhook } from './webhooks.ts'

/** More than the rounds of one event can make. */
const MAXIMUM_ATTEMPTS = 1000
/** One for each event of a case. */
const MAXIMUM_REQUESTS = 1000

/** The states in which events are listed over all cases. */
export const LISTED_STATES = ['dead', 'failed'] as const satisfies readonly EndState[]
export type ListedState = (typeof LISTED_STATES)[number]

/** An event that ended badly, as it is listed over all cases of its tenant. */
export interface EndedWebhook extends OwedWebhook {
  caseId: string
  endedAt: string
}

/** A round that a tenant asked for. */
export interface Request {
  eventId: string
  round: number
}

/** Names one event of one case. */
export interface EventPlace {
  key: CaseKey
  event: OwedWebhook
}

/** Attempts and redeliveries of webhooks, as objects of their case that are written once. */
export class DeliveryLog {
  readonly #objects: ObjectStore

  constructor(objects: ObjectStore) {
    this.#objects = objects
  }

  /** Attempts of an event in order, those older than the retention excepted. */
  async attempts(key: CaseKey, eventId: string): Promise<Attempt[]> {
    const folder = deliveryFolder(key, eventId)
    const stats = await this.#objects.list(folder, { limit: MAXIMUM_ATTEMPTS })
    const objects = await Promise.all(stats.map((stat) => this.#objects.get(stat.key)))
    return objects.flatMap((object) => (object ? [decodeJson<Attempt>(object)] : []))
  }

  /** Claims a place in the log. @returns false when another process was first */
  claim(key: CaseKey, eventId: string, attempt: Attempt): Promise<boolean> {
    const place = deliveryKey(key, eventId, attempt.number)
    return this.#objects.putIfAbsent(place, encodeJson(attempt), JSON_TYPE)
  }

  /**
   * Notes how a claimed attempt ended; nothing when it is gone, or was ended by another process.
   */
  async finish(key: CaseKey, eventId: string, attempt: Attempt, ending: AttemptEnding) {
    const place = deliveryKey(key, eventId, attempt.number)
    const stat = await this.#objects.stat(place)
    if (!stat) return
    const { generation } = stat
    const bytes = encodeJson({ ...attempt, ending })
    await this.#objects.compareAndSwap(place, bytes, { contentType: JSON_TYPE, generation })
  }

  /** How the latest round of the event ended; undefined while none has. */
  async receipt(key: CaseKey, eventId: string): Promise<DeliveryReceipt | undefined> {
    return readJson<DeliveryReceipt>(this.#objects, receiptKey(key, eventId))
  }

  /** Rounds of the case that were asked for and have not ended. */
  async requests(key: CaseKey): Promise<Request[]> {
    const stats = await this.#objects.list(redeliveryFolder(key), { limit: MAXIMUM_REQUESTS })
    return stats.flatMap((stat) => redeliveryOf(stat.key) ?? [])
  }

  /** Asks for a round; asking twice for the same is asking once. */
  async request(key: CaseKey, { eventId, round }: Request, at: Date): Promise<void> {
    const place = redeliveryKey(key, eventId, round)
    await this.#objects.putIfAbsent(place, encodeJson({ requestedAt: at.toISOString() }), JSON_TYPE)
  }

  /** Takes back what {@link request} put: the round has ended. */
  async forget(key: CaseKey, { eventId, round }: Request): Promise<void> {
    await this.#objects.delete(redeliveryKey(key, eventId, round))
  }

  /**
   * Says how a round ended: in the list of the tenant first, so that no receipt is without its
   * place there. Each part can be done again.
   */
  async end({ key, event }: EventPlace, receipt: DeliveryReceipt): Promise<void> {
    const place = receiptKey(key, event.eventId)
    const before = await this.#objects.get(place)
    const lastRound = before ? decodeJson<DeliveryReceipt>(before).round : 0
    if (lastRound > receipt.round) return
    for (const state of LISTED_STATES) await this.#list(state, { key, event }, receipt, before)
    const generation = before?.generation
    const options = { contentType: JSON_TYPE, generation }
    await this.#objects.compareAndSwap(place, encodeJson(receipt), options)
    if (receipt.round > 1) await this.forget(key, { ...event, round: receipt.round })
  }

  /**
   * A page of the tenant's events that ended so, the first to occur first.
   *
   * @param after name of the last event of the page before
   * @returns each with its name in the list
   */
  async ended(
    tenant: string,
    state: ListedState,
    { limit, after }: { limit: number; after?: string },
  ): Promise<{ name: string; event: EndedWebhook }[]> {
    const folder = endedWebhooksFolder(tenant, state)
    const from = after === undefined ? {} : { after: `${folder}${after}` }
    const stats = await this.#objects.list(folder, { limit, ...from })
    const objects = await Promise.all(stats.map((stat) => this.#objects.get(stat.key)))
    return objects.flatMap((object) =>
      object
        ? [{ name: object.key.slice(folder.length), event: decodeJson<EndedWebhook>(object) }]
        : [],
    )
  }

  async #list(
    listed: ListedState,
    { key, event }: EventPlace,
    { state, endedAt }: DeliveryReceipt,
    before: StoredObject | undefined,
  ): Promise<void> {
    const place = endedWebhookKey(key.tenant, listed, event)
    if (listed === state) {
      const value: EndedWebhook = { ...event, caseId: key.caseId, endedAt }
      await this.#objects.putIfAbsent(place, encodeJson(value), JSON_TYPE)
    } else if (before) await this.#objects.delete(place)
  }
}
