/** The command of a worker under Deno, with every right that it has. */
import { DENO_RUN, denoBinary } from '../../adapters/pdf-sandbox/deno-binary.ts'

/** What the process is told. */
const VARIABLES = [
  // Of the process itself: config/ reads no others.
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
  'WEBHOOK_RETRY_DELAY_MS',
  // Of the Kubernetes client, in a pod.
  'KUBERNETES_SERVICE_HOST',
  'KUBERNETES_SERVICE_PORT',
]

export interface DenoRights {
  /** The program itself, keys, and what is mounted. */
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
    // To connect to a socket is to read and write it.
    `--allow-write=${readerSocket}`,
    `--allow-env=${VARIABLES.join(',')}`,
    // Whatever else a library asks for reads as unset.
    '--ignore-env',
    // Tenants' endpoints may be anywhere; the egress guard says which are asked.
    '--allow-net',
    // No --allow-run: a program that Deno may start can be started with every right.
    '--allow-sys=hostname',
  ]
}
