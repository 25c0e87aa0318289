/**
 * The key of a document that opens with an empty user password (ISO 32000-2, 7.6.4; revision 5: the
 * Adobe extension level 3 to ISO 32000-1).
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { AES_BLOCK_BYTES, decryptBlocks, encryptBlocks } from './aes.ts'
import { rc4 } from './rc4.ts'

/** What the encryption dictionary says, and the first part of the file identifier. */
export interface StandardEntries {
  readonly revision: number
  readonly keyBytes: number
  /** Entry `P` as 32 bits, signed. */
  readonly permissions: number
  readonly encryptMetadata: boolean
  /** Entry `O`: 32 bytes, or 48 since revision 5. */
  readonly owner: Uint8Array
  /** Entry `U`: 32 bytes, or 48 since revision 5. */
  readonly user: Uint8Array
  /** Entry `OE`: 32 bytes; empty before revision 5. */
  readonly ownerKey: Uint8Array
  /** Entry `UE`: 32 bytes; empty before revision 5. */
  readonly userKey: Uint8Array
  /** Entry `Perms`: 16 bytes; empty before revision 5. */
  readonly sealedPermissions: Uint8Array
  /** First part of `/ID`. */
  readonly documentId: Uint8Array
}

/** An empty password, padded (7.6.4.3.2). */
const PADDING = Buffer.from(
  '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
  'hex',
)
const UNENCRYPTED_METADATA = Buffer.alloc(4, 0xff)
const KEY_ROUNDS = 50
const USER_ROUNDS = 20
/** What matters of `U` since revision 3. */
const CHECKED_BYTES = 16
const NO_VECTOR = Buffer.alloc(AES_BLOCK_BYTES)

const md5 = (...parts: Uint8Array[]) => createHash('md5').update(Buffer.concat(parts)).digest()
const sha256 = (...parts: Uint8Array[]) =>
  createHash('sha256').update(Buffer.concat(parts)).digest()

/**
 * The file encryption key.
 *
 * @returns undefined when the document needs a password
 */
export function fileKeyOf(entries: StandardEntries): Uint8Array | undefined {
  return entries.revision >= 5 ? keySince5(entries) : keyBefore5(entries)
}

/** Algorithms 2 and 6. */
function keyBefore5(entries: StandardEntries): Uint8Array | undefined {
  const { revision, keyBytes, permissions, owner, user, documentId, encryptMetadata } = entries
  const flags = Buffer.alloc(4)
  flags.writeInt32LE(permissions)
  const metadata = revision >= 4 && !encryptMetadata ? [UNENCRYPTED_METADATA] : []
  let hash = md5(PADDING, owner, flags, documentId, ...metadata)
  if (revision >= 3) {
    for (let round = 0; round < KEY_ROUNDS; round += 1) hash = md5(hash.subarray(0, keyBytes))
  }
  const key = hash.subarray(0, keyBytes)
  return isUserKey(key, revision, user, documentId) ? key : undefined
}

/** Algorithms 4 and 5. */
function isUserKey(key: Buffer, revision: number, user: Uint8Array, id: Uint8Array): boolean {
  if (revision === 2) return Buffer.from(rc4(key, PADDING)).equals(user)
  let value: Uint8Array = md5(PADDING, id)
  for (let round = 0; round < USER_ROUNDS; round += 1) {
    value = rc4(
      key.map((byte) => byte ^ round),
      value,
    )
  }
  return Buffer.from(value).equals(user.subarray(0, CHECKED_BYTES))
}

const hashSince5 = (revision: number) => (revision === 5 ? sha256 : hardenedHash)

/** Algorithm 2.A, for the user password. */
function keySince5({ revision, user, userKey }: StandardEntries): Uint8Array | undefined {
  const hash = hashSince5(revision)
  if (!hash(user.subarray(32, 40)).equals(user.subarray(0, 32))) return undefined
  return decryptBlocks(hash(user.subarray(40, 48)), NO_VECTOR, userKey)
}

/**
 * Whether an empty password is also that of the owner and gives another key. Some readers try it as
 * the owner's first (algorithm 2.A), and would decrypt something else.
 *
 * @param key file encryption key of the user
 */
export function hasOtherOwnerKey(key: Uint8Array, entries: StandardEntries): boolean {
  const { revision, owner, user, ownerKey } = entries
  if (revision < 5) return false
  const hash = hashSince5(revision)
  if (!hash(owner.subarray(32, 40), user).equals(owner.subarray(0, 32))) return false
  return !Buffer.from(key).equals(
    decryptBlocks(hash(owner.subarray(40, 48), user), NO_VECTOR, ownerKey),
  )
}

const HARDENED_ROUNDS = 64
/** The last byte of a round ends the rounds once it is small; it is below 224 soon. */
const MAX_HARDENED_ROUNDS = 64 + 256
const REPETITIONS = 64
const HASHES = ['sha256', 'sha384', 'sha512'] as const

/**
 * Algorithm 2.B, with an empty password.
 *
 * @param user entry `U` for the password of the owner
 */
function hardenedHash(salt: Uint8Array, user: Uint8Array = Buffer.alloc(0)): Buffer {
  let key = sha256(salt, user)
  for (let round = 0; round < MAX_HARDENED_ROUNDS; round += 1) {
    const part = Buffer.concat([key, user])
    const repeated = Buffer.concat(Array<Buffer>(REPETITIONS).fill(part))
    const encrypted = encryptBlocks(key.subarray(0, 16), key.subarray(16, 32), repeated)
    // 256 is 1 modulo 3: the first 16 bytes as a number leave what their sum leaves.
    const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = createHash(HASHES[remainder]).update(encrypted).digest()
    const last = encrypted.at(-1) ?? 0
    if (round + 1 >= HARDENED_ROUNDS && last <= round + 1 - 32) break
  }
  return key.subarray(0, 32)
}

/**
 * Whether the permissions are those that the key seals (algorithm 13). Before revision 5 the key
 * depends on them, and nothing else proves them.
 *
 * @param key file encryption key
 */
export function arePermissionsSealed(key: Uint8Array, entries: StandardEntries): boolean {
  const { revision, permissions, encryptMetadata, sealedPermissions } = entries
  if (revision < 5) return true
  // One block in ECB mode is one block in CBC mode with a vector of zeros.
  const opened = Buffer.from(decryptBlocks(key, NO_VECTOR, sealedPermissions))
  return (
    opened.readInt32LE(0) === permissions &&
    opened.toString('latin1', 8, 9) === (encryptMetadata ? 'T' : 'F') &&
    opened.toString('latin1', 9, 12) === 'adb'
  )
}
