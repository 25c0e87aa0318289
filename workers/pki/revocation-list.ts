/**
 * The certificate revocation list, built from the revocation objects and stored by
 * compare-and-swap.
 */
import { Buffer } from 'node:buffer'
import {
  publishedFile,
  publishedKey,
  PUBLISHED_TYPES,
  REVOCATION_FOLDER,
  type RevocationRecord,
} from '../../domain/pki.ts'
import type { IntegrityAlarm } from '../../domain/integrity-alarm.ts'
import { CLOCK_TOLERANCE_MS, REVOCATION_LIST_LIFE_MS } from '../../domain/limits.ts'
import { objectPages } from '../../application/store/object-pages.ts'
import { forgetRecent, readRecent } from '../../application/store/recent-objects.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type { ObjectStore, StoredObject } from '../../domain/ports/object-store.ts'
import type { SigningDevice } from '../../domain/ports/signing.ts'
import { decodeResult } from '../../domain/worker-results.ts'
import {
  isListOf,
  issueRevocationList,
  readRevocationList,
  type RevocationList,
  type RevokedCertificate,
} from '../../pades/index.ts'
import type { Authorities, Authority } from './authorities.ts'

/** The part of a store that the list needs. */
export type ListStore = Pick<ObjectStore, 'get' | 'list' | 'compareAndSwap'>

export interface RevocationListDeps {
  objects: ListStore
  signingDevice: SigningDevice
  keyring: Keyring<'worker-result'>
  alarm: Pick<IntegrityAlarm, 'raise'>
  now(): Date
}

/**
 * A list is valid for much longer. The time bounds how long another process that revoked a
 * certificate is not noticed.
 */
const LIST_REUSE_MS = 10_000
/** A list of an authority of the service. */
interface OwnList {
  list: RevocationList
  issuer: Authority
}

/** Lists whose signature was verified, by their bytes. */
const verified = new WeakMap<Uint8Array, OwnList>()

/** There are fewer processes than this, so more lost races mean another problem. */
const MAXIMUM_LOST_RACES = 100

/** An object that was read; it has no record when no worker wrote it. */
interface ReadRecord {
  generation: string
  record?: RevocationRecord
}

/** Records never change once written, so each process reads each of them once. */
const readRecords = new WeakMap<ListStore, Map<string, ReadRecord>>()

/** Reads all revocations, by object key; an object that no worker wrote revokes nothing. */
async function readRevocations({
  objects,
  keyring,
  alarm,
}: RevocationListDeps): Promise<ReadonlyMap<string, ReadRecord>> {
  const records = readRecords.get(objects) ?? new Map<string, ReadRecord>()
  readRecords.set(objects, records)
  for await (const page of objectPages(objects, REVOCATION_FOLDER)) {
    const missing = page.filter(
      ({ key, generation }) => records.get(key)?.generation !== generation,
    )
    const objectsRead = await Promise.all(missing.map(({ key }) => objects.get(key)))
    for (const object of objectsRead) {
      if (!object) continue
      const { key, generation } = object
      const opened = decodeResult<RevocationRecord>(keyring, object)
      if ('value' in opened) records.set(key, { generation, record: opened.value })
      else alarm.raise({ object: 'revocation', fault: opened.fault })
      if ('fault' in opened && !records.get(key)?.record) records.set(key, { generation })
    }
  }
  return records
}

/**
 * A record that no worker wrote, or whose key was retired, cannot end what our own list said: the
 * certificate stays on the list for as long as the object exists.
 */
function entriesOf(
  records: ReadonlyMap<string, ReadRecord>,
  previous: RevocationList | undefined,
  keyId: string,
  now: Date,
): RevokedCertificate[] {
  // An expired certificate stays on the list for the life of one more list (RFC 5280, 3.3).
  const endedMs = now.getTime() - REVOCATION_LIST_LIFE_MS
  return [...records].flatMap(([key, { record }]) => {
    const serialNumber = Buffer.from(key.slice(REVOCATION_FOLDER.length), 'hex')
    if (!record) {
      const { revokedAt, reason } = previous?.revocationOf(serialNumber) ?? {}
      if (!revokedAt) return []
      return [{ serialNumber, revokedAt, ...(reason && reason !== 'unspecified' && { reason }) }]
    }
    if (record.issuerKeyId !== keyId || Date.parse(record.notAfter) <= endedMs) return []
    return [{ serialNumber, revokedAt: new Date(record.revokedAt), reason: record.reason }]
  })
}

/** Number of a list; 0 without one. */
const numberOf = (list: RevocationList | undefined) =>
  (list?.number ?? new Uint8Array()).reduce((value, octet) => value * 256 + octet, 0)

/**
 * Returns a list number that follows the clock, so that numbers grow even if the previous list is
 * lost.
 */
function numberAfter(previous: RevocationList | undefined, now: Date): number {
  return Math.max(numberOf(previous) + 1, Math.floor(now.getTime() / 1000))
}

/**
 * Whether `list` follows `other`. Numbers decide (RFC 5280, 5.2.3), because a list with a later
 * date may be of a worker whose clock was ahead.
 */
export function isLaterList(list: RevocationList, other: RevocationList): boolean {
  const steps = numberOf(list) - numberOf(other)
  return steps === 0 ? list.thisUpdate > other.thisUpdate : steps > 0
}

function verifyList(bytes: Uint8Array, issuers: readonly Authority[]): OwnList | undefined {
  const known = verified.get(bytes)
  if (known && issuers.some(({ keyId }) => keyId === known.issuer.keyId)) return known
  const list = readRevocationList(bytes)
  const issuer = issuers.find(({ certificate }) => isListOf(list, certificate))
  if (!issuer) return undefined
  const own = { list, issuer }
  verified.set(bytes, own)
  return own
}

/**
 * Reads a stored list of an authority. Raises the alarm for a list that none of them issued.
 *
 * @param issuers those that the list may be of
 * @returns undefined for such a list; the caller replaces it
 */
export function readOwnList(
  { bytes }: Pick<StoredObject, 'bytes'>,
  issuers: readonly Authority[],
  { alarm }: Pick<RevocationListDeps, 'alarm'>,
): OwnList | undefined {
  let fault = 'wrongSignature'
  try {
    const own = verifyList(bytes, issuers)
    if (own) return own
  } catch {
    fault = 'unreadable'
  }
  alarm.raise({ object: 'revocation-list', fault })
  return undefined
}

async function makeList(
  { key, issuing, algorithm }: Authorities,
  previous: RevocationList | undefined,
  deps: RevocationListDeps,
): Promise<Uint8Array> {
  const { signingDevice, now } = deps
  const records = await readRevocations(deps)
  // The clock of a verifier may be behind the service's clock.
  const thisUpdate = new Date(now().getTime() - CLOCK_TOLERANCE_MS)
  return issueRevocationList(
    {
      issuer: issuing.certificate.der,
      algorithm,
      number: numberAfter(previous, thisUpdate),
      thisUpdate,
      nextUpdate: new Date(thisUpdate.getTime() + REVOCATION_LIST_LIFE_MS),
      revoked: entriesOf(records, previous, issuing.keyId, thisUpdate),
    },
    (data) => signingDevice.sign(key, data),
  )
}

/**
 * Returns an issuing authority's list, renewed when it is at least `olderThanMs` old, or when its
 * date has not come yet: the clock of its maker was ahead, and nobody can use it. Several
 * processes may call this at once; they store one list after the other.
 *
 * @returns DER
 * @throws Error when the key or the store fails
 */
export async function currentRevocationList(
  authorities: Authorities,
  deps: RevocationListDeps,
  olderThanMs: number,
): Promise<Uint8Array> {
  const { objects, now } = deps
  const key = publishedKey(publishedFile('issuing', 'crl', authorities.issuing.keyId))
  for (let lost = 0; lost <= MAXIMUM_LOST_RACES; lost++) {
    const nowMs = now().getTime()
    // A renewal has to replace the current generation.
    const maximumAgeMs = lost === 0 && olderThanMs > 0 ? LIST_REUSE_MS : 0
    const stored = await readRecent(objects, key, { nowMs, maximumAgeMs })
    const previous = stored && readOwnList(stored, [authorities.issuing], deps)?.list
    const ageMs = nowMs - (previous?.thisUpdate.getTime() ?? 0)
    // After a lost race, the list of the winner is only moments old.
    const isRecent = ageMs >= 0 && (lost > 0 || ageMs < olderThanMs)
    if (previous && isRecent) return previous.der
    const list = await makeList(authorities, previous, deps)
    const options = { contentType: PUBLISHED_TYPES.crl, generation: stored?.generation }
    if (await objects.compareAndSwap(key, list, options)) {
      forgetRecent(objects, key)
      return list
    }
  }
  throw new Error('the list of revoked certificates could not be stored')
}
