/** The diagrams of the documentation: `docs/diagrams/*.svg`. */
import { TRANSITIONS } from '../../domain/cases/lifecycle.ts'
import { PHASES, type Phase } from '../../domain/cases/status.ts'
import { type Box, type Diagram, drawDiagram } from './draw.ts'

const box = (
  [x, y, width, height]: readonly [number, number, number, number],
  title: string,
  lines: readonly string[] = [],
  kind: Box['kind'] = 'part',
): Box => ({ x, y, width, height, title, lines, kind })

const OVERVIEW: Diagram = {
  width: 820,
  height: 330,
  description:
    'Tenant and participants use the API. The API adds facts to the case. The controller watches ' +
    'cases, writes their status and adds jobs. Workers run the jobs and store documents.',
  areas: { service: box([190, 10, 620, 310], 'one process with npm start, three on a cluster') },
  boxes: {
    tenant: box([10, 60, 130, 60], 'Tenant', ['REST'], 'outside'),
    participant: box([10, 200, 130, 60], 'Participant', ['signing link'], 'outside'),
    api: box([220, 115, 150, 90], 'API', ['checks requests', 'records facts']),
    cases: box([440, 50, 140, 70], 'Cases', ['facts and status'], 'store'),
    controller: box([650, 50, 140, 70], 'Controller', ['decides']),
    workers: box([650, 200, 140, 90], 'Workers', ['intake, sign, seal,', 'mails, webhooks']),
    objects: box([440, 215, 140, 70], 'Objects', ['documents, trail'], 'store'),
  },
  arrows: [
    { from: 'tenant', to: 'api', enters: 0.3 },
    { from: 'participant', to: 'api', enters: 0.7 },
    { from: 'api', to: 'cases', label: 'facts', leaves: 0.25 },
    { from: 'cases', to: 'controller', label: 'watch', leaves: 0.3, enters: 0.3 },
    { from: 'controller', to: 'cases', label: 'status', leaves: 0.75, enters: 0.75 },
    { from: 'controller', to: 'workers', label: 'jobs' },
    { from: 'workers', to: 'objects', label: 'results' },
    { from: 'api', to: 'objects', label: 'uploads', leaves: 0.75 },
  ],
}

const LAYERS: Diagram = {
  width: 820,
  height: 430,
  description:
    'Imports between folders. runtime and cli build processes from api, controllers, workers and ' +
    'adapters; these use application and domain; workers and adapters use pades.',
  flow: 'down',
  boxes: {
    cli: box([640, 10, 170, 60], 'cli/', ['commands']),
    runtime: box([325, 10, 170, 60], 'runtime/', ['builds processes']),
    web: box([640, 360, 170, 60], 'web/', ['pages; call the API']),
    api: box([10, 130, 150, 60], 'api/', ['HTTP']),
    controllers: box([200, 130, 150, 60], 'controllers/', ['decide about cases']),
    workers: box([390, 130, 150, 60], 'workers/', ['jobs']),
    adapters: box([640, 130, 170, 60], 'adapters/', ['outside systems']),
    application: box([130, 250, 170, 60], 'application/', ['use cases']),
    lists: box([390, 250, 150, 60], 'trusted-lists/', ['EU trusted lists']),
    domain: box([130, 360, 170, 60], 'domain/', ['rules and ports'], 'store'),
    pades: box([390, 360, 150, 60], 'pades/', ['PDF signatures'], 'store'),
  },
  arrows: [
    { from: 'runtime', to: 'api', leaves: 0.1, enters: 0.7 },
    { from: 'runtime', to: 'controllers', leaves: 0.35 },
    { from: 'runtime', to: 'workers', leaves: 0.65 },
    { from: 'runtime', to: 'adapters', leaves: 0.9, enters: 0.4 },
    { from: 'cli', to: 'adapters', enters: 0.6 },
    { from: 'api', to: 'application', enters: 0.25 },
    { from: 'controllers', to: 'application', leaves: 0.4, enters: 0.6 },
    { from: 'workers', to: 'application', leaves: 0.3, enters: 0.85 },
    { from: 'workers', to: 'lists' },
    { from: 'application', to: 'domain' },
    { from: 'lists', to: 'pades' },
    { from: 'adapters', to: 'pades', enters: 0.85 },
  ],
}

/** Where each state is drawn: a new state needs its place to compile. */
const PLACES: Readonly<Record<Phase, readonly [x: number, y: number]>> = {
  NEW: [10, 160],
  IN_PROGRESS: [330, 160],
  DONE: [650, 160],
  UPLOAD_REJECTED: [10, 10],
  CANCELLED: [330, 10],
  EXPIRED: [330, 310],
  FAILED: [650, 310],
}
const STATE_SIZE = [160, 56] as const

/** Arrows that would meet others in the middle of the sides. */
const ROUTES: Readonly<Record<string, Partial<Diagram['arrows'][number]>>> = {
  'NEW CANCELLED': { leaves: 0.2, enters: 0.6 },
  'NEW EXPIRED': { leaves: 0.8, enters: 0.4 },
  'IN_PROGRESS FAILED': { leaves: 0.8, enters: 0.4 },
  'NEW FAILED': {
    via: [
      [60, 400],
      [730, 400],
    ],
    leaves: 0.3125,
  },
}

/** Draws the states of a case and the events between them, from the table of transitions. */
function lifecycle(): Diagram {
  const label = new Map<string, string>()
  for (const from of PHASES) {
    for (const [event, to] of Object.entries(TRANSITIONS[from].on)) {
      const key = `${from} ${to}`
      label.set(key, label.has(key) ? `${label.get(key)}, ${event}` : event)
    }
  }
  return {
    width: 820,
    height: 415,
    description: 'States of a case and the events that lead from one to the next',
    boxes: Object.fromEntries(
      PHASES.map((phase) => [
        phase,
        box(
          [...PLACES[phase], ...STATE_SIZE],
          phase,
          [],
          TRANSITIONS[phase].waitsFor === 'nobody' ? 'outside' : 'part',
        ),
      ]),
    ),
    arrows: [...label].map(([key, text]) => {
      const [from = '', to = ''] = key.split(' ')
      return { from, to, label: text, ...ROUTES[key] }
    }),
  }
}

const CLUSTER: Diagram = {
  width: 820,
  height: 420,
  description:
    'On a cluster, API, controller and workers run in pods of their own. They use the Kubernetes ' +
    'API, Redis, and an object store: Cloud Storage or S3. Workers sign with Cloud KMS, Vault or ' +
    'PKCS #11, and also reach mail servers, time-stamp authorities and webhooks.',
  areas: { pods: box([10, 120, 800, 145], 'pods of the chart') },
  flow: 'down',
  boxes: {
    people: box([40, 10, 200, 60], 'Participants, tenants', ['HTTPS'], 'outside'),
    oidc: box([300, 10, 200, 60], 'Identity provider', ['keys of tenants’ tokens'], 'outside'),
    web: box([560, 10, 240, 60], 'Outside systems', ['mail, webhooks, TSA, lists'], 'outside'),
    api: box([40, 155, 200, 80], 'API', ['several pods']),
    controller: box([300, 155, 200, 80], 'Controller', [
      'several pods, one leads',
      'each group of cases',
    ]),
    workers: box([560, 155, 240, 80], 'Workers', ['several pods, each with', 'a reader of PDFs']),
    redis: box([40, 340, 160, 70], 'Redis', ['jobs, counters'], 'store'),
    kubernetes: box([235, 340, 170, 70], 'Kubernetes API', ['cases, devices, secrets'], 'store'),
    storage: box([440, 340, 170, 70], 'Cloud Storage, S3', ['documents, trail'], 'store'),
    kms: box([630, 340, 180, 70], 'Cloud KMS, Vault', ['or PKCS #11 (container)'], 'store'),
  },
  arrows: [
    { from: 'people', to: 'api' },
    { from: 'api', to: 'oidc', leaves: 0.85, enters: 0.5 },
    { from: 'workers', to: 'web' },
    { from: 'pods', to: 'redis', label: 'all', leaves: 0.1375 },
    { from: 'pods', to: 'kubernetes', label: 'all', leaves: 0.3875 },
    { from: 'pods', to: 'storage', label: 'all', leaves: 0.64375 },
    { from: 'workers', to: 'kms', label: 'sign', leaves: 2 / 3 },
  ],
}

/** Draws every diagram. @returns SVG by path from the repository root */
export function diagramFiles(): Map<string, string> {
  const diagrams = { overview: OVERVIEW, layers: LAYERS, lifecycle: lifecycle(), cluster: CLUSTER }
  return new Map(
    Object.entries(diagrams).map(([name, diagram]) => [
      `docs/diagrams/${name}.svg`,
      drawDiagram(diagram),
    ]),
  )
}
