/** Creates, replaces and reads the files of the service's keys. */
import {
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  X509Certificate,
  type KeyObject,
} from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  copyFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { certificatesOfPem, pemOfCertificate } from '../../domain/pem.ts'
import type { SigningKeyName } from '../../domain/ports/signing.ts'
import { importKey, type LocalKey } from '../../pades/index.ts'
import {
  AUTHORITIES,
  issueAuthority,
  issueRootList,
  readRootList,
  rootListOf,
  type AuthorityMaking,
  type CertifiedKeyName,
} from '../shared/authorities.ts'
import { readWhole } from '../shared/damaged-file.ts'
import { isAbsent, syncFolder } from './data-directory.ts'

const FLUSHED = { flush: true }
const PRIVATE_MODE = 0o600

/** Keys in every folder. */
export const KEY_NAMES = Object.keys(AUTHORITIES).filter(
  (name) => name !== 'root',
) as SigningKeyName[]

export interface Held {
  key: LocalKey
  /** DER, beginning with its own and ending with the root. */
  certificates: readonly Uint8Array[]
  /** Lists of an authority above whose key was deleted. */
  revocationLists?: readonly Uint8Array[]
}

/** Far longer than keys take to be made; a younger folder may belong to a process that runs. */
const ABANDONED_MS = 60 * 60 * 1000
/** What follows the name while a folder is being made, and once it was replaced. */
const LEFT_SUFFIX = /^\.(?:[0-9a-f]{12}\.tmp|retired)$/

const asideOf = (folder: string) => `${folder}.${randomBytes(6).toString('hex')}.tmp`

/** A rotation may end in between. */
function unlessAbsent(error: unknown): { ctimeMs: number } {
  if (!isAbsent(error)) throw error
  return { ctimeMs: Number.POSITIVE_INFINITY }
}

/** Removes the keys that a process which was killed had made, copied or replaced. */
async function removeAbandoned(folder: string, now: Date): Promise<void> {
  const name = basename(folder)
  for (const one of await readdir(dirname(folder))) {
    if (!one.startsWith(name) || !LEFT_SUFFIX.test(one.slice(name.length))) continue
    const left = join(dirname(folder), one)
    // The time of its last move counts, too.
    const { ctimeMs } = await stat(left).catch(unlessAbsent)
    if (now.getTime() - ctimeMs > ABANDONED_MS) await rm(left, { recursive: true, force: true })
  }
}

/** Temporary place of a folder while it is replaced. */
const retiredOf = (folder: string) => `${folder}.retired`

/** Generates a key with its certificate and writes both to files; the root's key is not written. */
async function makeKey(
  folder: string,
  name: CertifiedKeyName,
  above: Held | undefined,
  making: AuthorityMaking,
): Promise<Held> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pkcs8 = new Uint8Array(privateKey.export({ type: 'pkcs8', format: 'der' }))
  const key = importKey(pkcs8)
  const certificate = await issueAuthority(name, key, above, making)
  const held = { key, certificates: [certificate, ...(above?.certificates ?? [])] }
  const chain = held.certificates.map(pemOfCertificate).join('')
  await writeFile(join(folder, `${name}.pem`), chain, FLUSHED)
  if (name === 'root') {
    await writeFile(
      join(folder, rootListOf('issuing-ca')),
      await issueRootList(held, making.now),
      FLUSHED,
    )
  } else {
    const text = privateKey.export({ type: 'pkcs8', format: 'pem' })
    await writeFile(join(folder, `${name}.key`), text, { mode: PRIVATE_MODE, flush: true })
  }
  return held
}

/** Generates all keys and certificates. The root's key signs the issuing CA and is discarded. */
async function makeAll(folder: string, making: AuthorityMaking): Promise<void> {
  const held = new Map<string, Held>()
  for (const [name, { issuer }] of Object.entries(AUTHORITIES)) {
    const above = issuer && held.get(issuer)
    held.set(name, await makeKey(folder, name as CertifiedKeyName, above, making))
  }
}

/**
 * Creates the keys of a new service in a temporary folder and renames it, so that a start never
 * finds a partial set. When the folder exists, only removes what processes that were killed left.
 */
export async function makeKeys(folder: string, making: AuthorityMaking): Promise<void> {
  // A replacement was interrupted between its two renames.
  if (!existsSync(folder) && existsSync(retiredOf(folder))) await rename(retiredOf(folder), folder)
  if (existsSync(folder)) return removeAbandoned(folder, making.now)
  const aside = asideOf(folder)
  await mkdir(aside, { mode: 0o700, recursive: true })
  await makeAll(aside, making)
  await syncFolder(aside)
  try {
    await rename(aside, folder)
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

async function replace(folder: string, aside: string): Promise<void> {
  await syncFolder(aside)
  // Left by a replacement that was interrupted after its two renames.
  await rm(retiredOf(folder), { recursive: true, force: true })
  await rename(folder, retiredOf(folder))
  await rename(aside, folder)
  await rm(retiredOf(folder), { recursive: true, force: true })
}

/** Replaces the key of the seal by a new one under the same issuing CA. */
export async function replaceSeal(folder: string, making: AuthorityMaking): Promise<void> {
  const aside = asideOf(folder)
  await cp(folder, aside, { recursive: true, preserveTimestamps: true })
  await makeKey(aside, 'seal', await readHeld(aside, 'issuing-ca'), making)
  await replace(folder, aside)
}

/**
 * Replaces the issuing CA and everything below it, under a new root, because the key of the old
 * root was discarded. The old CA is kept to sign its revocation list; `root.pem` contains both
 * roots.
 */
export async function replaceIssuingCa(folder: string, making: AuthorityMaking): Promise<void> {
  const aside = asideOf(folder)
  await mkdir(aside, { mode: 0o700, recursive: true })
  await makeAll(aside, making)
  const keep = async (name: string, as: string) => {
    if (existsSync(join(folder, name))) await copyFile(join(folder, name), join(aside, as))
  }
  await keep('issuing-ca.key', 'former-issuing-ca.key')
  await keep('issuing-ca.pem', 'former-issuing-ca.pem')
  await keep(rootListOf('issuing-ca'), rootListOf('former-issuing-ca'))
  const roots = [aside, folder].map((place) => readFile(join(place, 'root.pem'), 'utf8'))
  await writeFile(join(aside, 'root.pem'), (await Promise.all(roots)).join(''), FLUSHED)
  await replace(folder, aside)
}

/** Whether the folder has the key of a previous issuing CA. */
export const hasFormer = (folder: string) => existsSync(join(folder, 'former-issuing-ca.key'))

async function readPrivateKey(path: string): Promise<KeyObject> {
  return createPrivateKey(await readFile(path, 'utf8'))
}

/** @throws Error when there is none, one cannot be parsed, or the first is of another key */
async function readChain(path: string, privateKey: KeyObject): Promise<Uint8Array[]> {
  const certificates = certificatesOfPem(await readFile(path, 'utf8'))
  const [own] = certificates
  if (!own) throw new Error('it has no certificate')
  if (!new X509Certificate(own).checkPrivateKey(privateKey)) {
    throw new Error('its first certificate is of another key')
  }
  return certificates
}

/**
 * @throws DamagedFileError when the key or its certificates are missing, or a file is damaged
 * @throws Error when a file cannot be read for another reason
 */
export async function readHeld(folder: string, name: SigningKeyName): Promise<Held> {
  const privateKey = await readWhole(join(folder, `${name}.key`), readPrivateKey)
  const certificates = await readWhole(join(folder, `${name}.pem`), (path) =>
    readChain(path, privateKey),
  )
  const list = await readWhole(join(folder, rootListOf(name)), readRootList)
  return {
    key: importKey(new Uint8Array(privateKey.export({ type: 'pkcs8', format: 'der' }))),
    certificates,
    revocationLists: list ? [list] : [],
  }
}
