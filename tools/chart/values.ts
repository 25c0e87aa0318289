/** The values of the chart: schema, default and meaning of each. */
import { Type, type TSchema } from '@sinclair/typebox'
import { pino } from 'pino'
import { stringEnum } from '../../domain/schema-parts.ts'
import { BOUNDS, type BoundName } from '../../domain/bounds.ts'
import { PUBLIC_REQUESTS_PER_MINUTE, TENANT_REQUESTS_PER_MINUTE } from '../../domain/limits.ts'
import { count, flag, group, list, passedOn, port, text, texts } from './value-types.ts'

/** Longest name of an object in Kubernetes (RFC 1123 subdomain). */
const MAXIMUM_NAME_LENGTH = 253
const MAXIMUM_REPLICAS = 1000
/** As `parseLimit` of the configuration. */
const MAXIMUM_LIMIT = 9_999_999
const OBJECT_NAME = '[a-z0-9]([-a-z0-9.]*[a-z0-9])?'
/** Those of the logger, which the configuration takes too. */
const LOG_LEVELS = [...Object.values(pino.levels.labels), 'silent']
const CIDR = '^[0-9a-fA-F:.]+/[0-9]{1,3}$'
const ADDRESS_OR_RANGE = '^[0-9a-fA-F:.]+(/[0-9]{1,3})?$'

const NAME = { pattern: `^${OBJECT_NAME}$`, maxLength: MAXIMUM_NAME_LENGTH }
const NAME_OR_NONE = { pattern: `^(${OBJECT_NAME})?$`, maxLength: MAXIMUM_NAME_LENGTH }
const HTTP_URL_OR_NONE = { pattern: '^(https?://[^\\s]+)?$' }

/** A member of a Secret that exists already; the chart never holds a secret. */
const secretMember = (description: string, key: string) =>
  group(description, {
    secretName: text('Name of the Secret; empty: none', '', NAME_OR_NONE),
    key: text('Its member', key, { minLength: 1 }),
  })

const image = (description: string, repository: string) =>
  group(description, {
    repository: text('Name with its registry', repository, { minLength: 1 }),
    tag: text("Empty: the chart's `appVersion`", ''),
    digest: text('Counts more than the tag', '', { pattern: '^(sha256:[0-9a-f]{64})?$' }),
  })

const resources = (memoryRequest: string, memoryLimit: string, cpu: string) =>
  passedOn('Of each pod', {
    requests: { cpu, memory: memoryRequest },
    limits: { memory: memoryLimit },
  })

const disruption = () =>
  group('While nodes are drained', {
    enabled: flag('Makes a PodDisruptionBudget', true),
    maxUnavailable: count('Pods that may be away at once', 1, 1, MAXIMUM_REPLICAS),
  })

/** What all three components have. */
const component = (replicas: number, scheduled: { grace: number; resources: TSchema }) => ({
  replicas: count('Pods, while no autoscaler decides', replicas, 1, MAXIMUM_REPLICAS),
  resources: scheduled.resources,
  terminationGracePeriodSeconds: count(
    'Before a pod is killed; the processes drain for 28 seconds at most',
    scheduled.grace,
    30,
    3_600,
  ),
  podDisruptionBudget: disruption(),
  serviceAccountAnnotations: texts('Such as `iam.gke.io/gcp-service-account`'),
  podAnnotations: texts('Of each pod'),
  nodeSelector: texts('Where pods may run'),
  tolerations: list('Of each pod', Type.Unsafe<object>({ type: 'object' })),
  affinity: passedOn('Of each pod'),
  environment: texts('Further variables, no secrets; see docs/reference/configuration.md'),
})

const api = group('Takes requests of tenants, participants and kiosks', {
  ...component(2, { grace: 40, resources: resources('256Mi', '1Gi', '250m') }),
  service: group('Where Ingress and Gateway find it', {
    type: stringEnum(['ClusterIP', 'NodePort', 'LoadBalancer'], {
      description: 'Type of the Service',
      default: 'ClusterIP',
    }),
    port: port('Port of the Service', 80),
  }),
  autoscaling: group('HorizontalPodAutoscaler by CPU', {
    enabled: flag('Makes one', false),
    minReplicas: count('At least', 2, 1, MAXIMUM_REPLICAS),
    maxReplicas: count('At most', 10, 1, MAXIMUM_REPLICAS),
    targetCpuPercent: count('Of what is requested', 70, 1, 1_000),
  }),
})

const controller = group('Watches cases and is the only writer of their status; one leads', {
  ...component(2, { grace: 40, resources: resources('256Mi', '1Gi', '100m') }),
})

const worker = group('Does the jobs', {
  ...component(2, { grace: 40, resources: resources('512Mi', '2Gi', '500m') }),
  runtime: stringEnum(['deno', 'node'], {
    description: 'Deno runs them with an explicit list of permissions',
    default: 'deno',
  }),
  reader: group(
    'Container beside each worker that reads documents; it has no account and no keys',
    {
      resources: resources('256Mi', '2Gi', '250m'),
    },
  ),
  autoscaling: group('HorizontalPodAutoscaler by the length of the queue', {
    enabled: flag('Makes one; requires an adapter that serves the metric', false),
    minReplicas: count('At least', 2, 1, MAXIMUM_REPLICAS),
    maxReplicas: count('At most', 20, 1, MAXIMUM_REPLICAS),
    metric: text('Name of the external metric', 'sigcase_jobs', { minLength: 1 }),
    metricLabels: texts('Which series of it', { state: 'waiting' }),
    targetJobsPerPod: count('Waiting jobs that one pod should have', 8, 1, 100_000),
  }),
})

const PART = '[^/]+'
const KEY_VERSION =
  `^projects/${PART}/locations/${PART}/keyRings/${PART}/` +
  `cryptoKeys/${PART}/cryptoKeyVersions/[0-9]+$`
const keyVersion = (description: string) =>
  Type.String({
    description,
    pattern: KEY_VERSION,
    examples: [
      'projects/example/locations/europe-west3/keyRings/sigcase/cryptoKeys/a/cryptoKeyVersions/1',
    ],
  })
const keyVersionOrNone = (description: string) =>
  text(description, '', { pattern: `^$|${KEY_VERSION}` })

const googleCloud = group('Object store and keys', {
  credentials: group('Key files of service accounts, where the platform gives no identity', {
    api: secretMember('Key file of the account of the API', 'credentials.json'),
    controller: secretMember('Key file of the account of the controller', 'credentials.json'),
    worker: secretMember('Key file of the account of the workers', 'credentials.json'),
    lifecycleHook: secretMember('Key file of the account of the hook', 'credentials.json'),
  }),
  bucket: Type.String({
    description: 'Bucket for documents, results and trails',
    pattern: '^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$',
    examples: ['example-sigcase'],
  }),
  keys: group('Versions of keys in Cloud KMS', {
    issuingCa: keyVersion('Issues certificates of participants'),
    seal: keyVersion('Seals documents and trails'),
    formerIssuingCa: keyVersionOrNone('The authority before this one, for its revocation lists'),
    timeStampAuthority: keyVersionOrNone('Stamps where no authority is named in `timeStamps`'),
    certificatesConfigMapName: Type.String({
      description: 'ConfigMap with their certificates, `<key>.pem`, and `root.crl`',
      ...NAME,
      examples: ['sigcase-certificates'],
    }),
  }),
  uploadNotifications: group('Pub/Sub push; without it uploads are found by polling', {
    audience: text('What tokens of the subscription are made out to', ''),
    serviceAccount: text('E-mail address that it pushes as', ''),
  }),
  lifecycleHook: group('Applies the rules of the bucket after each installation and upgrade', {
    enabled: flag('Wants the rights `storage.buckets.get` and `storage.buckets.update`', false),
    serviceAccountName: text(
      'Service account with these rights, and not one of the components; needed when enabled',
      '',
      NAME_OR_NONE,
    ),
  }),
})

const redis = group('Queues, counters and bells; nothing in it has to be kept', {
  address: secretMember('Its URL, with password, as `redis://` or `rediss://`', 'url'),
  trial: group('One of its own, without a password and without persistence: for trials', {
    enabled: flag('Instead of `address`', false),
    image: text('Image with `redis-server`', 'redis:7.4.2-alpine', { minLength: 1 }),
    resources: passedOn('Of the pod', {
      requests: { cpu: '100m', memory: '64Mi' },
      limits: { memory: '256Mi' },
    }),
  }),
})

const networkPolicy = group('Who may talk to whom; needs a network that enforces it', {
  enabled: flag('Makes NetworkPolicies', true),
  apiServer: group('The API server of Kubernetes', {
    cidrs: list('Its addresses', Type.String({ pattern: CIDR }), ['0.0.0.0/0']),
    ports: list('Its ports', Type.Integer({ minimum: 1, maximum: 65_535 }), [443, 6443]),
  }),
  ingressFrom: list(
    'Peers that may call the API; empty: everybody',
    Type.Unsafe<object>({ type: 'object' }),
  ),
  metricsFrom: list(
    'Peers that may read metrics; empty: everybody within the cluster',
    Type.Unsafe<object>({ type: 'object' }),
  ),
  forbiddenCidrs: list(
    'Where pods may not connect to, beside what is named elsewhere',
    Type.String({ pattern: CIDR }),
    ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10'],
  ),
  metadataServer: group('Gives pods their identity at the cloud', {
    enabled: flag('Pods may ask it', true),
    cidrs: list('Its addresses', Type.String({ pattern: CIDR }), [
      '169.254.169.254/32',
      '169.254.169.252/32',
    ]),
    ports: list('Its ports', Type.Integer({ minimum: 1, maximum: 65_535 }), [80, 988]),
  }),
  redisPort: port('Port of Redis outside the release', 6379),
  mailPorts: list(
    'Ports of the mail server',
    Type.Integer({ minimum: 1, maximum: 65_535 }),
    [465, 587],
  ),
  extraEgress: list('Further rules of way out', Type.Unsafe<object>({ type: 'object' })),
})

const ingress = group('Way in by Ingress', {
  enabled: flag('Makes one', false),
  className: text('Its class', ''),
  host: text('Host name; empty: that of `baseUrl`', ''),
  tlsSecretName: text('Secret with the certificate; empty: no TLS here', '', NAME_OR_NONE),
  annotations: texts('Such as limits of body (25 MB) and of time (streams of kiosks)'),
})

const gateway = group('Way in by Gateway API', {
  enabled: flag('Makes an HTTPRoute', false),
  parentRefs: list('Gateways that the route hangs on', Type.Unsafe<object>({ type: 'object' })),
  hostnames: list('Host names; empty: that of `baseUrl`', Type.String({ minLength: 1 })),
  create: flag('Makes a Gateway of its own', false),
  className: text('Class of that Gateway', ''),
  tlsSecretName: text('Secret with its certificate', '', NAME_OR_NONE),
})

const serviceMonitor = group('Metrics for the Prometheus operator', {
  enabled: flag('Makes Services and ServiceMonitors; their definition must be there', false),
  intervalSeconds: count('Between two readings', 30, 1, 3_600),
  labels: texts('By which Prometheus selects them'),
})

const mail = group('Invitations, reminders and codes', {
  server: Type.String({
    description: 'Address of the server, without user name and password',
    pattern: '^(smtps|smtp|smtp[+]plain)://[^/@\\s]+$',
    examples: ['smtps://mail.example.com'],
  }),
  from: Type.String({
    description: 'Address of the sender',
    pattern: '^[^\\s@<>"]+@[^\\s@<>"]+$',
    examples: ['signing@example.com'],
  }),
  credentials: group('Of the server', {
    secretName: text('Name of the Secret; empty: none', '', NAME_OR_NONE),
    userKey: text('Its member with the user name', 'user', { minLength: 1 }),
    passwordKey: text('Its member with the password', 'password', { minLength: 1 }),
  }),
  authoritiesConfigMapName: text(
    "ConfigMap with `ca.pem`, for a server whose certificate is not a public authority's",
    '',
    NAME_OR_NONE,
  ),
})

const sms = group('One-time codes for telephones; without it asking for one answers 501', {
  address: secretMember('URL of the gateway', 'url'),
  token: secretMember('Its bearer token', 'token'),
})

const timeStamps = group('RFC 3161 authorities', {
  urls: list('In the order of asking', Type.String({ pattern: '^https?://[^\\s,]+$' })),
  rootsConfigMapName: text(
    'ConfigMap with `roots.pem`: what tokens must lead to',
    '',
    NAME_OR_NONE,
  ),
  policy: text('Policy that is asked for', '', { pattern: '^([0-2](\\.(0|[1-9][0-9]*))+)?$' }),
})

const trustedLists = group('EU trusted lists', {
  url: text('Address of the list of lists; empty: none is read', '', HTTP_URL_OR_NONE),
  anchorsConfigMapName: text(
    'ConfigMap with the certificates of the Official Journal (`.pem`)',
    '',
    NAME_OR_NONE,
  ),
  publication: text('Address of that publication', '', HTTP_URL_OR_NONE),
})

const bound = (name: BoundName, description: string) =>
  count(`${description}; 0: no limit`, BOUNDS[name].standard, 0, MAXIMUM_LIMIT)

const limits = group('Bounds of requests', {
  publicRequestsPerMinute: count(
    'Of one address on public routes; 0: no limit',
    PUBLIC_REQUESTS_PER_MINUTE,
    0,
    MAXIMUM_LIMIT,
  ),
  tenantRequestsPerMinute: count(
    'Of one tenant; 0: no limit',
    TENANT_REQUESTS_PER_MINUTE,
    0,
    MAXIMUM_LIMIT,
  ),
  tenantCasesPerDay: bound('tenantCasesPerDay', 'Cases that one tenant creates in a day (UTC)'),
  tenantDevicesPerDay: bound('tenantDevicesPerDay', 'Kiosks that one tenant registers in a day'),
  tenantMailsPerDay: bound('tenantMailsPerDay', 'Mails for one tenant in a day, codes among them'),
  tenantSmsPerDay: bound('tenantSmsPerDay', 'Codes as text messages for one tenant in a day'),
  verificationUploadsPerHour: bound(
    'verificationUploadsPerHour',
    'Uploads to be verified, of one address in an hour',
  ),
  verificationMegabytesPerHour: bound(
    'verificationMegabytesPerHour',
    'Their size in MiB, of one address in an hour',
  ),
  allVerificationUploadsPerHour: bound(
    'allVerificationUploadsPerHour',
    'Uploads to be verified, of all addresses in an hour',
  ),
  allVerificationMegabytesPerHour: bound(
    'allVerificationMegabytesPerHour',
    'Their size in MiB, of all addresses in an hour',
  ),
  trustedProxies: list(
    'Addresses or ranges whose `X-Forwarded-For` is believed',
    Type.String({ pattern: ADDRESS_OR_RANGE }),
  ),
  egressAllow: list(
    'Addresses or ranges that tenants and issuers may be at though they are not public',
    Type.String({ pattern: ADDRESS_OR_RANGE }),
  ),
})

export const ChartValues = group('Values of the chart', {
  baseUrl: Type.String({
    description: 'Public URL of the service; signing links begin with it',
    pattern: '^https?://[^\\s?#]+$',
    examples: ['https://sign.example.com'],
  }),
  logLevel: stringEnum(LOG_LEVELS, { description: 'From which level on', default: 'info' }),
  images: group('Made by the Dockerfiles of the repository', {
    node: image('Of api and controller, and of workers on Node', 'sigcase-node'),
    deno: image('Of workers on Deno', 'sigcase-deno'),
    pullPolicy: stringEnum(['IfNotPresent', 'Always', 'Never'], {
      description: 'When images are fetched',
      default: 'IfNotPresent',
    }),
    pullSecrets: list('Names of Secrets', Type.String(NAME)),
  }),
  admissionPolicy: group('What the controller may bind', {
    enabled: flag(
      'Makes a ValidatingAdmissionPolicy where the API server serves them (Kubernetes 1.30)',
      true,
    ),
  }),
  crds: group('The custom resources', {
    install: flag('Installs and upgrades their definitions; they outlive the release', true),
  }),
  keyring: group('Keys of links, facts, codes and sessions', {
    secretNamePrefix: text(
      'Before the name of each Secret: `<prefix>-<set>`; see docs/how-to/install-on-a-cluster.md',
      'sigcase-keyring',
      NAME,
    ),
    key: text('Member of each of the Secrets', 'keys.json', { minLength: 1 }),
  }),
  api,
  controller,
  worker,
  googleCloud,
  redis,
  mail,
  sms,
  timeStamps,
  trustedLists,
  limits,
  ingress,
  gateway,
  networkPolicy,
  serviceMonitor,
  helmTest: group('What `helm test` does beside asking for the readiness', {
    token: secretMember('Bearer token of a tenant: with it, a case is brought to DONE', 'token'),
  }),
  global: Type.Optional(passedOn('What a chart above this one passes to all')),
})
