/**
 * A PostgreSQL with TLS as a pod, for the index of cases, set up by the statements and commands of
 * docs/how-to/index-cases.md.
 */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { FIRST_NODE, HOME_NAMESPACE, KUBECONFIG, ROOT } from '../../dev/pods/layout.ts'
import { preparePrograms } from '../../dev/pods/programs.ts'
import { tlsIdentity } from '../fixtures/tls-identity.ts'
import { kubectl, NAMESPACE } from './cases.ts'
import { provideImage } from './provide-image.ts'

const NAME = 'postgres'
const IMAGE = 'localhost/postgresql:15'
const HOST = `${NAME}.${HOME_NAMESPACE}.svc.cluster.local`
const PORT = 5432
const PASSWORD = 'a-password-of-postgres'
/** `nobody` of Debian: PostgreSQL refuses to run as root and as a user without a name. */
const USER = 65_534
const AUTHORITIES = 'sigcase-index-authorities'
const SECRETS = ['secret/sigcase-index-api', 'secret/sigcase-index-controller']
const metadata = { name: NAME, namespace: HOME_NAMESPACE, labels: { app: NAME } }

const page = readFileSync(join(ROOT, 'docs/how-to/index-cases.md'), 'utf8')
/** The blocks of the page: statements, commands for Secrets, values, and the rebuild. */
const [STATEMENTS = '', SECRET_COMMANDS = '', VALUES = '', REBUILD = ''] = [
  ...page.matchAll(/^( *)```\w*\n(.*?)^\1```$/gms),
].map(([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))

const adapted = (text: string) => text.replaceAll('…', PASSWORD).replaceAll('db.example.com', HOST)

/** Runs commands of a page with kubectl. @returns standard output */
export async function runCommands(commands: string): Promise<string> {
  const PATH = [preparePrograms().kubernetes, process.env.PATH].join(delimiter)
  const env = { ...process.env, KUBECONFIG, PATH }
  const { stdout } = await promisify(execFile)('bash', ['-euc', commands], { env })
  return stdout
}

const START = `bin=$(echo /usr/lib/postgresql/*/bin)
$bin/initdb -D /data/cluster -U postgres -A trust -E UTF8 --no-locale --no-sync
echo 'hostssl all all all scram-sha-256' >>/data/cluster/pg_hba.conf
exec $bin/postgres -D /data/cluster -k /data -c listen_addresses='*' -c fsync=off \\
  -c ssl=on -c ssl_cert_file=/tls/cert.pem -c ssl_key_file=/tls/key.pem`

function server(): object[] {
  const container = {
    name: NAME,
    image: IMAGE,
    imagePullPolicy: 'IfNotPresent',
    command: ['sh', '-euc', START],
    readinessProbe: { tcpSocket: { port: PORT }, periodSeconds: 1, timeoutSeconds: 5 },
    volumeMounts: [
      { name: 'tls', mountPath: '/tls' },
      { name: 'data', mountPath: '/data' },
    ],
  }
  const spec = {
    nodeName: FIRST_NODE.name,
    enableServiceLinks: false,
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 0,
    securityContext: { runAsUser: USER, runAsGroup: USER, fsGroup: USER },
    containers: [container],
    volumes: [
      { name: 'tls', secret: { secretName: NAME, defaultMode: 0o440 } },
      { name: 'data', emptyDir: {} },
    ],
  }
  const ports = [{ port: PORT, targetPort: PORT }]
  return [
    { apiVersion: 'v1', kind: 'Pod', metadata, spec },
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: { app: NAME }, ports } },
  ]
}

/** Starts an empty server, and makes the database and the roles of the page. */
export async function startServer(): Promise<void> {
  await kubectl.apply(...server())
  await kubectl.run('wait', '--for=condition=Ready', `pod/${NAME}`, NAMESPACE, '--timeout=180s')
  const script = 'printf %s "$0" | psql -h /data -U postgres -v ON_ERROR_STOP=1'
  const inPod = ['exec', NAMESPACE, NAME, '--', 'sh', '-euc', script]
  await kubectl.run(...inPod, adapted(STATEMENTS))
}

/** Ends the server, whose data is lost. */
export const loseServer = () => kubectl.run('delete', 'pod', NAME, NAMESPACE)

/**
 * Starts the server, makes the Secrets and the ConfigMap of the page, and writes its values.
 *
 * @returns path of the file of values
 */
export async function setUpIndex(folder: string): Promise<string> {
  await provideImage(IMAGE)
  const { key, cert, authority } = await tlsIdentity([HOST])
  const secret = { 'key.pem': key, 'cert.pem': cert }
  await kubectl.apply(
    { apiVersion: 'v1', kind: 'Secret', metadata, stringData: secret },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: AUTHORITIES, namespace: HOME_NAMESPACE },
      data: { 'ca.pem': authority },
    },
  )
  await startServer()
  await runCommands(adapted(SECRET_COMMANDS))
  const file = join(folder, 'index.yaml')
  writeFileSync(file, VALUES)
  return file
}

/** Builds the index again by the command of the page. @returns what it printed */
export const rebuildIndex = () => runCommands(REBUILD)

/** Removes everything that {@link setUpIndex} made. */
export async function removeIndex(): Promise<void> {
  const objects = [`pod/${NAME}`, `service/${NAME}`, `secret/${NAME}`, ...SECRETS]
  await kubectl.run(
    ...['delete', NAMESPACE, '--ignore-not-found', ...objects, `configmap/${AUTHORITIES}`],
  )
}
