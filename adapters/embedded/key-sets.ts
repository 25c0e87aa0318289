/** Files of a keyring folder: creates and rotates one JWK Set (RFC 7517) per purpose. */
import { Buffer } from 'node:buffer'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FACT_KEY, FACT_PUBLIC_KEYS, KEY_GRANTS, type KeySet } from '../../domain/key-grants.ts'
import { KEY_PURPOSES } from '../../domain/ports/keyring.ts'
import { readOrMake, replaceFileNow } from './data-directory.ts'
import { toPublicJwk, type NamedJwk } from './fact-keys.ts'

export const SECRET_BYTES = 32
const KID_BYTES = 6

/** All key sets of the service; the public set derives from the private one. */
export const KEY_SETS: readonly KeySet[] = [...KEY_PURPOSES, FACT_KEY, FACT_PUBLIC_KEYS]

/** Steps of a rotation; docs/how-to/rotate-keys.md describes their order. */
export const ROTATION_STEPS = ['add', 'use', 'retire', 'revoke'] as const
export type RotationStep = (typeof ROTATION_STEPS)[number]

/**
 * Path of one set.
 *
 * @param folder of the keyring
 */
export const keySetPath = (folder: string, set: KeySet) => join(folder, `${set}.json`)

function newKey(set: KeySet): NamedJwk {
  const kid = randomBytes(KID_BYTES).toString('base64url')
  if (set === FACT_KEY) {
    return { kid, ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) }
  }
  return { kid, kty: 'oct', k: randomBytes(SECRET_BYTES).toString('base64url') }
}

const encode = (keys: readonly NamedJwk[]) => Buffer.from(JSON.stringify({ keys }, null, 2))

/**
 * Reads the keys of one set; the first key makes new values.
 *
 * @throws Error when the file is missing or is not a JWK Set; it names the set and never a key
 */
export function readKeySet(folder: string, set: KeySet): [NamedJwk, ...NamedJwk[]] {
  const path = keySetPath(folder, set)
  if (!existsSync(path)) throw new Error(`the keyring has no ${set}.json`)
  const isNamed = (key: unknown) => typeof (key as NamedJwk | null)?.kid === 'string'
  const keys = parseKeys(readFileSync(path, 'utf8'))
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isNamed)) {
    throw new Error(`${set}.json of the keyring is not a JWK Set whose keys have a kid`)
  }
  return keys as [NamedJwk, ...NamedJwk[]]
}

function parseKeys(text: string): unknown {
  try {
    return (JSON.parse(text) as { keys?: unknown } | null)?.keys
  } catch {
    return undefined
  }
}

/** Adds the public keys that the public set lacks. */
function publishFactKeys(folder: string): void {
  const ours = readKeySet(folder, FACT_KEY).map(toPublicJwk)
  readOrMake(keySetPath(folder, FACT_PUBLIC_KEYS), () => encode(ours))
  const known = readKeySet(folder, FACT_PUBLIC_KEYS)
  const missing = ours.filter(({ kid }) => !known.some((key) => key.kid === kid))
  if (missing.length === 0) return
  replaceFileNow(keySetPath(folder, FACT_PUBLIC_KEYS), encode([...known, ...missing]))
}

/**
 * Generates a whole keyring in memory.
 *
 * @returns the text of each JWK Set
 */
export function makeKeySets(): ReadonlyMap<KeySet, string> {
  const made = new Map<KeySet, string>()
  const keep = (set: KeySet, key: NamedJwk) => made.set(set, String(encode([key])))
  for (const set of KEY_PURPOSES) keep(set, newKey(set))
  const factKey = newKey(FACT_KEY)
  keep(FACT_KEY, factKey)
  keep(FACT_PUBLIC_KEYS, toPublicJwk(factKey))
  return made
}

/** Creates the sets that the folder lacks, readable by its owner only; existing sets are kept. */
export function makeMissingKeySets(folder: string): void {
  for (const set of [...KEY_PURPOSES, FACT_KEY] as const) {
    readOrMake(keySetPath(folder, set), () => encode([newKey(set)]))
  }
  publishFactKeys(folder)
}

/** @throws Error when `use` finds no added key */
function rotated([first, ...rest]: [NamedJwk, ...NamedJwk[]], set: KeySet, step: RotationStep) {
  if (step === 'add') return [first, newKey(set), ...rest]
  if (step !== 'use') return [first]
  const [next, ...older] = rest
  if (!next) throw new Error(`${set} has only one key; add another one first`)
  return [next, first, ...older]
}

/**
 * Performs one step of a rotation. `add` adds a new key in second place, which only verifies; `use`
 * moves the second key to the first place; `retire` removes all keys except the first; `revoke`
 * also removes the other public keys of facts, so that older facts no longer count.
 *
 * @throws Error when the set is missing or the step is not possible
 */
export function rotateKeySet(
  folder: string,
  set: Exclude<KeySet, typeof FACT_PUBLIC_KEYS>,
  step: RotationStep,
): void {
  const keys = rotated(readKeySet(folder, set), set, step)
  replaceFileNow(keySetPath(folder, set), encode(keys))
  if (set !== FACT_KEY) return
  if (step === 'revoke') {
    replaceFileNow(keySetPath(folder, FACT_PUBLIC_KEYS), encode(keys.map(toPublicJwk)))
  } else publishFactKeys(folder)
}

/** Returns the processes that read a set, for the output of `rotate-keys`. */
export function holdersOf(set: KeySet): string[] {
  return Object.entries(KEY_GRANTS).flatMap(([holder, sets]) =>
    (sets as readonly KeySet[]).includes(set) ? [holder] : [],
  )
}
