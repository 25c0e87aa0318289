/** The values of the chart about Google Cloud: credentials, bucket, keys and notifications. */
import { Type } from '@sinclair/typebox'
import {
  flag,
  group,
  HTTP_URL_OR_NONE,
  NAME_OR_NONE,
  secretKey,
  text,
  texts,
} from './value-types.ts'

const PART = '[^/]+'
const KEY_VERSION =
  `^projects/${PART}/locations/${PART}/keyRings/${PART}/` +
  `cryptoKeys/${PART}/cryptoKeyVersions/[0-9]+$`
const KEY_FILE = 'credentials.json'

const keyVersionOrNone = (description: string) =>
  text(description, '', {
    pattern: `^$|${KEY_VERSION}`,
    examples: [
      'projects/example/locations/europe-west3/keyRings/sigcase/cryptoKeys/a/cryptoKeyVersions/1',
    ],
  })

const credentials = group('Key files of service accounts, only without workload identity', {
  api: secretKey('Key file of the service account of the API', KEY_FILE),
  controller: secretKey('Key file of the service account of the controller', KEY_FILE),
  worker: secretKey('Key file of the service account of the workers', KEY_FILE),
  lifecycleHook: secretKey('Key file of the service account of the lifecycle hook', KEY_FILE),
})

const keys = group('Key versions in Cloud KMS; not used with `vault.address`', {
  issuingCa: keyVersionOrNone('Key version that issues certificates of participants; required'),
  seal: keyVersionOrNone('Key version that seals documents and audit trails; required'),
  formerIssuingCa: keyVersionOrNone(
    'Previous key version of the issuing CA, which still signs its revocation list',
  ),
  timeStampAuthority: keyVersionOrNone(
    'Key version for time-stamps; required without `timeStamps.urls`',
  ),
  certificatesConfigMapName: text(
    'ConfigMap with the certificates of the keys, `<key>.pem`, and with `root.crl`; required',
    '',
    NAME_OR_NONE,
  ),
  endpoint: text('Origin of Cloud KMS; empty: that of Google', '', HTTP_URL_OR_NONE),
})

const lifecycleHook = group(
  'Job that applies the lifecycle rules of the bucket after each installation and upgrade',
  {
    enabled: flag(
      'Creates the Job; requires `storage.buckets.get` and `storage.buckets.update`',
      false,
    ),
    serviceAccountName: text(
      'Existing ServiceAccount of the Job, not that of a component; required when enabled',
      '',
      NAME_OR_NONE,
    ),
    environment: texts('Additional environment variables of the Job, without secrets'),
  },
)

const loadBalancer = group('Google Cloud load balancer in front of the API (GKE)', {
  enabled: flag(
    'Creates a BackendConfig (`ingress`), a GCPBackendPolicy and a HealthCheckPolicy (`gateway`)',
    false,
  ),
  timeoutSeconds: Type.Integer({
    description:
      'Maximum duration of a response in seconds; kiosks hold streams open for up to 900',
    default: 1_200,
    minimum: 30,
    maximum: 86_400,
  }),
})

/** Google Cloud. */
export const googleCloud = group('Google Cloud: object store and signing keys', {
  credentials,
  bucket: text('Bucket for documents, results and audit trails; required without `s3.bucket`', '', {
    pattern: '^([a-z0-9][a-z0-9._-]{1,220}[a-z0-9])?$',
    examples: ['example-sigcase'],
  }),
  storageEndpoint: text(
    'Origin of Cloud Storage, for example of an emulator; empty: that of Google',
    '',
    HTTP_URL_OR_NONE,
  ),
  keys,
  uploadNotifications: group('Pub/Sub push of finished uploads; without it the service polls', {
    audience: text('Audience of the tokens of the push subscription', ''),
    serviceAccount: text('E-mail address of the service account of the push subscription', ''),
  }),
  lifecycleHook,
  loadBalancer,
})
