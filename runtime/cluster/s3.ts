/** Opens the configured S3-compatible store, with its credentials. */
import { bucketUrl } from '../../adapters/s3/client.ts'
import { CredentialsFile, type CredentialSource } from '../../adapters/s3/credentials.ts'
import { S3ObjectStore } from '../../adapters/s3/object-store.ts'
import { WebIdentity } from '../../adapters/s3/web-identity.ts'
import type { S3Config } from '../config/s3.ts'

function openCredentials({ identity, authorities }: S3Config, now: () => Date): CredentialSource {
  if ('file' in identity) return new CredentialsFile(identity.file)
  return new WebIdentity({ ...identity, now, ...(authorities && { authorities }) })
}

/** Opens the bucket; nothing is sent before the first call. */
export function openS3(config: S3Config, { now }: { now: () => Date }): S3ObjectStore {
  const credentials = openCredentials(config, now)
  return new S3ObjectStore({ ...config, credentials, now })
}

/** Returns the origin of the links that people get to objects. */
export const linkOrigin = ({ publicEndpoint, bucket, addressing }: S3Config): string =>
  new URL(bucketUrl(publicEndpoint, bucket, addressing)).origin
