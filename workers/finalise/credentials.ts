/**
 * Keys to sign with: one-time keys of participants under the issuing CA, and the service's seal.
 */
import { randomBytes } from 'node:crypto'
import { generateKey, issueCertificate, type Credential } from '../../pades/index.ts'
import type { ParticipantDefinition } from '../../domain/cases/schema.ts'
import type { SigningDevice } from '../../domain/ports/signing.ts'

/** Verifiers' clocks may be behind ours (design 6). */
const BACKDATED_MS = 10 * 60 * 1000
const CERTIFICATE_LIFE_MS = 24 * 60 * 60 * 1000
const SERIAL_OCTETS = 16

/** A new key that nobody but this process ever has, with its certificate (no e-mail in it). */
export async function oneTimeCredential(
  { id, firstName, lastName }: ParticipantDefinition,
  device: SigningDevice,
  now: Date,
): Promise<Credential> {
  const issuer = await device.describe('issuing-ca')
  const key = generateKey()
  const certificate = await issueCertificate(
    {
      profile: 'signer',
      subject: {
        surname: lastName,
        givenName: firstName,
        serialNumber: id,
        commonName: `${firstName} ${lastName}`,
      },
      publicKeySpki: key.publicKeySpki,
      issuer: issuer.certificates[0] as Uint8Array,
      serialNumber: randomBytes(SERIAL_OCTETS),
      notBefore: new Date(now.getTime() - BACKDATED_MS),
      notAfter: new Date(now.getTime() - BACKDATED_MS + CERTIFICATE_LIFE_MS),
      algorithm: issuer.algorithm,
    },
    (data) => device.sign('issuing-ca', data),
  )
  return {
    algorithm: key.algorithm,
    certificates: [certificate, ...issuer.certificates],
    sign: (signedAttributes) => key.sign(signedAttributes),
  }
}

/** The service's own key. */
export async function sealCredential(device: SigningDevice): Promise<Credential> {
  const { algorithm, certificates } = await device.describe('seal')
  return { algorithm, certificates, sign: (data) => device.sign('seal', data) }
}
