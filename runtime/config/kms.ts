/** Reads which key versions of Cloud KMS sign, and where their certificates are. */
import type { SigningKeyName } from '../../domain/ports/signing.ts'
import type { EnvironmentReader } from './reader.ts'
import { VAULT_SIGNING_VARIABLES } from './vault.ts'

export interface KmsConfig {
  /** Resource names of key versions. */
  keys: Partial<Record<SigningKeyName, string>>
  /** Absolute path of the folder with `<key>.pem` and `root.crl`. */
  certificatesFolder: string
  endpoint: URL
}

/** Variables that give access to the signing keys; only workers may have them. */
export const SIGNING_VARIABLES = [
  'KMS_ISSUING_CA_KEY',
  'KMS_SEAL_KEY',
  'KMS_FORMER_ISSUING_CA_KEY',
  'KMS_TSA_KEY',
  'KMS_CERTIFICATES',
  'KMS_ENDPOINT',
  'SIGNING_KEYS_FOLDER',
  ...VAULT_SIGNING_VARIABLES,
] as const

/** Collects a fault for each variable that would give this process access to the signing keys. */
export function refuseSigningKeys(reader: EnvironmentReader): void {
  for (const name of SIGNING_VARIABLES.filter((each) => reader.has(each))) {
    reader.faults.push(`${name}: only workers sign; remove it from this process`)
  }
}

/** Reads the variables about Cloud KMS. */
export function readKms(reader: EnvironmentReader): KmsConfig {
  const former = reader.get('KMS_FORMER_ISSUING_CA_KEY')
  const timeStamps = reader.get('KMS_TSA_KEY')
  return {
    keys: {
      'issuing-ca': reader.getRequired('KMS_ISSUING_CA_KEY'),
      seal: reader.getRequired('KMS_SEAL_KEY'),
      ...(former === undefined ? {} : { 'former-issuing-ca': former }),
      ...(timeStamps === undefined ? {} : { 'time-stamp-authority': timeStamps }),
    },
    certificatesFolder: reader.getRequired('KMS_CERTIFICATES'),
    endpoint: readKmsEndpoint(reader),
  }
}

/** Reads the endpoint of Cloud KMS. */
export const readKmsEndpoint = (reader: EnvironmentReader): URL =>
  new URL(reader.get('KMS_ENDPOINT'))
