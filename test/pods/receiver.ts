/** A receiver of webhooks as a pod, and what the service sent to it and to the mail server. */
import { OUTSIDE_NAMESPACE } from '../../dev/pods/layout.ts'
import { EMULATORS } from '../../dev/pods/images.ts'
import { kubectl } from './cases.ts'

const NAME = 'receiver'
const NAMESPACE = `--namespace=${OUTSIDE_NAMESPACE}`
const PORT = 8080
export const RECEIVER_URL = `http://${NAME}.${OUTSIDE_NAMESPACE}.svc.cluster.local:${PORT}/`

/** Accepts every POST; GET answers with all bodies so far. */
const PROGRAM = `const received = []
require('node:http').createServer((request, response) => {
  if (request.method === 'GET') return response.end(JSON.stringify(received))
  let body = ''
  request.on('data', (chunk) => { body += chunk })
  request.on('end', () => {
    const { id, type, caseId, participantId } = JSON.parse(body)
    received.push({ id, type, caseId, participantId })
    response.writeHead(204).end()
  })
}).listen(${PORT})`

/** An attempt to deliver a webhook (specification 6.2). */
export interface Delivery {
  id: string
  type: string
  caseId: string
  participantId?: string
}

/** Starts the receiver, or replaces the one that runs. */
export async function startReceiver(): Promise<void> {
  const metadata = { name: NAME, namespace: OUTSIDE_NAMESPACE, labels: { app: NAME } }
  const container = {
    name: NAME,
    image: EMULATORS,
    imagePullPolicy: 'IfNotPresent',
    args: ['--eval', PROGRAM],
    readinessProbe: { tcpSocket: { port: PORT }, periodSeconds: 1, timeoutSeconds: 5 },
  }
  const spec = {
    enableServiceLinks: false,
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 0,
    containers: [container],
  }
  await kubectl.run('delete', 'pod', NAME, NAMESPACE, '--ignore-not-found')
  await kubectl.apply(
    { apiVersion: 'v1', kind: 'Pod', metadata, spec },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector: { app: NAME }, ports: [{ port: PORT, targetPort: PORT }] },
    },
  )
  await kubectl.run('wait', '--for=condition=Ready', `pod/${NAME}`, NAMESPACE, '--timeout=180s')
}

/** @returns every delivery since the receiver started, in order */
export async function deliveries(): Promise<Delivery[]> {
  const response = await fetch(RECEIVER_URL)
  return (await response.json()) as Delivery[]
}

/** Prints the header fields of the mails that the mail server accepted, as JSON. */
const PRINT_MAILS = `const { readdirSync, readFileSync } = require('node:fs')
const folder = '/data/mail/'
const mails = readdirSync(folder).filter((name) => name.endsWith('.eml')).map((name) => {
  const [head] = readFileSync(folder + name, 'latin1').split('\\r\\n\\r\\n')
  const field = (name) => new RegExp('^' + name + ': ((?:.|\\r\\n[ \\t])*)', 'im').exec(head)?.[1]
  return { id: name, to: field('To'), subject: field('Subject') }
})
console.log(JSON.stringify(mails))`

/** A mail; a repeated transfer with the same Message-ID counts once (RFC 5322, 3.6.4). */
export interface Mail {
  id: string
  to?: string
  subject?: string
}

/** @returns every mail that the mail server of the emulators has */
export async function mails(): Promise<Mail[]> {
  const target = ['exec', NAMESPACE, 'deployment/emulators', '--']
  return JSON.parse(await kubectl.run(...target, 'node', '--eval', PRINT_MAILS)) as Mail[]
}
