/** The service's own authorities, as their certificates tell. */
import { Buffer } from 'node:buffer'
import { keyIdOf, type AuthorityName } from '../../domain/pki.ts'
import type { SigningDevice, SigningKeyInfo, SigningKeyName } from '../../domain/ports/signing.ts'
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

/** An issuing authority and the root above it. */
export interface Authorities {
  key: SigningKeyName
  root: Authority
  issuing: Authority
  /** DER lists of the root, which is offline. */
  rootLists: readonly Uint8Array[]
  algorithm: SigningKeyInfo['algorithm']
}

/** What is public of a key stays as it is, and is asked for with every signature. */
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
 * The present authorities, and those before them, if there are some.
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
