/** A Redis with a password and TLS by a private authority, as Memorystore has it. */
import t from 'tap'
import { HOME_NAMESPACE } from '../../dev/pods/layout.ts'
import { REDIS } from '../../dev/pods/images.ts'
import { installChart } from '../../dev/pods/release.ts'
import { tlsIdentity } from '../fixtures/tls-identity.ts'
import {
  cluster,
  kubectl,
  listPods,
  NAMESPACE,
  runCase,
  until,
  untilReady,
  untilWhole,
} from './cases.ts'

const LIMIT_MS = 580_000
const NAME = 'redis-tls'
/** The port of Memorystore with TLS. */
const PORT = 6378
const HOST = `${NAME}.${HOME_NAMESPACE}.svc.cluster.local`
const PASSWORD = 'a-password-of-redis'
const FILES = '/tls'
const AUTHORITIES = 'sigcase-redis-authorities'
const ADDRESS = 'sigcase-redis-address'
const COMPONENTS = ['api', 'controller', 'worker'] as const
const READY = 2

const metadata = { name: NAME, namespace: HOME_NAMESPACE, labels: { app: NAME } }

const secret = (name: string, stringData: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: HOME_NAMESPACE },
  stringData,
})

function server(): object[] {
  const container = {
    name: NAME,
    image: REDIS,
    imagePullPolicy: 'IfNotPresent',
    command: ['redis-server'],
    args: [
      ...['--port', '0', '--tls-port', String(PORT), '--tls-auth-clients', 'no'],
      ...['--tls-cert-file', `${FILES}/cert.pem`, '--tls-key-file', `${FILES}/key.pem`],
      ...['--tls-ca-cert-file', `${FILES}/ca.pem`],
      ...['--requirepass', PASSWORD, '--maxmemory-policy', 'noeviction', '--save', ''],
    ],
    readinessProbe: { tcpSocket: { port: PORT }, periodSeconds: 1, timeoutSeconds: 5 },
    volumeMounts: [{ name: 'tls', mountPath: FILES }],
  }
  const spec = {
    enableServiceLinks: false,
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 0,
    containers: [container],
    volumes: [{ name: 'tls', secret: { secretName: NAME } }],
  }
  const ports = [{ port: PORT, targetPort: PORT }]
  return [
    { apiVersion: 'v1', kind: 'Pod', metadata, spec },
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: { app: NAME }, ports } },
  ]
}

/** Starts the server, and makes the Secret and the ConfigMap of the installation guide. */
async function startRedis(): Promise<void> {
  const { key, cert, authority } = await tlsIdentity([HOST])
  await kubectl.apply(
    secret(NAME, { 'key.pem': key, 'cert.pem': cert, 'ca.pem': authority }),
    secret(ADDRESS, { url: `rediss://:${PASSWORD}@${HOST}:${PORT}` }),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: AUTHORITIES, namespace: HOME_NAMESPACE },
      data: { 'ca.pem': authority },
    },
    ...server(),
  )
  await kubectl.run('wait', '--for=condition=Ready', `pod/${NAME}`, NAMESPACE, '--timeout=180s')
}

async function removeRedis(): Promise<void> {
  const objects = [`pod/${NAME}`, `service/${NAME}`, `secret/${NAME}`, `secret/${ADDRESS}`]
  await kubectl.run('delete', NAMESPACE, ...objects, `configmap/${AUTHORITIES}`)
}

/** Asks the server over TLS. */
const ask = (...words: string[]) =>
  kubectl.run(
    ...['exec', NAMESPACE, NAME, '--', 'redis-cli', '--tls', '--cacert', `${FILES}/ca.pem`],
    ...['-h', HOST, '-p', String(PORT), '-a', PASSWORD, '--no-auth-warning', ...words],
  )

t.test('all components use it, and a case is signed', async (t) => {
  t.setTimeout(LIMIT_MS)
  await startRedis()
  t.teardown(async () => {
    await installChart(cluster)
    await untilWhole()
    await removeRedis()
  })
  const set = [
    'redis.trial.enabled=false',
    `redis.address.secretName=${ADDRESS}`,
    `redis.authoritiesConfigMapName=${AUTHORITIES}`,
    `networkPolicy.redisPort=${PORT}`,
  ]
  await installChart({ ...cluster, set })
  for (const component of COMPONENTS) await untilReady(component, READY)
  await until('the Redis of the trial is gone', async () =>
    (await listPods('redis')).length === 0 ? true : undefined,
  )
  await runCase(t)
  t.ok(Number(await ask('dbsize')) > 0, 'the server holds the queues')
  const clients = await ask('client', 'list')
  for (const component of COMPONENTS) {
    for (const { metadata, status } of await listPods(component)) {
      t.match(clients, ` addr=${status.podIP}:`, metadata.name)
    }
  }
})
