/**
 * Signing credentials: one-time keys of participants under the issuing CA, and the service's seal.
 */
import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { generateKey, issueCertificate, type Credential } from '../../pades/index.ts'
import type { ParticipantDefinition } from '../../domain/cases/definition.ts'
import { publishedUrls } from '../../domain/pki.ts'
import type { SigningDevice } from '../../domain/ports/signing.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { visibleOr } from '../../domain/visible-text.ts'
import type { WorkerDeps } from '../deps.ts'
import { ownAuthorities } from '../pki/authorities.ts'
import { recordCertificate } from '../pki/certificates.ts'

type CredentialDeps = Pick<WorkerDeps, 'signingDevice' | 'objects' | 'keyring' | 'baseUrl'>

/** The clock of a verifier may be behind the service's clock (design 6). */
const BACKDATED_MS = 10 * 60 * 1000
const CERTIFICATE_LIFE_MS = 24 * 60 * 60 * 1000
const SERIAL_OCTETS = 16

/** Returns a random positive number without leading zeros, so that its hex form is unique. */
function newSerialNumber(): Uint8Array {
  const octets = randomBytes(SERIAL_OCTETS)
  octets[0] = (octets[0] & 0x3f) | 0x40
  return octets
}

/**
 * Generates a key that never leaves this process, with a certificate that contains no e-mail
 * address. The certificate is recorded before the key can be used.
 *
 * @throws Error when the device or the store fails
 */
export async function oneTimeCredential(
  { id, firstName, lastName }: ParticipantDefinition,
  caseKey: CaseKey,
  { signingDevice: device, objects, keyring, baseUrl }: CredentialDeps,
  now: Date,
): Promise<Credential> {
  const [issuer, [{ issuing }]] = await Promise.all([
    device.describe('issuing-ca'),
    ownAuthorities(device),
  ])
  const key = generateKey()
  const serialNumber = newSerialNumber()
  const notBefore = new Date(now.getTime() - BACKDATED_MS)
  const notAfter = new Date(notBefore.getTime() + CERTIFICATE_LIFE_MS)
  const issued = issueCertificate(
    {
      profile: 'signer',
      subject: {
        surname: visibleOr(lastName, ''),
        givenName: visibleOr(firstName, ''),
        serialNumber: id,
        commonName: visibleOr(`${firstName} ${lastName}`, id),
      },
      publicKeySpki: key.publicKeySpki,
      issuer: issuer.certificates[0] as Uint8Array,
      serialNumber,
      notBefore,
      notAfter,
      algorithm: issuer.algorithm,
      publishedAt: publishedUrls(baseUrl, 'issuing', issuing.keyId),
    },
    (data) => device.sign('issuing-ca', data),
  )
  const record = {
    participantId: id,
    issuerKeyId: issuing.keyId,
    notBefore: notBefore.toISOString(),
    notAfter: notAfter.toISOString(),
  }
  const serial = Buffer.from(serialNumber).toString('hex')
  const [certificate] = await Promise.all([
    issued,
    recordCertificate(caseKey, serial, record, { objects, keyring }),
  ])
  return {
    algorithm: key.algorithm,
    certificates: [certificate, ...issuer.certificates],
    sign: (signedAttributes) => key.sign(signedAttributes),
  }
}

/** Returns key and certificates of the service's seal. */
export async function sealCredential(device: SigningDevice): Promise<Credential> {
  const { algorithm, certificates } = await device.describe('seal')
  return { algorithm, certificates, sign: (data) => device.sign('seal', data) }
}
