/** Builds the command of a worker on Deno with its permissions. */
import { DENO_RUN, denoBinary } from '../../adapters/pdf-sandbox/deno-binary.ts'

/** Options of the worker process. */
const VARIABLES = [
  // Variables that runtime/config/ reads.
  'AWS_ROLE_ARN',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'BASE_URL',
  'EGRESS_ALLOW',
  'GCS_BUCKET',
  'GCS_ENDPOINT',
  'GCS_SIGNING_ENDPOINT',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'HOST',
  'KEYRING_FOLDER',
  'KUBECONFIG',
  'KMS_CERTIFICATES',
  'KMS_ENDPOINT',
  'KMS_FORMER_ISSUING_CA_KEY',
  'KMS_ISSUING_CA_KEY',
  'KMS_SEAL_KEY',
  'KMS_TSA_KEY',
  'LOG_LEVEL',
  'OPERATIONS_PORT',
  'READER_SOCKET',
  'REDIS_CA_FILE',
  'REDIS_PREFIX',
  'REDIS_URL',
  'S3_ADDRESSING',
  'S3_BUCKET',
  'S3_CA_FILE',
  'S3_ENDPOINT',
  'S3_PUBLIC_ENDPOINT',
  'S3_REGION',
  'S3_STS_ENDPOINT',
  'SHUTDOWN_GRACE_MS',
  'SMTP_CA_FILE',
  'SMTP_FROM',
  'SMTP_PASSWORD',
  'SMTP_URL',
  'SMTP_USER',
  'TRUSTED_LISTS',
  'TRUSTED_LISTS_ANCHORS',
  'TRUSTED_LISTS_PUBLICATION',
  'TSA_POLICY',
  'TSA_ROOTS',
  'TSA_URLS',
  'VAULT_ADDR',
  'VAULT_AUTH_MOUNT',
  'VAULT_CA_FILE',
  'VAULT_FORMER_ISSUING_CA_KEY',
  'VAULT_ISSUING_CA_KEY',
  'VAULT_JWT_FILE',
  'VAULT_NAMESPACE',
  'VAULT_ROLE',
  'VAULT_RSA_PADDING',
  'VAULT_SEAL_KEY',
  'VAULT_TOKEN_FILE',
  'VAULT_TRANSIT_MOUNT',
  'VAULT_TSA_KEY',
  'WEBHOOK_RETRY_DELAY_MS',
  // Variables of the Kubernetes client in a pod.
  'KUBERNETES_SERVICE_HOST',
  'KUBERNETES_SERVICE_PORT',
]

export interface DenoRights {
  /** Readable paths: program, keys and mounts. */
  read: readonly string[]
  /** Socket of the reader. */
  readerSocket: string
}

/** @returns program and arguments, without the file */
export function denoCommand({ read, readerSocket }: DenoRights): string[] {
  return [
    denoBinary(),
    ...DENO_RUN,
    `--allow-read=${[...read, readerSocket].join(',')}`,
    // Connecting to a socket requires read and write permission.
    `--allow-write=${readerSocket}`,
    `--allow-env=${VARIABLES.join(',')}`,
    // All other variables read as unset.
    '--ignore-env',
    // Endpoints of tenants can have any address; the egress guard checks each one.
    '--allow-net',
    // No --allow-run: a child process can get all permissions.
    '--allow-sys=hostname',
  ]
}
