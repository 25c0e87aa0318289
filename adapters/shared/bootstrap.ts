/**
 * Issues certificates for existing keys into the folder that the service reads. Certificates that
 * match are kept until they expire soon, so the command can be repeated, also to replace a key.
 */
import { Buffer } from 'node:buffer'
import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  AUTHORITIES,
  issueAuthority,
  issueRootList,
  readRootList,
  rootListOf,
  type SigningAuthority,
  type AuthorityKey,
  type AuthorityMaking,
  type CertifiedKeyName,
} from './authorities.ts'
import { readWhole } from './damaged-file.ts'
import { certificatesOfPem, pemOfCertificate } from '../../domain/pem.ts'
import { readCertificate } from '../../pades/index.ts'

const FORMER = 'former-issuing-ca'
const FLUSHED = { flush: true }

export interface BootstrapRequest extends AuthorityMaking {
  folder: string
  /**
   * The root's key, wherever it is stored; absent while it is offline: the folder has the
   * certificate of the root, and nothing of the root can be issued.
   */
  root?: AuthorityKey
  /** Keys to certify; other keys get no certificate. */
  keys: ReadonlyMap<CertifiedKeyName, AuthorityKey>
  /** Certificates that expire before are issued again; a root is not. Absent: none. */
  renewBefore?: Date
}

/** The key of the root is missing, or is not the key of the root in the folder. */
export class RootKeyError extends Error {
  override readonly name = 'RootKeyError'
}

async function readCertificates(path: string): Promise<Uint8Array[]> {
  return certificatesOfPem(await readFile(path, 'utf8'))
}

async function readChain(folder: string, name: string): Promise<Uint8Array[]> {
  const path = join(folder, `${name}.pem`)
  return existsSync(path) ? readWhole(path, readCertificates) : []
}

async function writeChain(folder: string, name: string, chain: readonly Uint8Array[]) {
  const text = chain.map(pemOfCertificate).join('')
  await writeFile(join(folder, `${name}.pem`), text, FLUSHED)
}

const publicKeyOf = (certificate: Uint8Array): Uint8Array =>
  new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })

const isKeyOf = (key: AuthorityKey, certificate: Uint8Array): boolean =>
  Buffer.from(key.publicKeySpki).equals(publicKeyOf(certificate))

/** Whether the chain begins with a certificate of this key and continues with the chain above. */
function isOf(
  chain: readonly Uint8Array[],
  key: AuthorityKey,
  above: SigningAuthority | undefined,
) {
  const [own, ...rest] = chain
  if (!own) return false
  const expected = above?.certificates ?? []
  const isSame = (one: Uint8Array, other: Uint8Array | undefined) =>
    other !== undefined && Buffer.from(one).equals(other)
  const isChain = rest.length === expected.length
  return isKeyOf(key, own) && isChain && rest.every((der, index) => isSame(der, expected[index]))
}

/** Whether the certificate has to be renewed; readers have to learn a new root, so it is not. */
function isDue(name: CertifiedKeyName, [own]: readonly Uint8Array[], renewBefore?: Date): boolean {
  if (name === 'root' || !own || !renewBefore) return false
  return readCertificate(own).notAfter < renewBefore
}

/**
 * Reads the root of the folder.
 *
 * @param given its key; absent: the result has the certificate, and cannot sign
 * @throws RootKeyError when the folder has another root, or none and no key was given
 */
async function openRoot(folder: string, given: AuthorityKey | undefined): Promise<AuthorityKey> {
  const [own] = await readChain(folder, 'root')
  if (given) {
    if (!own || isKeyOf(given, own)) return given
    throw new RootKeyError('root.pem is of another key; remove it to replace the root')
  }
  if (!own) throw new RootKeyError('the folder has no root.pem: the key of the root is needed')
  const why = 'the issuing CA needs a new certificate: the key of the root is needed'
  return {
    algorithm: 'ecdsa-p384-sha384',
    publicKeySpki: publicKeyOf(own),
    sign: () => Promise.reject(new RootKeyError(why)),
  }
}

/** An issuing CA that was replaced by one with another key, and the list of the root above it. */
interface FormerAuthority {
  chain: readonly Uint8Array[]
  list: Uint8Array | undefined
}

/** Keeps the chain of a replaced issuing CA, which still signs its revocation list. */
async function keepFormer(folder: string, { chain, list }: FormerAuthority): Promise<void> {
  await writeChain(folder, FORMER, chain)
  if (list) await writeFile(join(folder, rootListOf(FORMER)), list, FLUSHED)
}

/**
 * @returns the names of the keys that got a new certificate
 * @throws RootKeyError when the key of the root is missing or another
 * @throws any error of signing; the next run uses what was already written
 */
export async function bootstrap(request: BootstrapRequest): Promise<CertifiedKeyName[]> {
  const { folder, root: given, keys, renewBefore, ...making } = request
  await mkdir(folder, { recursive: true })
  const root = await openRoot(folder, given)
  // This run may replace the list by that of another root.
  const list = await readWhole(join(folder, rootListOf('issuing-ca')), readRootList)
  const authorities = new Map<CertifiedKeyName, SigningAuthority>()
  const issued: CertifiedKeyName[] = []
  for (const name of Object.keys(AUTHORITIES) as CertifiedKeyName[]) {
    const key = name === 'root' ? root : keys.get(name)
    if (!key) continue
    const { issuer } = AUTHORITIES[name]
    const above = issuer && authorities.get(issuer)
    const chain = await readChain(folder, name)
    if (isOf(chain, key, above) && !isDue(name, chain, renewBefore)) {
      authorities.set(name, { key, certificates: chain })
      continue
    }
    const certificate = await issueAuthority(name, key, above, making)
    const authority = { key, certificates: [certificate, ...(above?.certificates ?? [])] }
    const [former] = chain
    // With the same key it goes on signing the same list.
    const isReplaced = name === 'issuing-ca' && former && !isKeyOf(key, former)
    if (isReplaced) await keepFormer(folder, { chain, list })
    if (name === 'root') {
      const list = await issueRootList(authority, making.now)
      await writeFile(join(folder, rootListOf('issuing-ca')), list, FLUSHED)
    }
    await writeChain(folder, name, authority.certificates)
    authorities.set(name, authority)
    issued.push(name)
  }
  return issued
}
