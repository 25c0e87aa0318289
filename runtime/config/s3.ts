/** Reads the configuration of an S3-compatible object store and of its credentials. */
import { readCertificateFile } from './certificate-file.ts'
import type { EnvironmentReader } from './reader.ts'

/** Where the credentials come from: a file, or the token of the pod's service account. */
export type S3Identity =
  | { file: string }
  | {
      tokenFile: string
      role: string
      /** Origin of the Security Token Service. */
      endpoint: string
    }

export interface S3Config {
  bucket: string
  region: string
  /** Whether URLs name the bucket in their path or in their host. */
  addressing: 'path' | 'host'
  /** Origin of the store. */
  endpoint: string
  /** Origin of the store in the links that people get. */
  publicEndpoint: string
  /** PEM certificates instead of the public authorities. */
  authorities?: string
  identity: S3Identity
}

/** @returns undefined when there are no credentials */
function readIdentity(reader: EnvironmentReader, region: string): S3Identity | undefined {
  const file = reader.get('AWS_SHARED_CREDENTIALS_FILE')
  const tokenFile = reader.get('AWS_WEB_IDENTITY_TOKEN_FILE')
  const role = reader.get('AWS_ROLE_ARN')
  const endpoint = reader.get('S3_STS_ENDPOINT') ?? `https://sts.${region}.amazonaws.com`
  if (file !== undefined) return { file }
  return tokenFile === undefined || role === undefined ? undefined : { tokenFile, role, endpoint }
}

/** Reads the variables about an S3-compatible store; undefined without `S3_BUCKET`. */
export function readS3(reader: EnvironmentReader): S3Config | undefined {
  const bucket = reader.get('S3_BUCKET')
  const region = reader.get('S3_REGION')
  const endpoint = reader.get('S3_ENDPOINT') ?? `https://s3.${region}.amazonaws.com`
  const publicEndpoint = reader.get('S3_PUBLIC_ENDPOINT') ?? endpoint
  const addressing = reader.get('S3_ADDRESSING')
  const authorities = readCertificateFile(reader, 'S3_CA_FILE')
  const identity = readIdentity(reader, region)
  if (bucket === undefined) return undefined
  if (reader.has('GCS_BUCKET')) {
    reader.faults.push('S3_BUCKET and GCS_BUCKET exclude each other: set one of them')
  }
  if (!identity) {
    reader.faults.push(
      'Set AWS_SHARED_CREDENTIALS_FILE, or AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN: ' +
        'S3_BUCKET needs credentials',
    )
  }
  return {
    bucket,
    region,
    addressing,
    endpoint,
    publicEndpoint,
    ...(authorities === undefined ? {} : { authorities }),
    identity: identity ?? { file: '' },
  }
}
