/** The service's own authorities, as their certificates tell. */
import { Buffer } from 'node:buffer'
import { keyIdOf, type AuthorityName } from '../../domain/pki.ts'
import type { SigningDevice, SigningKeyInfo } from '../../domain/ports/signing.ts'
import { readCertificate, type Certificate } from '../../pades/index.ts'

export interface Authority {
  name: AuthorityName
  /** Short name of its key. */
  keyId: string
  certificate: Certificate
}

/** @throws Error for a certificate that does not name its key: it is no authority of ours */
function authorityOf(name: AuthorityName, der: Uint8Array): Authority {
  const certificate = readCertificate(der)
  const key = certificate.subjectKeyIdentifier
  if (!key) throw new Error(`the certificate of the authority ${name} does not name its key`)
  return { name, keyId: keyIdOf(Buffer.from(key).toString('hex')), certificate }
}

export interface Authorities {
  root: Authority
  issuing: Authority
  /** DER lists of the root, which is offline. */
  rootLists: readonly Uint8Array[]
  algorithm: SigningKeyInfo['algorithm']
}

/** What is public of a key stays as it is, and is asked for with every signature. */
const known = new WeakMap<readonly Uint8Array[], Authorities>()

/** @throws Error when the device cannot be reached */
export async function ownAuthorities(device: SigningDevice): Promise<Authorities> {
  const { algorithm, certificates, revocationLists = [] } = await device.describe('issuing-ca')
  const found = known.get(certificates)
  if (found) return found
  const authorities = {
    issuing: authorityOf('issuing', certificates[0] as Uint8Array),
    root: authorityOf('root', certificates.at(-1) as Uint8Array),
    rootLists: revocationLists,
    algorithm,
  }
  known.set(certificates, authorities)
  return authorities
}
