/** Issues the certificates, keys and kubeconfigs of a cluster, by openssl. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_SERVER, API_SERVICE_ADDRESS, NODE_ADDRESS, NODE_NAME } from './layout.ts'

const DAYS = '365'
const OWNER_ONLY = 0o600

const openssl = (...args: string[]) =>
  execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'ignore'] })

function makeKey(path: string): void {
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', path)
}

function makeAuthority(folder: string, name: string): void {
  const file = join(folder, name)
  makeKey(`${file}.key`)
  openssl(
    ...['req', '-x509', '-new', '-key', `${file}.key`, '-subj', `/CN=${name}`, '-days', DAYS],
    ...['-out', `${file}.crt`, '-addext', 'basicConstraints=critical,CA:TRUE'],
    ...['-addext', 'keyUsage=critical,keyCertSign,cRLSign'],
  )
}

interface Leaf {
  name: string
  subject: string
  usage: 'serverAuth' | 'clientAuth'
  authority?: string
  /** In the syntax of openssl. */
  alternativeNames?: readonly string[]
}

function issue(folder: string, leaf: Leaf): void {
  const { name, subject, usage, authority = 'ca', alternativeNames = [] } = leaf
  const file = join(folder, name)
  const issuer = join(folder, authority)
  makeKey(`${file}.key`)
  openssl('req', '-new', '-key', `${file}.key`, '-subj', subject, '-out', `${file}.csr`)
  const extensions = [
    'basicConstraints=CA:FALSE',
    'keyUsage=digitalSignature',
    `extendedKeyUsage=${usage}`,
    ...(alternativeNames.length > 0 ? [`subjectAltName=${alternativeNames.join(',')}`] : []),
  ]
  writeFileSync(`${file}.ext`, extensions.join('\n'))
  openssl(
    ...['x509', '-req', '-in', `${file}.csr`, '-CA', `${issuer}.crt`, '-CAkey', `${issuer}.key`],
    ...['-CAcreateserial', '-days', DAYS, '-extfile', `${file}.ext`, '-out', `${file}.crt`],
  )
  for (const ending of ['csr', 'ext']) rmSync(`${file}.${ending}`)
}

const NODE_SUBJECT = `/O=system:nodes/CN=system:node:${NODE_NAME}`
const CLIENTS: Readonly<Record<string, string>> = {
  admin: '/O=system:masters/CN=admin',
  kubelet: NODE_SUBJECT,
  'controller-manager': '/CN=system:kube-controller-manager',
  scheduler: '/CN=system:kube-scheduler',
  proxy: '/CN=system:kube-proxy',
}

const LEAVES: readonly Leaf[] = [
  {
    name: 'apiserver',
    subject: '/CN=kube-apiserver',
    usage: 'serverAuth',
    alternativeNames: [
      ...['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'].map(
        (name) => `DNS:${name}`,
      ),
      'DNS:kubernetes.default.svc.cluster.local',
      ...['127.0.0.1', NODE_ADDRESS, API_SERVICE_ADDRESS].map((address) => `IP:${address}`),
    ],
  },
  {
    name: 'apiserver-kubelet-client',
    subject: '/O=system:masters/CN=kube-apiserver-kubelet-client',
    usage: 'clientAuth',
  },
  {
    name: 'front-proxy-client',
    subject: '/CN=front-proxy-client',
    usage: 'clientAuth',
    authority: 'front-proxy-ca',
  },
  {
    name: 'kubelet-server',
    subject: NODE_SUBJECT,
    usage: 'serverAuth',
    alternativeNames: [`DNS:${NODE_NAME}`, `IP:${NODE_ADDRESS}`],
  },
  {
    name: 'crd-layer',
    subject: '/CN=crd-layer',
    usage: 'serverAuth',
    alternativeNames: ['DNS:crd-layer.kube-system.svc'],
  },
  ...Object.entries(CLIENTS).map(([name, subject]): Leaf => ({
    name,
    subject,
    usage: 'clientAuth',
  })),
]

/** @param proxyUrl HTTP proxy on the way to the API server; absent: none is on the way */
export function writeKubeconfig(
  folder: string,
  name: string,
  path: string,
  proxyUrl?: string,
): void {
  const file = join(folder, name)
  const cluster = {
    server: API_SERVER,
    'certificate-authority': join(folder, 'ca.crt'),
    ...(proxyUrl !== undefined && { 'proxy-url': proxyUrl }),
  }
  const user = { 'client-certificate': `${file}.crt`, 'client-key': `${file}.key` }
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'pods', cluster }],
    users: [{ name, user }],
    contexts: [{ name: 'pods', context: { cluster: 'pods', user: name } }],
    'current-context': 'pods',
  }
  writeFileSync(path, JSON.stringify(config, undefined, 2), { mode: OWNER_ONLY })
}

/** Writes `<name>.crt`, `<name>.key` and `<client>.kubeconfig` into the folder. */
export function issueCertificates(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of ['ca', 'front-proxy-ca']) makeAuthority(folder, name)
  for (const leaf of LEAVES) issue(folder, leaf)
  const accounts = join(folder, 'accounts')
  openssl('genrsa', '-out', `${accounts}.key`, '2048')
  openssl('rsa', '-in', `${accounts}.key`, '-pubout', '-out', `${accounts}.pub`)
  for (const name of Object.keys(CLIENTS)) {
    writeKubeconfig(folder, name, join(folder, `${name}.kubeconfig`))
  }
}
