/** A pod with nginx and HAProxy in front of the API, set up by their page, and with a client. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EMULATORS } from '../../dev/pods/images.ts'
import { FIRST_NODE, HOME_NAMESPACE, OUTSIDE_NAMESPACE, ROOT } from '../../dev/pods/layout.ts'
import { kubectl } from './cases.ts'
import { provideImage } from './provide-image.ts'

const IMAGE = 'localhost/proxies:1'
const NAME = 'proxies'
const NAMESPACE = `--namespace=${OUTSIDE_NAMESPACE}`
const PORTS = { nginx: 8081, haproxy: 8082, client: 8083 }
export const PROXIES = ['nginx', 'haproxy'] as const
/** The shortest time that the page permits. */
const IDLE_LIMIT = '30s'
const API_ADDRESS = `sigcase-api.${HOME_NAMESPACE}.svc.cluster.local:80`

const page = readFileSync(join(ROOT, 'docs/how-to/put-a-proxy-in-front.md'), 'utf8')

/** The block of the page in this language, with the address of the API and short time limits. */
function settings(language: string): string {
  const [, block = ''] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(page) ?? []
  return block.replaceAll('API_ADDRESS', API_ADDRESS).replaceAll('60s', IDLE_LIMIT)
}

const files = () => ({
  'nginx.conf': `daemon off;
pid /tmp/nginx.pid;
error_log stderr;
events {}
http {
access_log off;
${settings('nginx')}}
`,
  'haproxy.cfg': settings('haproxy'),
})

/** Holds a stream and a WebSocket through each proxy, and sends other requests; GET shows all. */
const CLIENT = `const state = {}
const { TOKEN } = process.env
const body = JSON.stringify({ query: 'subscription { caseChanged { caseId } }' })
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
async function holdStream(base, found) {
  for (;;) {
    try {
      const headers = { authorization: 'Bearer ' + TOKEN, 'content-type': 'application/json',
        accept: 'text/event-stream' }
      const answer = await fetch(base + '/graphql/stream', { method: 'POST', headers, body })
      found.streams.push(answer.status)
      found.isStreaming = true
      let text = ''
      for await (const chunk of answer.body) text = (text + Buffer.from(chunk)).slice(-500)
      found.streamEnds.push(/event: complete/.test(text) ? 'complete' : 'ended')
    } catch (error) {
      found.streamEnds.push(String(error.cause ?? error))
    }
    found.isStreaming = false
    await pause(200)
  }
}
function holdSocket(base, found) {
  const socket = new WebSocket(base.replace('http', 'ws') + '/graphql', 'graphql-transport-ws')
  const send = (message) => socket.send(JSON.stringify(message))
  const payload = { authorization: 'Bearer ' + TOKEN }
  socket.onopen = () => send({ type: 'connection_init', payload })
  socket.onmessage = ({ data }) => {
    if (JSON.parse(data).type !== 'connection_ack') return
    send({ id: '1', type: 'subscribe', payload: JSON.parse(body) })
    found.sockets += 1
    found.isSocketOpen = true
  }
  socket.onclose = ({ code }) => {
    found.isSocketOpen = false
    found.socketCodes.push(code)
    setTimeout(holdSocket, 200, base, found)
  }
}
async function probe(base, found) {
  for (;;) {
    const failed = (error) => ({ status: String(error.cause) })
    const answer = await fetch(base + '/healthz').catch(failed)
    found.answers[answer.status] = (found.answers[answer.status] ?? 0) + 1
    if (answer.body) await answer.text()
    await pause(50)
  }
}
async function askLong(base) {
  const authorization = 'Bearer ' + 'x'.repeat(12_000)
  return (await fetch(base + '/cases', { headers: { authorization } })).status
}
for (const [name, port] of ${JSON.stringify(Object.entries(PORTS).slice(0, 2))}) {
  const base = 'http://127.0.0.1:' + port
  const found = { streams: [], streamEnds: [], sockets: 0, socketCodes: [], answers: {} }
  state[name] = found
  holdStream(base, found)
  holdSocket(base, found)
  probe(base, found)
  askLong(base).then((status) => { found.longHeader = status })
}
require('node:http').createServer((_, response) => response.end(JSON.stringify(state)))
  .listen(${PORTS.client})`

/** What the client saw through one proxy. */
export interface Seen {
  /** Status of each stream. */
  streams: number[]
  streamEnds: string[]
  isStreaming: boolean
  /** WebSockets that accepted the token. */
  sockets: number
  socketCodes: number[]
  isSocketOpen: boolean
  /** Other requests by their status or error. */
  answers: Record<string, number>
  /** Status for a request with a token of 12,000 characters that is not valid. */
  longHeader?: number
}

function pod(token: string): object {
  const proxy = (name: 'nginx' | 'haproxy', command: string[]) => ({
    name,
    image: IMAGE,
    imagePullPolicy: 'IfNotPresent',
    command,
    readinessProbe: { tcpSocket: { port: PORTS[name] }, periodSeconds: 1, timeoutSeconds: 5 },
    volumeMounts: [{ name: 'settings', mountPath: '/settings' }],
  })
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: NAME, namespace: OUTSIDE_NAMESPACE, labels: { app: NAME } },
    spec: {
      nodeName: FIRST_NODE.name,
      enableServiceLinks: false,
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 0,
      containers: [
        proxy('nginx', ['nginx', '-c', '/settings/nginx.conf']),
        proxy('haproxy', ['haproxy', '-f', '/settings/haproxy.cfg']),
        {
          name: 'client',
          image: EMULATORS,
          imagePullPolicy: 'IfNotPresent',
          args: ['--eval', CLIENT],
          env: [{ name: 'TOKEN', value: token }],
          readinessProbe: { tcpSocket: { port: PORTS.client }, periodSeconds: 1 },
        },
      ],
      volumes: [{ name: 'settings', configMap: { name: NAME } }],
    },
  }
}

/** Starts proxies and client. @param token of a tenant */
export async function startProxies(token: string): Promise<void> {
  await provideImage(IMAGE)
  const metadata = { name: NAME, namespace: OUTSIDE_NAMESPACE }
  const ports = [{ port: PORTS.client, targetPort: PORTS.client }]
  await kubectl.run('delete', 'pod', NAME, NAMESPACE, '--ignore-not-found')
  await kubectl.apply(
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: files() },
    pod(token),
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: { app: NAME }, ports } },
  )
  await kubectl.run('wait', '--for=condition=Ready', `pod/${NAME}`, NAMESPACE, '--timeout=180s')
}

export async function removeProxies(): Promise<void> {
  await kubectl.run('delete', NAMESPACE, `pod/${NAME}`, `service/${NAME}`, `configmap/${NAME}`)
}

/** @returns what the client saw so far, by proxy */
export async function seen(): Promise<Record<(typeof PROXIES)[number], Seen>> {
  const answer = await fetch(
    `http://${NAME}.${OUTSIDE_NAMESPACE}.svc.cluster.local:${PORTS.client}`,
  )
  return (await answer.json()) as Awaited<ReturnType<typeof seen>>
}
