/** Emulates the backends of the service on loopback: bucket, signing keys, mail server. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emulatedGcs } from './gcs/server.ts'
import { EmulatedIdentity } from './google-identity.ts'
import { json, type EmulatedServer, type Fault } from './http.ts'
import { emulatedKey, emulatedKms, kmsError, type EmulatedKey } from './kms/server.ts'
import { emulatedPubSub, pubSubEnvironment } from './pubsub.ts'
import { startMailServer, type MailServer } from './mail-server.ts'

const BUCKET = 'sigcase-local'
const RING = 'projects/project/locations/europe-west1/keyRings/sigcase/cryptoKeys'
const FROM = 'no-reply@sigcase.localhost'
const OWNER_ONLY = 0o600
/** Large tolerance, so that tests can observe a process with a wrong clock. */
const TOLERANCE_SECONDS = 300

/** The CORS configuration of docs/how-to/set-up-google-cloud.md. */
const corsFor = (baseUrl: string) => [
  {
    origin: [baseUrl],
    method: ['GET', 'PUT'],
    responseHeader: ['Content-Type', 'Content-Range', 'x-goog-content-length-range'],
    maxAgeSeconds: 3600,
  },
]

/** Key versions by the names of their variables. */
const KEY_VERSIONS = {
  KMS_ISSUING_CA_KEY: `${RING}/issuing-ca/cryptoKeyVersions/1`,
  KMS_SEAL_KEY: `${RING}/seal/cryptoKeyVersions/1`,
  KMS_TSA_KEY: `${RING}/time-stamp-authority/cryptoKeyVersions/1`,
} as const

/** Backends that can have an outage, and their responses during it. */
const OUTAGES = {
  storage: json(503, {
    error: { code: 503, message: 'Backend Error', errors: [{ reason: 'backendError' }] },
  }),
  keys: kmsError('UNAVAILABLE', 'The service is currently unavailable.'),
} as const

/** Starts or ends an outage. */
export interface OutageOrder {
  service: keyof typeof OUTAGES
  isAway: boolean
}

/** A change of the state of a key. */
export interface KeyOrder {
  /** Variable with the key version. */
  key: keyof typeof KEY_VERSIONS
  change: Partial<Pick<EmulatedKey, 'isPermitted' | 'state'>>
}

/** Ports of the emulators. */
export interface OutsidePorts {
  storage: number
  keys: number
  mail: number
  /** Emulator of Pub/Sub. */
  pubSub: number
}

export interface OutsideOptions {
  /** Public URL of the service without a trailing slash. */
  baseUrl: string
  /** Folder for the key file of the service account, and for mails in `mail`. */
  folder: string
  /** Absent: free ports. */
  ports?: OutsidePorts
  /** Clock of the bucket and of Pub/Sub. */
  nowMs?: () => number
}

export interface Outside {
  ports: OutsidePorts
  storage: Awaited<ReturnType<typeof emulatedGcs>>
  keys: Awaited<ReturnType<typeof emulatedKms>>
  mail: MailServer
  /** Starts or ends an outage. @returns number of requests that the ended outage refused */
  setAway(service: OutageOrder['service'], isAway: boolean): number
  changeKey(key: KeyOrder['key'], change: KeyOrder['change']): void
  close(): Promise<void>
}

/** Builds a fault for all requests; `times` is decremented, so it also counts refused requests. */
const outage = (answer: Fault['answer']): Fault => ({
  matches: () => true,
  ...(answer ? { answer } : {}),
  times: Number.MAX_SAFE_INTEGER,
})

function setAway({ faults }: EmulatedServer, service: OutageOrder['service'], isAway: boolean) {
  const over = faults.splice(0)
  if (isAway) faults.push(outage(OUTAGES[service]))
  return over.reduce((sum, { times }) => sum + Number.MAX_SAFE_INTEGER - times, 0)
}

const keyFileIn = (folder: string) => join(folder, 'google-key.json')
/** Folder for accepted mails. */
export const mailFolderIn = (folder: string) => join(folder, 'mail')

/** Builds the variables for the service; the folder must contain its certificates. */
export function outsideEnvironment(
  { folder, baseUrl }: Pick<OutsideOptions, 'folder' | 'baseUrl'>,
  { storage, keys, mail, pubSub }: OutsidePorts,
) {
  return {
    GOOGLE_APPLICATION_CREDENTIALS: keyFileIn(folder),
    GCS_BUCKET: BUCKET,
    GCS_ENDPOINT: `http://127.0.0.1:${storage}`,
    ...KEY_VERSIONS,
    KMS_ENDPOINT: `http://127.0.0.1:${keys}`,
    KMS_CERTIFICATES: join(folder, 'certificates'),
    ...pubSubEnvironment(baseUrl, `http://127.0.0.1:${pubSub}`),
    SMTP_URL: `smtp+plain://127.0.0.1:${mail}`,
    SMTP_FROM: FROM,
  }
}

/** Additional variables of the API: the token issuer of Pub/Sub is on this machine. */
export const API_ENVIRONMENT = { EGRESS_ALLOW: '127.0.0.1/32', SHUTDOWN_DELAY_MS: '0' }

/** Starts all emulators; their data is in memory. */
export async function startOutside(options: OutsideOptions): Promise<Outside> {
  const { folder, baseUrl, ports, nowMs = Date.now } = options
  mkdirSync(folder, { recursive: true })
  const identity = new EmulatedIdentity({ toleranceSeconds: TOLERANCE_SECONDS })
  writeFileSync(keyFileIn(folder), identity.keyFile(), { mode: OWNER_ONLY })
  const pubSub = await emulatedPubSub({ bucket: BUCKET, baseUrl, nowMs, port: ports?.pubSub ?? 0 })
  const storage = await emulatedGcs({
    bucket: BUCKET,
    identity,
    port: ports?.storage ?? 0,
    cors: corsFor(baseUrl),
    nowMs,
    onUploaded: (name) => void pubSub.push(name),
  })
  const versions = Object.values(KEY_VERSIONS)
  const signers = versions.map((version) => emulatedKey(version, 'EC_SIGN_P256_SHA256'))
  const keys = await emulatedKms({ keys: signers, identity, port: ports?.keys ?? 0 })
  const mail = await startMailServer(mailFolderIn(folder), ports?.mail)
  const close = async () => {
    await Promise.all([storage.close(), keys.close(), mail.close(), pubSub.close()])
  }
  const taken = { storage: storage.port, keys: keys.port, mail: mail.port, pubSub: pubSub.port }
  const servers = { storage, keys }
  return {
    ports: taken,
    ...servers,
    mail,
    setAway: (service, isAway) => setAway(servers[service], service, isAway),
    changeKey: (key, change) => {
      const signer = signers.find(({ name }) => name === KEY_VERSIONS[key])
      if (signer) Object.assign(signer, change)
    },
    close,
  }
}
