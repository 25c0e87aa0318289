/**
 * The delivery log of webhooks in the object store: attempts, receipts, requested redeliveries, and
 * events whose delivery failed. The log is the only record of them.
 */
import { decodeObject, encodeJson } from '../../domain/json-object.ts'
import { readJson } from '../store/read-json.ts'
import { isObjectKey } from '../../domain/object-names.ts'
import { JSON_TYPE } from '../../domain/media-types.ts'
import type { ObjectStore, StoredObject } from '../../domain/ports/object-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import {
  isAttempt,
  LISTED_STATES,
  type Attempt,
  type AttemptEnding,
  type DeliveryReceipt,
  type ListedState,
} from '../../domain/cases/webhook-attempts.ts'
import {
  deliveryFolder,
  deliveryKey,
  endedWebhookKey,
  endedWebhooksFolder,
  receiptKey,
  redeliveryFolder,
  redeliveryKey,
  redeliveryOf,
} from '../../domain/cases/keys.ts'
import type { DueWebhook } from '../../domain/cases/webhooks.ts'

/** More than all rounds of one event can have. */
const MAXIMUM_ATTEMPTS = 1000
/** At most one per event of a case. */
const MAXIMUM_REQUESTS = 1000

/** An event whose delivery failed, as listed across all cases of its tenant. */
export interface EndedWebhook extends DueWebhook {
  caseId: string
  endedAt: string
}

/** A round that a tenant requested. */
export interface Request {
  eventId: string
  round: number
}

/** Identifies one event of one case. */
export interface EventPlace {
  key: CaseKey
  event: DueWebhook
}

/** Decodes an attempt; undefined for content that the service did not write. */
function decodeAttempt(object: StoredObject): Attempt | undefined {
  const value = decodeObject<Partial<Attempt>>(object)
  return value && isAttempt(value) ? value : undefined
}

/** Whether a listed event has what its readers need. */
const isListed = (event: Partial<EndedWebhook>): boolean =>
  [event.eventId, event.type, event.occurredAt, event.caseId, event.endedAt].every(
    (member) => typeof member === 'string',
  )

/**
 * Returns the attempts of an event in order, except those older than the retention time. Content
 * that the service did not write counts as absent, so that it holds up nothing else of the case.
 */
export async function readAttempts(
  key: CaseKey,
  eventId: string,
  objects: Pick<ObjectStore, 'get' | 'list'>,
): Promise<Attempt[]> {
  const stats = await objects.list(deliveryFolder(key, eventId), { limit: MAXIMUM_ATTEMPTS })
  const named = stats.filter((stat) => isObjectKey(stat.key))
  const found = await Promise.all(named.map((stat) => objects.get(stat.key)))
  return found.flatMap((object) => (object && decodeAttempt(object)) ?? [])
}

/** Returns the requested rounds of the case that have not ended. */
export async function readRequests(
  key: CaseKey,
  objects: Pick<ObjectStore, 'list'>,
): Promise<Request[]> {
  const stats = await objects.list(redeliveryFolder(key), { limit: MAXIMUM_REQUESTS })
  return stats.flatMap((stat) => redeliveryOf(stat.key) ?? [])
}

/** Attempts and redeliveries of webhooks, stored as write-once objects of their case. */
export class DeliveryLog {
  readonly #objects: ObjectStore

  constructor(objects: ObjectStore) {
    this.#objects = objects
  }

  /** See {@link readAttempts}. */
  attempts(key: CaseKey, eventId: string): Promise<Attempt[]> {
    return readAttempts(key, eventId, this.#objects)
  }

  /**
   * Claims a position in the log. An object there that is not an attempt is replaced.
   *
   * @returns false when another process claimed it first
   */
  async claim(key: CaseKey, eventId: string, attempt: Attempt): Promise<boolean> {
    const objectKey = deliveryKey(key, eventId, attempt.number)
    const bytes = encodeJson(attempt)
    if (await this.#objects.putIfAbsent(objectKey, bytes, JSON_TYPE)) return true
    const other = await this.#objects.get(objectKey)
    if (!other || decodeAttempt(other)) return false
    const options = { contentType: JSON_TYPE, generation: other.generation }
    return (await this.#objects.compareAndSwap(objectKey, bytes, options)) !== undefined
  }

  /**
   * Records the ending of a claimed attempt; does nothing when the attempt is gone or has an
   * ending.
   */
  async finish(key: CaseKey, eventId: string, attempt: Attempt, ending: AttemptEnding) {
    const objectKey = deliveryKey(key, eventId, attempt.number)
    const stat = await this.#objects.stat(objectKey)
    if (!stat) return
    const { generation } = stat
    const bytes = encodeJson({ ...attempt, ending })
    await this.#objects.compareAndSwap(objectKey, bytes, { contentType: JSON_TYPE, generation })
  }

  /** Returns the ending of the latest round of the event; undefined when no round has ended. */
  async receipt(key: CaseKey, eventId: string): Promise<DeliveryReceipt | undefined> {
    return readJson<DeliveryReceipt>(this.#objects, receiptKey(key, eventId))
  }

  /** See {@link readRequests}. */
  requests(key: CaseKey): Promise<Request[]> {
    return readRequests(key, this.#objects)
  }

  /** Requests a round; idempotent. */
  async request(key: CaseKey, { eventId, round }: Request, at: Date): Promise<void> {
    const objectKey = redeliveryKey(key, eventId, round)
    await this.#objects.putIfAbsent(
      objectKey,
      encodeJson({ requestedAt: at.toISOString() }),
      JSON_TYPE,
    )
  }

  /** Deletes what {@link request} stored, because the round has ended. */
  async forget(key: CaseKey, { eventId, round }: Request): Promise<void> {
    await this.#objects.delete(redeliveryKey(key, eventId, round))
  }

  /**
   * Records the ending of a round. The tenant's list is written first, so that every receipt has
   * its list entry. Idempotent.
   */
  async end({ key, event }: EventPlace, receipt: DeliveryReceipt): Promise<void> {
    const objectKey = receiptKey(key, event.eventId)
    const before = await this.#objects.get(objectKey)
    const lastRound = (before && decodeObject<DeliveryReceipt>(before)?.round) ?? 0
    if (lastRound > receipt.round) return
    for (const state of LISTED_STATES) await this.#list(state, { key, event }, receipt, before)
    const generation = before?.generation
    const options = { contentType: JSON_TYPE, generation }
    await this.#objects.compareAndSwap(objectKey, encodeJson(receipt), options)
    if (receipt.round > 1) await this.forget(key, { ...event, round: receipt.round })
  }

  /**
   * Returns a page of the tenant's events with this end state, oldest first.
   *
   * @param after name of the last event of the previous page
   * @returns each event with its name in the list; undefined for one that a redelivery has just
   *   taken off the list, and for content that the service did not write
   */
  async ended(
    tenant: string,
    state: ListedState,
    { limit, after }: { limit: number; after?: string },
  ): Promise<{ name: string; event: EndedWebhook | undefined }[]> {
    const folder = endedWebhooksFolder(tenant, state)
    const from = after === undefined ? {} : { after: `${folder}${after}` }
    const stats = await this.#objects.list(folder, { limit, ...from })
    const found = stats.map(async ({ key }) => {
      const event = isObjectKey(key) ? await readJson<EndedWebhook>(this.#objects, key) : undefined
      return { name: key.slice(folder.length), event: event && isListed(event) ? event : undefined }
    })
    return Promise.all(found)
  }

  async #list(
    listed: ListedState,
    { key, event }: EventPlace,
    { state, endedAt }: DeliveryReceipt,
    before: StoredObject | undefined,
  ): Promise<void> {
    const objectKey = endedWebhookKey(key.tenant, listed, event)
    if (listed === state) {
      const value: EndedWebhook = { ...event, caseId: key.caseId, endedAt }
      await this.#putNewest(objectKey, encodeJson(value))
    } else if (before) await this.#objects.delete(objectKey)
  }

  /** Writes an object, or replaces that of an earlier round. Of two writers at once, one counts. */
  async #putNewest(objectKey: string, bytes: Uint8Array): Promise<void> {
    if (await this.#objects.putIfAbsent(objectKey, bytes, JSON_TYPE)) return
    const { generation } = (await this.#objects.stat(objectKey)) ?? {}
    await this.#objects.compareAndSwap(objectKey, bytes, { contentType: JSON_TYPE, generation })
  }
}
