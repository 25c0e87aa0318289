/** Reads the configuration of Google Cloud: credentials, bucket and upload notifications. */
import type { EnvironmentReader } from './reader.ts'

export interface GoogleCredentialsConfig {
  /** Absolute path of a service account's key; absent: the metadata server gives the identity. */
  keyFile?: string
}

export interface GcsConfig {
  bucket: string
  /** Without a slash at its end. */
  endpoint: string
  /** Base URL of `signBlob`, which signs URLs without a key file; ends with a slash. */
  signingEndpoint: string
}

/** Whether an object store is a bucket of Cloud Storage. */
export const isCloudStorage = (objects: object): objects is GcsConfig =>
  'signingEndpoint' in objects

export interface PubSubPushConfig {
  /** Audience (`aud`) of the tokens of the push subscription. */
  audience: string
  /** E-mail address of the service account that the subscription pushes as. */
  serviceAccount: string
  /** Issuer of those tokens. */
  issuer: string
}

/** Reads the key file of a service account; on GKE, workload identity replaces it. */
export function readGoogleCredentials(reader: EnvironmentReader): GoogleCredentialsConfig {
  const keyFile = reader.get('GOOGLE_APPLICATION_CREDENTIALS')
  return keyFile === undefined ? {} : { keyFile }
}

/** Reads the variables about the bucket; a bucket is required. */
export function readGcs(reader: EnvironmentReader): GcsConfig {
  return {
    bucket: reader.getRequired('GCS_BUCKET'),
    endpoint: reader.get('GCS_ENDPOINT'),
    signingEndpoint: `${reader.get('GCS_SIGNING_ENDPOINT')}/v1/projects/-/serviceAccounts/`,
  }
}

/** Reads the variables about upload notifications; without them the service polls for uploads. */
export function readPubSubPush(reader: EnvironmentReader): PubSubPushConfig | undefined {
  const audience = reader.get('PUBSUB_PUSH_AUDIENCE')
  const serviceAccount = reader.get('PUBSUB_PUSH_ACCOUNT')
  const issuer = reader.get('PUBSUB_PUSH_ISSUER')
  if (audience === undefined && serviceAccount === undefined) return undefined
  if (audience === undefined || serviceAccount === undefined) {
    reader.faults.push('PUBSUB_PUSH_AUDIENCE and PUBSUB_PUSH_ACCOUNT: set both or neither')
    return undefined
  }
  return { audience, serviceAccount, issuer }
}
