/** Redis with a password and a certificate of a private authority, as Memorystore has it. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { REDIS } from '../../dev/pods/images.ts'
import { HOME_NAMESPACE, OUTSIDE_NAMESPACE } from '../../dev/pods/layout.ts'
import { installChart } from '../../dev/pods/release.ts'
import { tlsIdentity } from '../fixtures/tls-identity.ts'
import { cluster, kubectl, NAMESPACE, listPods, runCase, untilReady, untilWhole } from './cases.ts'

const NAME = 'redis-tls'
const AUTHORITIES = 'redis-authorities'
const HOST = `${NAME}.${OUTSIDE_NAMESPACE}.svc.cluster.local`
const PORT = 6378
const OUTSIDE = `--namespace=${OUTSIDE_NAMESPACE}`

/** Starts a server that accepts TLS only. @returns what clients need */
async function startServer(): Promise<{ url: string; authority: string }> {
  const { key, cert, authority } = await tlsIdentity([HOST])
  const password = randomUUID()
  const metadata = { name: NAME, namespace: OUTSIDE_NAMESPACE, labels: { app: NAME } }
  const files = '/certificates'
  const container = {
    name: NAME,
    image: REDIS,
    imagePullPolicy: 'IfNotPresent',
    command: ['redis-server', '--port', '0', '--tls-port', String(PORT), '--save', ''],
    args: [
      ...['--tls-cert-file', `${files}/tls.crt`, '--tls-key-file', `${files}/tls.key`],
      ...['--tls-auth-clients', 'no', '--requirepass', password, '--dir', '/tmp'],
    ],
    readinessProbe: { tcpSocket: { port: PORT }, periodSeconds: 1, timeoutSeconds: 5 },
    volumeMounts: [{ name: 'certificates', mountPath: files }],
  }
  const spec = {
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 0,
    containers: [container],
    volumes: [{ name: 'certificates', secret: { secretName: NAME } }],
  }
  const ports = [{ port: PORT, targetPort: PORT }]
  await kubectl.apply(
    { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { 'tls.crt': cert, 'tls.key': key } },
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: { app: NAME }, ports } },
    { apiVersion: 'v1', kind: 'Pod', metadata, spec },
  )
  await kubectl.run('wait', '--for=condition=Ready', `pod/${NAME}`, OUTSIDE, '--timeout=120s')
  return { url: `rediss://:${password}@${HOST}:${PORT}`, authority }
}

async function removeServer(): Promise<void> {
  for (const kind of ['pod', 'service', 'secret']) {
    await kubectl.run('delete', kind, NAME, OUTSIDE, '--ignore-not-found')
  }
}

t.test('a case reaches DONE over TLS with a private authority', async (t) => {
  t.setTimeout(580_000)
  await untilWhole()
  t.teardown(async () => {
    await installChart(cluster)
    await untilWhole()
    await removeServer()
  })
  const { url, authority } = await startServer()
  const metadata = { name: AUTHORITIES, namespace: HOME_NAMESPACE }
  const address = { name: NAME, namespace: HOME_NAMESPACE }
  await kubectl.apply(
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'ca.pem': authority } },
    { apiVersion: 'v1', kind: 'Secret', metadata: address, stringData: { url } },
  )
  const set = [
    'redis.trial.enabled=false',
    `redis.address.secretName=${NAME}`,
    `redis.authoritiesConfigMapName=${AUTHORITIES}`,
    `networkPolicy.redisPort=${PORT}`,
  ]
  await installChart({ ...cluster, set })
  for (const component of ['api', 'controller', 'worker']) await untilReady(component, 2)
  t.same(await listPods('redis'), [], 'the Redis of the release is gone')
  await runCase(t)
  const clients = ['--tls', '--insecure', '-p', String(PORT), '-a', new URL(url).password]
  const target = ['exec', NAME, OUTSIDE, '--', 'redis-cli', ...clients, 'client', 'list']
  const connections = (await kubectl.run(...target)).split('\n').filter((line) => line !== '')
  t.ok(connections.length > 6, `${connections.length} connections`)
  const logs = await kubectl.run('logs', 'deployment/sigcase-api', NAMESPACE)
  t.notMatch(logs, new URL(url).password, 'the password is not in the log')
})
