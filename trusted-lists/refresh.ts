/**
 * Builds the next snapshot from the current lists; a national list that fails does not affect the
 * others.
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import {
  acceptListOfLists,
  type AcceptedList,
  acceptNationalList,
  type Anchors,
  NATIONAL_LIST_TYPE,
  pointersOf,
  type ReadList,
} from './accept.ts'
import { TrustedListError } from './errors.ts'
import type { ListPointer } from './model.ts'
import { READER_VERSION } from './read-list.ts'
import type { ListEvidence, ListProblem, NationalList, TrustedListSnapshot } from './snapshot.ts'

/** Maximum number of lists read concurrently; each may have 16 MiB. */
const CONCURRENCY = 3
const REASON_LENGTH = 200

export interface RefreshOptions {
  /** URL of the list of lists. */
  location: string
  anchors: Anchors
  read: ReadList
  /** Stores the octets of an accepted list by their digest, before the snapshot refers to it. */
  keep: (sha256: string, octets: Uint8Array) => Promise<void>
  previous: TrustedListSnapshot | undefined
  now: Date
}

function problemOf(error: unknown, now: Date): ListProblem {
  const known =
    error instanceof TrustedListError
      ? error
      : new TrustedListError('NOT_AVAILABLE', String(error).slice(0, REASON_LENGTH), {
          cause: error,
        })
  return { code: known.code, message: known.message, at: now.toISOString() }
}

const isNamed = ({ signer }: ListEvidence, { certificates }: ListPointer): boolean =>
  certificates.some((der) =>
    Buffer.from(der, 'base64').equals(Buffer.from(signer.certificate, 'base64')),
  )

/** Whether the file is the previously accepted one and its signer is still named. */
const isUnchanged = (octets: Uint8Array, evidence: ListEvidence, pointer: ListPointer): boolean =>
  createHash('sha256').update(octets).digest('hex') === evidence.sha256 &&
  isNamed(evidence, pointer)

/** The previous list, unless its signer is not named any more: the key may be in wrong hands. */
function listBefore(
  territory: string,
  pointers: readonly ListPointer[],
  previous: TrustedListSnapshot | undefined,
): NationalList | undefined {
  const before = previous?.lists.find((it) => it.territory === territory)
  const evidence = before?.evidence
  return evidence && pointers.some((pointer) => isNamed(evidence, pointer)) ? before : undefined
}

async function refreshTerritory(
  territory: string,
  pointers: readonly ListPointer[],
  { read, keep, previous, now }: RefreshOptions,
): Promise<NationalList> {
  const before = listBefore(territory, pointers, previous)
  const isReadAlike = previous?.reader === READER_VERSION
  let problem: ListProblem | undefined
  for (const pointer of pointers) {
    try {
      const octets = await read({ location: pointer.location, territory })
      if (isReadAlike && before?.evidence && isUnchanged(octets, before.evidence, pointer)) {
        return { territory, evidence: before.evidence, services: before.services }
      }
      const accepted = await acceptNationalList(octets, pointer, before?.evidence, now)
      await keep(accepted.evidence.sha256, octets)
      return { territory, evidence: accepted.evidence, services: accepted.list.services }
    } catch (error) {
      problem ??= problemOf(error, now)
    }
  }
  return {
    territory,
    ...(before?.evidence && { evidence: before.evidence }),
    services: before?.services ?? [],
    ...(problem && { problem }),
  }
}

function pointersByTerritory(list: AcceptedList): [string, ListPointer[]][] {
  const groups = Map.groupBy(
    pointersOf(list.list, NATIONAL_LIST_TYPE),
    ({ territory }) => territory,
  )
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}

/**
 * Builds the next snapshot. When a national list is refused or not available, its last accepted
 * version stays in force while its signer is named, the problem is recorded, and the other lists
 * are not affected.
 *
 * @throws TrustedListError when the list of lists is refused; the previous snapshot stays valid
 * @throws Error of `read` for the list of lists and its pivots, and of `keep`
 */
export async function refreshSnapshot(options: RefreshOptions): Promise<TrustedListSnapshot> {
  const { location, anchors, read, keep, previous, now } = options
  const octets = await read({ location, territory: 'EU' })
  const { listOfLists, pivots } = await acceptListOfLists({
    file: { location, octets },
    read,
    anchors,
    previous: previous?.listOfLists,
    now,
  })
  for (const { evidence, octets: file } of [...pivots, listOfLists]) {
    await keep(evidence.sha256, file)
  }
  const lists: NationalList[] = []
  const queue = pointersByTerritory(listOfLists).values()
  const work = async () => {
    for (const [territory, pointers] of queue) {
      lists.push(await refreshTerritory(territory, pointers, options))
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return {
    snapshotVersion: 1,
    reader: READER_VERSION,
    refreshedAt: now.toISOString(),
    listOfLists: listOfLists.evidence,
    pivots: pivots.map(({ evidence }) => evidence),
    lists: lists.sort((a, b) => (a.territory < b.territory ? -1 : 1)),
  }
}
