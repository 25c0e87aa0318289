/**
 * Signing credentials: one-time keys of participants under the issuing CA, and the service's seal.
 */
import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { generateKey, issueCertificate, type Credential } from '../../pades/index.ts'
import type { ParticipantDefinition } from '../../domain/cases/definition.ts'
import { publishedUrls, type CertificateRecord } from '../../domain/pki.ts'
import type { SigningDevice, SigningKeyInfo } from '../../domain/ports/signing.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { visibleOr } from '../../domain/visible-text.ts'
import type { WorkerDeps } from '../deps.ts'
import { ownAuthorities } from '../pki/authorities.ts'
import { recordCertificates } from '../pki/certificates.ts'

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

/** A key and its certificate, which are not recorded yet. */
interface Issued {
  /** In hex. */
  serial: string
  record: CertificateRecord
  credential: Promise<Credential>
}

/** Generates a key, and has the issuing CA sign a certificate without an e-mail address. */
function issueOne(
  { id, firstName, lastName }: ParticipantDefinition,
  { issuer, keyId }: { issuer: SigningKeyInfo; keyId: string },
  { signingDevice: device, baseUrl }: CredentialDeps,
  now: Date,
): Issued {
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
      publishedAt: publishedUrls(baseUrl, 'issuing', keyId),
    },
    (data) => device.sign('issuing-ca', data),
  )
  const record = {
    participantId: id,
    issuerKeyId: keyId,
    notBefore: notBefore.toISOString(),
    notAfter: notAfter.toISOString(),
  }
  const credential = issued.then((certificate) => ({
    algorithm: key.algorithm,
    certificates: [certificate, ...issuer.certificates],
    sign: (signedAttributes: Uint8Array) => key.sign(signedAttributes),
  }))
  return { serial: Buffer.from(serialNumber).toString('hex'), record, credential }
}

/**
 * Generates a key for each participant, which never leaves this process, and its certificate. All
 * certificates are recorded before a key can be used.
 *
 * @param participants at least one
 * @returns in the same order
 * @throws Error when the device or the store fails
 */
export async function oneTimeCredentials(
  participants: readonly ParticipantDefinition[],
  caseKey: CaseKey,
  deps: CredentialDeps,
  now: Date,
): Promise<Credential[]> {
  const { signingDevice: device, objects, keyring } = deps
  const [issuer, [{ issuing }]] = await Promise.all([
    device.describe('issuing-ca'),
    ownAuthorities(device),
  ])
  const authority = { issuer, keyId: issuing.keyId }
  const issued = participants.map((participant) => issueOne(participant, authority, deps, now))
  const records = new Map(issued.map(({ serial, record }) => [serial, record]))
  const [credentials] = await Promise.all([
    Promise.all(issued.map(({ credential }) => credential)),
    recordCertificates(caseKey, records, { objects, keyring }),
  ])
  return credentials
}

/** Returns key and certificates of the service's seal. */
export async function sealCredential(device: SigningDevice): Promise<Credential> {
  const { algorithm, certificates } = await device.describe('seal')
  return { algorithm, certificates, sign: (data) => device.sign('seal', data) }
}
