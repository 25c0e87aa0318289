/** The service's own certification authorities, read from their certificates. */
import { Buffer } from 'node:buffer'
import { keyIdOf, type AuthorityName } from '../../domain/pki.ts'
import type { SigningDevice, SigningKeyInfo, SigningKeyName } from '../../domain/ports/signing.ts'
import { readCertificate, type Certificate } from '../../pades/index.ts'

export interface Authority {
  name: AuthorityName
  /** Short id of its key. */
  keyId: string
  certificate: Certificate
}

/**
 * @throws Error for a certificate without a subject key identifier; it is not one of the service's
 *   authorities
 */
function authorityOf(name: AuthorityName, der: Uint8Array): Authority {
  const certificate = readCertificate(der)
  const key = certificate.subjectKeyIdentifier
  if (!key)
    throw new Error(`the certificate of the authority ${name} has no subject key identifier`)
  return { name, keyId: keyIdOf(Buffer.from(key).toString('hex')), certificate }
}

/** An issuing authority and the root above it. */
export interface Authorities {
  key: SigningKeyName
  root: Authority
  issuing: Authority
  /** DER revocation lists of the root, whose key is offline. */
  rootLists: readonly Uint8Array[]
  algorithm: SigningKeyInfo['algorithm']
}

/** Cache by certificates: public facts of a key do not change, and every signature needs them. */
const known = new WeakMap<readonly Uint8Array[], Authorities>()

function authoritiesOf(
  key: SigningKeyName,
  { algorithm, certificates, revocationLists = [] }: SigningKeyInfo,
): Authorities {
  const found = known.get(certificates)
  if (found) return found
  const authorities = {
    key,
    issuing: authorityOf('issuing', certificates[0] as Uint8Array),
    root: authorityOf('root', certificates.at(-1) as Uint8Array),
    rootLists: revocationLists,
    algorithm,
  }
  known.set(certificates, authorities)
  return authorities
}

/**
 * Returns the current authorities, and the previous ones if they exist.
 *
 * @throws Error when the device cannot be reached
 */
export async function ownAuthorities(
  device: SigningDevice,
): Promise<[Authorities, ...Authorities[]]> {
  const info = await device.describe('issuing-ca')
  const present = authoritiesOf('issuing-ca', info)
  const { predecessor } = info
  if (predecessor === undefined) return [present]
  return [present, authoritiesOf(predecessor, await device.describe(predecessor))]
}
