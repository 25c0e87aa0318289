/** Runs the emulators of Google Cloud and of a mail server on a cluster, as a pod. */
import { Buffer } from 'node:buffer'
import { X509Certificate } from 'node:crypto'
import { BASE_URL, OUTSIDE_NAMESPACE } from './layout.ts'
import { EMULATORS, EMULATORS_PROGRAM } from './images.ts'
import type { Kubectl } from './kubectl.ts'

const NAME = 'emulators'
const HOST = `${NAME}.${OUTSIDE_NAMESPACE}.svc.cluster.local`
/** Ports on which the pod relays to the emulators; see emulators.ts. */
const PORTS = { storage: 14_001, keys: 14_002, mail: 14_003 }
export const MAIL_PORT = PORTS.mail
export const KEYS_PORT = PORTS.keys
export const STORAGE_URL = `http://${HOST}:${PORTS.storage}`
export const KEYS_URL = `http://${HOST}:${PORTS.keys}`
export const MAIL_URL = `smtp+plain://${HOST}:${PORTS.mail}`
export const BUCKET = 'sigcase-local'
const RING = 'projects/project/locations/europe-west1/keyRings/sigcase/cryptoKeys'
export const KEYS = {
  issuingCa: `${RING}/issuing-ca/cryptoKeyVersions/1`,
  seal: `${RING}/seal/cryptoKeyVersions/1`,
  timeStampAuthority: `${RING}/time-stamp-authority/cryptoKeyVersions/1`,
}
const RUN = 'deployment/emulators'
const PROGRAM = 'node runtime/dist/sigcase.js kms-certificates'

function manifests(): object[] {
  const metadata = { name: NAME, namespace: OUTSIDE_NAMESPACE }
  const labels = { app: NAME }
  const ports = Object.entries(PORTS).map(([name, port]) => ({ name, port, targetPort: port }))
  const container = {
    name: NAME,
    image: EMULATORS,
    imagePullPolicy: 'IfNotPresent',
    args: [EMULATORS_PROGRAM, BASE_URL],
    readinessProbe: { tcpSocket: { port: PORTS.mail }, periodSeconds: 1, timeoutSeconds: 5 },
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
  }
  const podSpec = {
    enableServiceLinks: false,
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 2,
    securityContext: { runAsUser: 65532, runAsGroup: 65532, fsGroup: 65532 },
    containers: [container],
    volumes: [{ name: 'data', emptyDir: {} }],
  }
  return [
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: labels, ports } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        // Their data ends with the pod.
        strategy: { type: 'Recreate' },
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podSpec },
      },
    },
  ]
}

/** Prints the files of the folder as JSON, in base64: the revocation list is DER. */
const PRINT_CERTIFICATES = `
const { readdirSync, readFileSync } = require('node:fs')
const folder = '/data/certificates'
const files = readdirSync(folder).map((name) => [name, readFileSync(folder + '/' + name, 'base64')])
console.log(JSON.stringify(Object.fromEntries(files)))`

export interface OutsideFiles {
  /** Key file of the service's account at the emulators. */
  googleKey: string
  /** Certificates of the keys, and the revocation list of the root, keyed by file name; base64. */
  certificates: Record<string, string>
}

const execute = (kubectl: Kubectl, ...command: string[]) =>
  kubectl.run(`--namespace=${OUTSIDE_NAMESPACE}`, 'exec', RUN, '--', ...command)

/** Issues the certificates that are missing, by the documented command. @returns all of them */
async function issueCertificates(kubectl: Kubectl): Promise<Record<string, string>> {
  const variables = {
    GOOGLE_APPLICATION_CREDENTIALS: '/data/google-key.json',
    KMS_ENDPOINT: 'http://127.0.0.1:4002',
    BASE_URL,
    KMS_ISSUING_CA_KEY: KEYS.issuingCa,
    KMS_SEAL_KEY: KEYS.seal,
    KMS_TSA_KEY: KEYS.timeStampAuthority,
  }
  const settings = Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
  const places = '--root-key /data/root.key /data/certificates'
  const issue = [
    // The image has a shell and Node, and no other programs.
    `node --eval "require('node:fs').mkdirSync('/data/certificates', { recursive: true })"`,
    `${settings} ${PROGRAM} --organisation 'Sigcase local' ${places}`,
  ].join(' && ')
  await execute(kubectl, 'sh', '-c', issue)
  const printed = await execute(kubectl, 'node', '--eval', PRINT_CERTIFICATES)
  return JSON.parse(printed) as Record<string, string>
}

/** Starts the emulators, and issues the certificates of their keys. */
export async function startEmulators(kubectl: Kubectl): Promise<OutsideFiles> {
  await kubectl.apply(...manifests())
  const namespace = `--namespace=${OUTSIDE_NAMESPACE}`
  await kubectl.run(namespace, 'rollout', 'status', RUN, '--timeout=180s')
  const certificates = await issueCertificates(kubectl)
  const print = "require('node:fs').readFileSync('/data/google-key.json', 'utf8')"
  return { googleKey: await execute(kubectl, 'node', '--print', print), certificates }
}

const SEAL = 'seal.pem'

/** @returns the first certificate of a PEM file in base64, as DER */
const certificateOf = (file: string | undefined) =>
  new X509Certificate(Buffer.from(file ?? '', 'base64')).raw

/** Issues another certificate for the seal. @returns both as DER, and all files of the folder */
export async function replaceSealCertificate(kubectl: Kubectl) {
  const before = await issueCertificates(kubectl)
  const remove = `require('node:fs').rmSync('/data/certificates/${SEAL}')`
  await execute(kubectl, 'node', '--eval', remove)
  const files = await issueCertificates(kubectl)
  return { former: certificateOf(before[SEAL]), renewed: certificateOf(files[SEAL]), files }
}
