/** Reads which key versions of Cloud KMS sign, and where their certificates are. */
import { resolve } from 'node:path'
import type { SigningKeyName } from '../../domain/ports/signing.ts'
import { parseHttpUrl } from './parsers.ts'
import type { EnvironmentReader } from './reader.ts'

export interface KmsConfig {
  /** Resource names of key versions. */
  keys: Partial<Record<SigningKeyName, string>>
  /** Absolute path of the folder with `<key>.pem` and `root.crl`. */
  certificatesFolder: string
  endpoint: URL
}

const PART = '[A-Za-z0-9._:-]+'
const KEY_VERSION = new RegExp(
  `^projects/${PART}/locations/${PART}/keyRings/${PART}/cryptoKeys/${PART}/cryptoKeyVersions/\\d+$`,
)
const WANTED = 'projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/…'
const KMS_ENDPOINT = 'https://cloudkms.googleapis.com'

const parseKeyVersion = (text: string) => (KEY_VERSION.test(text) ? text : undefined)

function parseOrigin(text: string): URL | undefined {
  const href = parseHttpUrl(text)
  if (href === undefined) return undefined
  const url = new URL(href)
  return url.pathname === '/' && url.search === '' ? url : undefined
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
] as const

/** Collects a fault for each variable that would give this process access to the signing keys. */
export function refuseSigningKeys(reader: EnvironmentReader): void {
  for (const name of SIGNING_VARIABLES.filter((each) => reader.has(each))) {
    reader.faults.push(`${name}: only workers sign; remove it from this process`)
  }
}

/** Reads an optional key version. */
export function readKeyVersion(reader: EnvironmentReader, name: string): string | undefined {
  return reader.read<string | undefined>(name, undefined, WANTED, parseKeyVersion)
}

/** Reads the variables about Cloud KMS. */
export function readKms(reader: EnvironmentReader): KmsConfig {
  const needed = (name: string) => reader.readNeeded(name, WANTED, parseKeyVersion)
  const former = readKeyVersion(reader, 'KMS_FORMER_ISSUING_CA_KEY')
  const timeStamps = readKeyVersion(reader, 'KMS_TSA_KEY')
  return {
    keys: {
      'issuing-ca': needed('KMS_ISSUING_CA_KEY'),
      seal: needed('KMS_SEAL_KEY'),
      ...(former === undefined ? {} : { 'former-issuing-ca': former }),
      ...(timeStamps === undefined ? {} : { 'time-stamp-authority': timeStamps }),
    },
    certificatesFolder: reader.readNeeded('KMS_CERTIFICATES', 'a path', (text) => resolve(text)),
    endpoint: readKmsEndpoint(reader),
  }
}

/** Reads the endpoint of Cloud KMS. */
export function readKmsEndpoint(reader: EnvironmentReader): URL {
  return reader.read('KMS_ENDPOINT', new URL(KMS_ENDPOINT), 'an http or https origin', parseOrigin)
}
