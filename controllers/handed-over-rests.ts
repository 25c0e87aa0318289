/**
 * Hands the cases that rest over to the next controller of the same group, so that it does not read
 * all of them after a rollout (decision 315). Only a controller that stops in order writes them.
 */
import type { ShardGroup } from '../domain/cases/shards.ts'
import { findMacFault, makeMac, type KeyedMac } from '../domain/keyed-mac.ts'
import type { ExpiringValues } from '../domain/ports/expiring-values.ts'
import type { Keyring } from '../domain/ports/keyring.ts'
import { VERSION } from '../domain/version.ts'
import type { RestingCase } from './quiet-cases.ts'

const DOMAIN = 'sigcase/resting-cases/v1'
/** The API does not have this key. */
const PURPOSE = 'worker-result'
/** As long as between two resyncs: notifications that come meanwhile may be lost. */
const LIFE_MS = 5 * 60_000

export interface HandOverDeps {
  ephemeral: ExpiringValues
  keyring: Keyring<typeof PURPOSE>
}

/** What one controller leaves behind. */
interface Note extends KeyedMac {
  atMs: number
  resting: readonly RestingCase[]
}

const placeOf = ({ index, count }: ShardGroup) => `resting-cases/${index}-of-${count}`

/** The value of the MAC: another version of the service may decide otherwise about a case. */
const signedValue = ({ index, count }: ShardGroup, { atMs, resting }: Omit<Note, 'kid' | 'mac'>) =>
  [DOMAIN, VERSION, index, count, atMs, resting] as const

/** @throws ServiceError TIMEOUT */
export async function leaveResting(
  group: ShardGroup,
  resting: readonly RestingCase[],
  nowMs: number,
  { ephemeral, keyring }: HandOverDeps,
): Promise<void> {
  const left = { atMs: nowMs, resting }
  const note: Note = { ...left, ...makeMac(keyring, PURPOSE, signedValue(group, left)) }
  await ephemeral.set(placeOf(group), JSON.stringify(note), { ttlMs: LIFE_MS })
}

/**
 * Returns what the former controller left, once.
 *
 * @returns empty when it left nothing, a while ago, or when another version wrote it
 * @throws ServiceError TIMEOUT
 * @throws SyntaxError for a value that this service did not write
 */
export async function takeResting(
  group: ShardGroup,
  nowMs: number,
  { ephemeral, keyring }: HandOverDeps,
): Promise<readonly RestingCase[]> {
  const text = await ephemeral.get(placeOf(group))
  if (text === undefined) return []
  // First: after a crash of this controller it would be out of date.
  await ephemeral.delete(placeOf(group))
  const note = JSON.parse(text) as Note
  if (findMacFault(keyring, PURPOSE, signedValue(group, note), note)) return []
  return nowMs - note.atMs < LIFE_MS ? note.resting : []
}
