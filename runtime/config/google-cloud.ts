/** Reads the configuration of Google Cloud: credentials, bucket and upload notifications. */
import { resolve } from 'node:path'
import { parseHttpUrl } from './parsers.ts'
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

export interface PubSubPushConfig {
  /** Audience (`aud`) of the tokens of the push subscription. */
  audience: string
  /** E-mail address of the service account that the subscription pushes as. */
  serviceAccount: string
  /** Issuer of those tokens. */
  issuer: string
}

const BUCKET_NAME = /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/
const EMAIL = /^[^\s@]+@[^\s@]+$/
const HTTP_URL = 'an http or https URL without user name, password and fragment'

const parseEndpoint = (text: string) => parseHttpUrl(text)?.replace(/\/+$/, '')
const parseBucket = (text: string) => (BUCKET_NAME.test(text) ? text : undefined)
const parseEmail = (text: string) => (EMAIL.test(text) ? text : undefined)

/** Reads the key file of a service account; on GKE, workload identity replaces it. */
export function readGoogleCredentials(reader: EnvironmentReader): GoogleCredentialsConfig {
  const keyFile = reader.read<string | undefined>(
    'GOOGLE_APPLICATION_CREDENTIALS',
    undefined,
    'a path',
    (text) => resolve(text),
  )
  return keyFile === undefined ? {} : { keyFile }
}

/** Reads the variables about the bucket; a bucket is required. */
export function readGcs(reader: EnvironmentReader): GcsConfig {
  const bucket = reader.readNeeded('GCS_BUCKET', 'the name of a bucket', parseBucket)
  const endpoint = reader.read(
    'GCS_ENDPOINT',
    'https://storage.googleapis.com',
    HTTP_URL,
    parseEndpoint,
  )
  const signing = reader.read(
    'GCS_SIGNING_ENDPOINT',
    'https://iamcredentials.googleapis.com',
    HTTP_URL,
    parseEndpoint,
  )
  const signingEndpoint = `${signing}/v1/projects/-/serviceAccounts/`
  return { bucket, endpoint, signingEndpoint }
}

/** Reads the variables about upload notifications; without them the service polls for uploads. */
export function readPubSubPush(reader: EnvironmentReader): PubSubPushConfig | undefined {
  const read = (name: string, wanted: string, parse: (text: string) => string | undefined) =>
    reader.read<string | undefined>(name, undefined, wanted, parse)
  const audience = read('PUBSUB_PUSH_AUDIENCE', 'a text', (text) => text)
  const serviceAccount = read('PUBSUB_PUSH_ACCOUNT', 'an e-mail address', parseEmail)
  const issuer = reader.read(
    'PUBSUB_PUSH_ISSUER',
    'https://accounts.google.com',
    HTTP_URL,
    parseEndpoint,
  )
  if (audience === undefined && serviceAccount === undefined) return undefined
  if (audience === undefined || serviceAccount === undefined) {
    reader.faults.push('PUBSUB_PUSH_AUDIENCE and PUBSUB_PUSH_ACCOUNT: set both or neither')
    return undefined
  }
  return { audience, serviceAccount, issuer }
}
