/** What the service needs of others, on loopback: a bucket, keys that sign, a mail server. */
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
/** What a process with a wrong clock does is to be seen: it is not kept from working. */
const TOLERANCE_SECONDS = 300

/** As docs/how-to/set-up-google-cloud.md has it. */
const corsFor = (baseUrl: string) => [
  {
    origin: [baseUrl],
    method: ['GET', 'PUT'],
    responseHeader: ['Content-Type', 'Content-Range', 'x-goog-content-length-range'],
    maxAgeSeconds: 3600,
  },
]

/** Versions of keys, by the variables that name them. */
const KEY_VERSIONS = {
  KMS_ISSUING_CA_KEY: `${RING}/issuing-ca/cryptoKeyVersions/1`,
  KMS_SEAL_KEY: `${RING}/seal/cryptoKeyVersions/1`,
  KMS_TSA_KEY: `${RING}/time-stamp-authority/cryptoKeyVersions/1`,
} as const

/** What can be away, and what it answers then. */
const OUTAGES = {
  storage: json(503, {
    error: { code: 503, message: 'Backend Error', errors: [{ reason: 'backendError' }] },
  }),
  keys: kmsError('UNAVAILABLE', 'The service is currently unavailable.'),
} as const

/** From now on it answers nobody, or everybody again. */
export interface OutageOrder {
  service: keyof typeof OUTAGES
  isAway: boolean
}

/** What becomes of a key from now on. */
export interface KeyOrder {
  /** The variable that names its version. */
  key: keyof typeof KEY_VERSIONS
  change: Partial<Pick<EmulatedKey, 'isPermitted' | 'state'>>
}

/** Where each of them listens. */
export interface OutsidePorts {
  storage: number
  keys: number
  mail: number
  /** Tells of uploads. */
  pubSub: number
}

export interface OutsideOptions {
  /** Where the service is reached, without a slash at its end. */
  baseUrl: string
  /** Gets the key file of the service's account, and mails in `mail`. */
  folder: string
  /** Absent: free ones. */
  ports?: OutsidePorts
  /** The clock of the bucket, and of what tells of uploads. */
  nowMs?: () => number
}

export interface Outside {
  ports: OutsidePorts
  storage: Awaited<ReturnType<typeof emulatedGcs>>
  keys: Awaited<ReturnType<typeof emulatedKms>>
  mail: MailServer
  /** @returns how many requests the outage that ends has refused */
  setAway(service: OutageOrder['service'], isAway: boolean): number
  changeKey(key: KeyOrder['key'], change: KeyOrder['change']): void
  close(): Promise<void>
}

/** Counts by its `times`, which begin at the largest number that can be counted down from. */
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
/** Where the mail server keeps what it took. */
export const mailFolderIn = (folder: string) => join(folder, 'mail')

/** The variables that lead the service there; its certificates are to be in the folder. */
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

/** What the API is told besides: the issuer of the pusher's tokens is on this machine. */
export const API_ENVIRONMENT = { EGRESS_ALLOW: '127.0.0.1/32', SHUTDOWN_DELAY_MS: '0' }

/** Starts them all; what they hold ends with them. */
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
