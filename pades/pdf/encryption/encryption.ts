/** Opens the encryption of a document with an empty user password (ISO 32000-2, 7.6.2 to 7.6.5). */
import {
  isArray,
  isDictionary,
  isInteger,
  nameOf,
  type PdfArray,
  type PdfDictionary,
  PdfString,
  type PdfValue,
} from '../values.ts'
import { type CryptMethod, DocumentCipher } from './cipher.ts'
import {
  arePermissionsSealed,
  fileKeyOf,
  hasOtherOwnerKey,
  type StandardEntries,
} from './file-key.ts'

/** Why the strings and streams of a document cannot be decrypted. */
export type LockReason =
  /** It opens with a password that is not empty. */
  | 'PASSWORD'
  /** Another handler than the one for passwords encrypted it: for certificates, for example. */
  | 'HANDLER'
  /** The handler for passwords, in a way that readers do not share. */
  | 'METHOD'
  /** Its parts contradict each other. */
  | 'CONTRADICTION'
  /** The file is damaged: a scan may find other objects than those that were encrypted. */
  | 'DAMAGE'

/** What is known of the encryption of a document. */
export type Encryption =
  | { readonly state: 'locked'; readonly reason: LockReason }
  | {
      readonly state: 'open'
      readonly cipher: DocumentCipher
      /** Entry `P` as 32 bits (table 22). */
      readonly permissions: number
      /** Whether the programs with which people open documents all read it. */
      readonly isReadByAll: boolean
    }

/**
 * Opens the encryption of a document.
 *
 * @param dictionary the encryption dictionary, as the file has it
 * @param id `/ID` of the trailer
 */
export function openEncryption(dictionary: PdfDictionary, id: PdfValue | undefined): Encryption {
  if (nameOf(dictionary.get('Filter')) !== 'Standard') return locked('HANDLER')
  const scheme = schemeOf(dictionary)
  if (!scheme) return locked('METHOD')
  const entries = entriesOf(dictionary, scheme, id)
  if (!entries) return locked('CONTRADICTION')
  const key = fileKeyOf(entries)
  if (!key) return locked('PASSWORD')
  if (!arePermissionsSealed(key, entries) || hasOtherOwnerKey(key, entries)) {
    return locked('CONTRADICTION')
  }
  // Readers differ in which streams without encryption they take for metadata.
  if (!entries.encryptMetadata) return locked('METHOD')
  const { strings, streams } = scheme
  const { permissions } = entries
  const cipher = new DocumentCipher({ key, strings, streams })
  const isReadByAll =
    strings === streams && strings !== 'Identity' && scheme.revision !== UNFINISHED_REVISION
  return { state: 'open', cipher, permissions, isReadByAll }
}

/** Adobe's precursor of revision 6; Ghostscript does not open it. */
const UNFINISHED_REVISION = 5

/** An encryption that is not opened. */
export const locked = (reason: LockReason): Encryption => ({ state: 'locked', reason })

/** Algorithms and key that an encryption dictionary chooses. */
interface Scheme {
  readonly revision: number
  readonly keyBytes: number
  readonly strings: CryptMethod
  readonly streams: CryptMethod
}

/** By `V`, when `Length` does not say it; otherwise 40. */
const DEFAULT_KEY_BITS = new Map<PdfValue | undefined, number>([
  [4, 128],
  [5, 256],
])

/** The schemes that readers share (tables 20 and 21); undefined for another one. */
function schemeOf(dictionary: PdfDictionary): Scheme | undefined {
  const version = dictionary.get('V')
  const revision = dictionary.get('R')
  const bits = dictionary.get('Length') ?? DEFAULT_KEY_BITS.get(version) ?? 40
  if (!isInteger(revision) || !isInteger(bits)) return undefined
  const scheme = `V${String(version)} R${revision}`
  if (scheme === 'V1 R2' || scheme === 'V1 R3') {
    // Some readers take another length for that of the key.
    return bits === 40 ? rc4Scheme(revision, bits) : undefined
  }
  if (scheme === 'V2 R3') {
    return bits % 8 === 0 && bits >= 40 && bits <= 128 ? rc4Scheme(revision, bits) : undefined
  }
  if (scheme === 'V4 R4' && bits === 128) return filteredScheme(dictionary, revision, bits)
  const isNewest = scheme === 'V5 R5' || scheme === 'V5 R6'
  return isNewest && bits === 256 ? filteredScheme(dictionary, revision, bits) : undefined
}

const rc4Scheme = (revision: number, bits: number): Scheme => ({
  revision,
  keyBytes: bits / 8,
  strings: 'RC4',
  streams: 'RC4',
})

/** Crypt filters name the methods (7.6.6). */
function filteredScheme(
  dictionary: PdfDictionary,
  revision: number,
  bits: number,
): Scheme | undefined {
  const filters = dictionary.get('CF')
  const methodNamed = (key: string): CryptMethod | undefined => {
    const name = dictionary.has(key) ? nameOf(dictionary.get(key)) : 'Identity'
    if (name === 'Identity') return name
    const filter = name === 'StdCF' && isDictionary(filters) ? filters.get(name) : undefined
    return isDictionary(filter) ? methodOf(filter, bits) : undefined
  }
  const strings = methodNamed('StrF')
  const streams = methodNamed('StmF')
  const files = dictionary.has('EFF') ? methodNamed('EFF') : streams
  if (!strings || !streams || files !== streams) return undefined
  return { revision, keyBytes: bits / 8, strings, streams }
}

/** A crypt filter with a key of the length that its document has. */
function methodOf(filter: PdfDictionary, bits: number): CryptMethod | undefined {
  const event = filter.has('AuthEvent') ? nameOf(filter.get('AuthEvent')) : 'DocOpen'
  const length = filter.get('Length') ?? bits
  // The standard says bytes; producers write bits as well.
  if (event !== 'DocOpen' || (length !== bits && length !== bits / 8)) return undefined
  const method = nameOf(filter.get('CFM'))
  if (bits === 256) return method === 'AESV3' ? method : undefined
  if (method === 'AESV2') return method
  return method === 'V2' ? 'RC4' : undefined
}

const OLD_PROOF_BYTES = 32
const NEW_PROOF_BYTES = 48
const SEALED_KEY_BYTES = 32
const SEALED_PERMISSIONS_BYTES = 16

/** What the key is made from; undefined when something is missing or not as long as it must be. */
function entriesOf(
  dictionary: PdfDictionary,
  { revision, keyBytes }: Scheme,
  id: PdfValue | undefined,
): StandardEntries | undefined {
  const permissions = dictionary.get('P')
  const encryptMetadata = dictionary.get('EncryptMetadata') ?? true
  if (!isInteger(permissions) || !isFlags(permissions)) return undefined
  if (typeof encryptMetadata !== 'boolean') return undefined
  // The entry means something since revision 4; readers differ in what it means before.
  if (revision < 4 && !encryptMetadata) return undefined
  const documentId = bytesOf((isArray(id) ? id : ([] as PdfArray))[0]) ?? new Uint8Array()
  const isNew = revision >= 5
  if (!isNew && documentId.length === 0) return undefined
  const proofs = isNew ? newProofs(dictionary) : oldProofs(dictionary)
  if (!proofs) return undefined
  return {
    revision,
    keyBytes,
    permissions: permissions | 0,
    encryptMetadata,
    ...proofs,
    documentId,
  }
}

/** The entries by which a password is checked, and in which newer revisions keep the key. */
type Proofs = Pick<StandardEntries, 'owner' | 'user' | 'ownerKey' | 'userKey' | 'sealedPermissions'>

/** Revisions 2 to 4. */
function oldProofs(dictionary: PdfDictionary): Proofs | undefined {
  const owner = bytesOf(dictionary.get('O'))
  const user = bytesOf(dictionary.get('U'))
  if (owner?.length !== OLD_PROOF_BYTES || user?.length !== OLD_PROOF_BYTES) return undefined
  const none = new Uint8Array()
  return { owner, user, ownerKey: none, userKey: none, sealedPermissions: none }
}

/** Revisions 5 and 6. */
function newProofs(dictionary: PdfDictionary): Proofs | undefined {
  const owner = bytesOf(dictionary.get('O'))?.subarray(0, NEW_PROOF_BYTES)
  const user = bytesOf(dictionary.get('U'))?.subarray(0, NEW_PROOF_BYTES)
  const ownerKey = bytesOf(dictionary.get('OE'))
  const userKey = bytesOf(dictionary.get('UE'))
  const sealedPermissions = bytesOf(dictionary.get('Perms'))
  // Some producers pad the first two with zeros, which are cut off above.
  if (owner?.length !== NEW_PROOF_BYTES || user?.length !== NEW_PROOF_BYTES) return undefined
  if (ownerKey?.length !== SEALED_KEY_BYTES) return undefined
  if (userKey?.length !== SEALED_KEY_BYTES) return undefined
  if (sealedPermissions?.length !== SEALED_PERMISSIONS_BYTES) return undefined
  return { owner, user, ownerKey, userKey, sealedPermissions }
}

/** 32 bits, which some producers write without a sign. */
const isFlags = (value: number): boolean => value >= -(2 ** 31) && value < 2 ** 32

const bytesOf = (value: PdfValue | undefined): Uint8Array | undefined =>
  value instanceof PdfString ? value.bytes : undefined
