/** The snapshot of accepted trusted lists, with the evidence of their signatures. */
import { TrustedListError, type TrustedListErrorCode } from './errors.ts'
import type { ListHeader, Service } from './model.ts'

/** How an accepted list was authenticated; its octets are stored by their digest. */
export interface ListEvidence {
  location: string
  /** Lower-case hex, over the octets of the file. */
  sha256: string
  header: ListHeader
  /** Base64 of the DER, and its SHA-256 in lower-case hex. */
  signer: { certificate: string; sha256: string }
  /** ISO 8601, UTC; when this service verified the signature. */
  verifiedAt: string
}

/** Why the newest file was not accepted. */
export interface ListProblem {
  code: TrustedListErrorCode
  message: string
  /** ISO 8601, UTC. */
  at: string
}

/** The list of one territory: the last accepted version, if any. */
export interface NationalList {
  territory: string
  evidence?: ListEvidence
  services: Service[]
  /** Set while the newest file is refused or not available. */
  problem?: ListProblem
}

export interface TrustedListSnapshot {
  snapshotVersion: 1
  /** The version of the reader that made the services; absent before there were versions. */
  reader?: number
  /** ISO 8601, UTC. */
  refreshedAt: string
  listOfLists: ListEvidence
  /** Oldest first. */
  pivots: ListEvidence[]
  /** By territory. */
  lists: NationalList[]
}

/** State of the lists for a validation report. */
export interface SnapshotState {
  sequence: number
  issueDate: string
  nextUpdate?: string
  /** Whether the list of lists or any national list is past its next update. */
  stale: boolean
  /** Territories whose own list is past its next update. */
  staleTerritories: string[]
  /** Territories whose newest list was refused or is not available. */
  problems: { territory: string; code: TrustedListErrorCode; at: string }[]
}

const SNAPSHOT_VERSION = 1

/** Encodes a snapshot as JSON, for {@link decodeSnapshot}. */
export const encodeSnapshot = (snapshot: TrustedListSnapshot): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(snapshot))

/**
 * Decodes a snapshot that this library wrote; the caller ensures its integrity.
 *
 * @throws TrustedListError `NOT_A_TRUSTED_LIST` when it is not a snapshot, or of another version
 */
export function decodeSnapshot(octets: Uint8Array): TrustedListSnapshot {
  try {
    const value = JSON.parse(new TextDecoder().decode(octets)) as Partial<TrustedListSnapshot>
    if (value.snapshotVersion === SNAPSHOT_VERSION) return value as TrustedListSnapshot
  } catch (cause) {
    throw new TrustedListError('NOT_A_TRUSTED_LIST', 'the snapshot cannot be parsed', { cause })
  }
  throw new TrustedListError('NOT_A_TRUSTED_LIST', 'the snapshot has another version')
}

/** Whether a list is past its next update (5.3.15); a closed list has none and is never stale. */
const isStale = ({ nextUpdate }: ListHeader, now: Date): boolean =>
  nextUpdate !== undefined && now.getTime() > Date.parse(nextUpdate)

/** Summarises the freshness of a snapshot for a validation report. */
export function snapshotState(
  { listOfLists: { header }, lists }: TrustedListSnapshot,
  now: Date,
): SnapshotState {
  const staleTerritories = lists
    .filter(({ evidence }) => evidence && isStale(evidence.header, now))
    .map(({ territory }) => territory)
  return {
    sequence: header.sequence,
    issueDate: header.issueDate,
    ...(header.nextUpdate !== undefined && { nextUpdate: header.nextUpdate }),
    stale: isStale(header, now) || staleTerritories.length > 0,
    staleTerritories,
    problems: lists.flatMap(({ territory, problem }) =>
      problem ? [{ territory, code: problem.code, at: problem.at }] : [],
    ),
  }
}
