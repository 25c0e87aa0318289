/**
 * Issues certificates for existing keys into the folder that the service reads. Valid certificates
 * are kept, so the command can be repeated, also to replace a key.
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
import { certificatesOfPem, pemOfCertificate } from '../../domain/pem.ts'

const FORMER = 'former-issuing-ca'
const FLUSHED = { flush: true }

export interface BootstrapRequest extends AuthorityMaking {
  folder: string
  /** The root's key, wherever it is stored. */
  root: AuthorityKey
  /** Keys to certify; other keys get no certificate. */
  keys: ReadonlyMap<CertifiedKeyName, AuthorityKey>
}

async function readChain(folder: string, name: string): Promise<Uint8Array[]> {
  const path = join(folder, `${name}.pem`)
  return existsSync(path) ? certificatesOfPem(await readFile(path, 'utf8')) : []
}

async function writeChain(folder: string, name: string, chain: readonly Uint8Array[]) {
  const text = chain.map(pemOfCertificate).join('')
  await writeFile(join(folder, `${name}.pem`), text, FLUSHED)
}

/** Whether the chain begins with a certificate of this key and continues with the chain above. */
function isOf(
  chain: readonly Uint8Array[],
  key: AuthorityKey,
  above: SigningAuthority | undefined,
) {
  const [own, ...rest] = chain
  if (!own) return false
  const spki = new X509Certificate(own).publicKey.export({ type: 'spki', format: 'der' })
  const expected = above?.certificates ?? []
  const isSame = (one: Uint8Array, other: Uint8Array | undefined) =>
    other !== undefined && Buffer.from(one).equals(other)
  const isChain = rest.length === expected.length
  return (
    Buffer.from(key.publicKeySpki).equals(spki) &&
    isChain &&
    rest.every((der, index) => isSame(der, expected[index]))
  )
}

/** Keeps the chain of a replaced issuing CA, which still signs its revocation list. */
async function keepFormer(folder: string, chain: readonly Uint8Array[]): Promise<void> {
  await writeChain(folder, FORMER, chain)
  const list = await readRootList(folder, 'issuing-ca')
  if (list) await writeFile(join(folder, rootListOf(FORMER)), list, FLUSHED)
}

/**
 * @returns the names of the keys that got a new certificate
 * @throws any error of signing; the next run uses what was already written
 */
export async function bootstrap(request: BootstrapRequest): Promise<CertifiedKeyName[]> {
  const { folder, root, keys, ...making } = request
  await mkdir(folder, { recursive: true })
  const authorities = new Map<CertifiedKeyName, SigningAuthority>()
  const issued: CertifiedKeyName[] = []
  for (const name of Object.keys(AUTHORITIES) as CertifiedKeyName[]) {
    const key = name === 'root' ? root : keys.get(name)
    if (!key) continue
    const { issuer } = AUTHORITIES[name]
    const above = issuer && authorities.get(issuer)
    const chain = await readChain(folder, name)
    if (isOf(chain, key, above)) {
      authorities.set(name, { key, certificates: chain })
      continue
    }
    if (name === 'issuing-ca' && chain.length > 0) await keepFormer(folder, chain)
    const certificate = await issueAuthority(name, key, above, making)
    const authority = { key, certificates: [certificate, ...(above?.certificates ?? [])] }
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
