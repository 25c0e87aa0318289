/** The values of the chart: schema, default and description of each. */
import { Type } from '@sinclair/typebox'
import { pino } from 'pino'
import { stringEnum } from '../../domain/schema-parts.ts'
import { BOUNDS, type BoundName } from '../../application/limits/bounds.ts'
import { PUBLIC_REQUESTS_PER_MINUTE, TENANT_REQUESTS_PER_MINUTE } from '../../domain/limits.ts'
import { api, controller, worker } from './component-values.ts'
import { googleCloud } from './google-cloud-values.ts'
import { s3 } from './s3-values.ts'
import { vault } from './vault-values.ts'
import {
  ADDRESS_OR_RANGE,
  CIDR,
  IPV4_CIDR,
  count,
  flag,
  group,
  HTTP_URL_OR_NONE,
  list,
  listPassedOn,
  NAME,
  NAME_OR_NONE,
  passedOn,
  port,
  ports,
  resourcesOf,
  secretKey,
  text,
  texts,
} from './value-types.ts'

/** The same maximum as in `parseLimit` of the configuration. */
const MAXIMUM_LIMIT = 9_999_999
/** The levels of the logger, which the configuration accepts too. */
const LOG_LEVELS = [...Object.values(pino.levels.labels), 'silent']

const image = (description: string, repository: string) =>
  group(description, {
    repository: text('Repository, with the registry', repository, { minLength: 1 }),
    tag: text("Tag; empty: the chart's `appVersion`, with `_` for `+`", ''),
    digest: text('Digest; takes precedence over `tag`', '', {
      pattern: '^(sha256:[0-9a-f]{64})?$',
    }),
  })

const redis = group('Redis: queues, counters and notifications; its data may be lost', {
  address: secretKey('Secret with the URL of one server, `redis://` or `rediss://`', 'url'),
  authoritiesConfigMapName: text(
    'ConfigMap with `ca.pem`: the private authority of the `rediss://` server',
    '',
    NAME_OR_NONE,
  ),
  trial: group('Redis of the release without password and persistence, only for trials', {
    enabled: flag('Deploys it instead of using `address`', false),
    image: text('Image with a Redis server', 'redis:7.4.2-alpine', { minLength: 1 }),
    command: list('Command that starts the server of the image', Type.String({ minLength: 1 }), [
      'redis-server',
    ]),
    resources: resourcesOf({
      requests: { cpu: '100m', memory: '64Mi', 'ephemeral-storage': '64Mi' },
      limits: { memory: '256Mi', 'ephemeral-storage': '256Mi' },
    }),
  }),
})

const index = group('Index of cases in PostgreSQL; see docs/how-to/index-cases.md', {
  api: secretKey('Secret with the URL for the API, whose role reads and writes rows', 'url'),
  controller: secretKey('Secret with the URL for the controller, whose role owns tables', 'url'),
  authoritiesConfigMapName: text(
    'ConfigMap with `ca.pem`: the private authority of the server',
    '',
    NAME_OR_NONE,
  ),
})

const networkPolicy = group('NetworkPolicies; they need a network plugin that enforces them', {
  enabled: flag('Creates NetworkPolicies', true),
  apiServer: group('Kubernetes API server', {
    cidrs: list('Addresses of the API server', Type.String({ pattern: CIDR }), [
      '0.0.0.0/0',
      '::/0',
    ]),
    ports: ports('Ports of the API server', [443, 6443]),
  }),
  ingressFrom: listPassedOn('Peers that may connect to the API; empty: all'),
  metricsFrom: listPassedOn('Peers that may read metrics; empty: all pods of the cluster'),
  forbiddenCidrs: list(
    'IPv4 ranges that pods may not connect to, except for destinations named elsewhere',
    Type.String({ pattern: IPV4_CIDR }),
    ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10'],
  ),
  metadataServer: group('Metadata server, which gives pods their cloud identity', {
    enabled: flag('Allows connections to the metadata server', true),
    cidrs: list('Addresses of the metadata server', Type.String({ pattern: CIDR }), [
      '169.254.169.254/32',
      '169.254.169.252/32',
    ]),
    ports: ports('Ports of the metadata server', [80, 988]),
  }),
  redisPort: port('Port of a Redis outside the release', 6379),
  indexPort: port('Port of the PostgreSQL with the index of cases', 5432),
  mailPorts: ports('Ports of the mail server', [465, 587]),
  extraEgress: listPassedOn('Additional egress rules'),
})

const ingress = group('Ingress for the API', {
  enabled: flag('Creates an Ingress', false),
  className: text('IngressClass', ''),
  host: text('Host name; empty: that of `baseUrl`', ''),
  tlsSecretName: text('Secret with the TLS certificate; empty: no TLS', '', NAME_OR_NONE),
  annotations: texts(
    'Annotations, for example to allow bodies of 25 MB and responses of 900 seconds',
  ),
})

const gateway = group('Gateway API for the API', {
  enabled: flag('Creates an HTTPRoute', false),
  parentRefs: listPassedOn('Gateways that the HTTPRoute attaches to'),
  hostnames: list('Host names; empty: that of `baseUrl`', Type.String({ minLength: 1 })),
  create: flag('Creates a Gateway for the HTTPRoute', false),
  className: text('GatewayClass of the created Gateway', ''),
  tlsSecretName: text('Secret with the TLS certificate of the created Gateway', '', NAME_OR_NONE),
})

const serviceMonitor = group('Metrics for the Prometheus operator', {
  enabled: flag('Creates Services and ServiceMonitors; requires the ServiceMonitor CRD', false),
  intervalSeconds: count('Scrape interval in seconds', 30, 1, 3_600),
  labels: texts('Labels by which Prometheus selects the ServiceMonitors'),
})

const prometheusRule = group('Alerts for the Prometheus operator', {
  enabled: flag('Creates a PrometheusRule; requires its CRD and `serviceMonitor.enabled`', false),
  labels: texts('Labels by which Prometheus selects the PrometheusRule'),
  runbookBaseUrl: text(
    'Folder of the runbooks in the links of alerts; by default the one in the repository',
    'docs/runbooks',
    { pattern: '^[^\\s"]*[^\\s"/]$' },
  ),
})

const dashboard = group('Dashboard for Grafana', {
  enabled: flag('Creates a ConfigMap with the dashboard', false),
  labels: texts('Labels by which the sidecar of Grafana finds the ConfigMap', {
    grafana_dashboard: '1',
  }),
})

const mail = group('Mail server for invitations, reminders and one-time codes', {
  server: Type.String({
    description: 'URL of the server, without user name and password',
    pattern: '^(smtps|smtp|smtp[+]plain)://[^/@\\s]+$',
    examples: ['smtps://mail.example.com'],
  }),
  from: Type.String({
    description: 'Sender address of all mails',
    pattern: '^[^\\s@<>"]+@[^\\s@<>"]+$',
    examples: ['signing@example.com'],
  }),
  credentials: group('Credentials for the server', {
    secretName: text('Name of the Secret; empty: none', '', NAME_OR_NONE),
    userKey: text('Key of the user name within the Secret', 'user', { minLength: 1 }),
    passwordKey: text('Key of the password within the Secret', 'password', { minLength: 1 }),
  }),
  authoritiesConfigMapName: text(
    'ConfigMap with `ca.pem`: the private authority of the server',
    '',
    NAME_OR_NONE,
  ),
})

const sms = group('SMS gateway for one-time codes; without it requests for such codes answer 501', {
  address: secretKey('Secret with the URL of the gateway', 'url'),
  token: secretKey('Secret with the bearer token for the gateway', 'token'),
})

const tenantConsole = group('Console of tenants at `/console`', {
  oidc: group('OpenID Connect provider; without an issuer the console asks for a bearer token', {
    issuer: text('Issuer, exactly as its tokens name it', '', HTTP_URL_OR_NONE),
    clientId: text('Client id of the console, a public client with PKCE', ''),
    scope: text('Scopes that the console requests', 'openid', { minLength: 1 }),
    token: stringEnum(['id_token', 'access_token'], {
      description: 'Token that the console sends to the API',
      default: 'id_token',
    }),
    tokenOrigin: text(
      'Origin of the token endpoint; empty: the origin of the issuer',
      '',
      HTTP_URL_OR_NONE,
    ),
  }),
})

const timeStamps = group('RFC 3161 time-stamp authorities', {
  urls: list(
    'URLs of the authorities, in order of preference',
    Type.String({ pattern: '^https?://[^\\s,]+$' }),
  ),
  rootsConfigMapName: text(
    'ConfigMap with `roots.pem`: the root certificates that tokens must chain to',
    '',
    NAME_OR_NONE,
  ),
  policy: text('OID of the requested policy; empty: any', '', {
    pattern: '^([0-2](\\.(0|[1-9][0-9]*))+)?$',
  }),
})

const trustedLists = group('EU trusted lists', {
  url: text('URL of the list of trusted lists; empty: disabled', '', HTTP_URL_OR_NONE),
  anchorsConfigMapName: text(
    'ConfigMap with the certificates of the Official Journal (`.pem`)',
    '',
    NAME_OR_NONE,
  ),
  publication: text(
    'URL of the publication in the Official Journal, as the list names it',
    '',
    HTTP_URL_OR_NONE,
  ),
})

const tracing = group('Traces by OpenTelemetry; see docs/how-to/monitor.md', {
  endpoint: text(
    'URL of the collector (OTLP over HTTP), often port 4318; empty: disabled',
    '',
    HTTP_URL_OR_NONE,
  ),
  share: Type.Number({
    description: 'Share of the traces that is exported, from 0 to 1',
    minimum: 0,
    maximum: 1,
    default: 1,
  }),
  collectorAt: listPassedOn('NetworkPolicy peers of the collector; empty: pods of all namespaces'),
})

const bound = (name: BoundName, description: string) =>
  count(`${description}; 0: no limit`, BOUNDS[name].standard, 0, MAXIMUM_LIMIT)

const limits = group('Rate limits and quotas', {
  publicRequestsPerMinute: count(
    'Requests of one address on public routes in a minute; 0: no limit',
    PUBLIC_REQUESTS_PER_MINUTE,
    0,
    MAXIMUM_LIMIT,
  ),
  tenantRequestsPerMinute: count(
    'Requests of one tenant in a minute; 0: no limit',
    TENANT_REQUESTS_PER_MINUTE,
    0,
    MAXIMUM_LIMIT,
  ),
  tenantCasesPerDay: bound('tenantCasesPerDay', 'Cases that one tenant creates in a day (UTC)'),
  tenantDevicesPerDay: bound('tenantDevicesPerDay', 'Kiosks that one tenant registers in a day'),
  tenantMailsPerDay: bound('tenantMailsPerDay', 'Mails for one tenant in a day, with codes'),
  tenantSmsPerDay: bound('tenantSmsPerDay', 'One-time codes by SMS for one tenant in a day'),
  verificationUploadsPerHour: bound(
    'verificationUploadsPerHour',
    'Uploads for verification of one address in an hour',
  ),
  verificationMegabytesPerHour: bound(
    'verificationMegabytesPerHour',
    'Size of the uploads for verification of one address in an hour, in MiB',
  ),
  allVerificationUploadsPerHour: bound(
    'allVerificationUploadsPerHour',
    'Uploads for verification of all addresses in an hour',
  ),
  allVerificationMegabytesPerHour: bound(
    'allVerificationMegabytesPerHour',
    'Size of the uploads for verification of all addresses in an hour, in MiB',
  ),
  trustedProxies: list(
    'Addresses or ranges of proxies whose `X-Forwarded-For` header is trusted',
    Type.String({ pattern: ADDRESS_OR_RANGE }),
  ),
  egressAllow: list(
    'Private addresses or ranges that URLs of tenants and issuers may lead to',
    Type.String({ pattern: ADDRESS_OR_RANGE }),
  ),
})

export const ChartValues = group('Values of the chart', {
  baseUrl: Type.String({
    description: 'Public URL of the service; signing links begin with it',
    pattern: '^https?://[^\\s?#]+$',
    examples: ['https://sign.example.com'],
  }),
  logLevel: stringEnum(LOG_LEVELS, { description: 'Minimum log level', default: 'info' }),
  images: group('Images, built from the Dockerfile of the repository', {
    node: image('Image of API and controller, and of workers on Node', 'sigcase-node'),
    deno: image('Image of workers on Deno', 'sigcase-deno'),
    pullPolicy: stringEnum(['IfNotPresent', 'Always', 'Never'], {
      description: 'Pull policy of all images',
      default: 'IfNotPresent',
    }),
    pullSecrets: list('Names of pull Secrets', Type.String(NAME)),
  }),
  admissionPolicy: group('Admission policies that restrict roles, Secrets and metadata', {
    enabled: flag(
      'Creates ValidatingAdmissionPolicies if the API server has the kind (Kubernetes 1.30)',
      true,
    ),
  }),
  aggregatedRoles: group('Rights on cases and kiosks for the built-in roles view, edit and admin', {
    enabled: flag('Creates ClusterRoles that Kubernetes aggregates into these roles', false),
  }),
  crds: group('Custom resource definitions', {
    install: flag('Installs and upgrades the definitions; uninstalling keeps them', true),
  }),
  keyring: group('Keys of links, signature facts, codes and sessions', {
    secretNamePrefix: text(
      'Prefix of the Secrets `<prefix>-<set>`; see docs/how-to/install-on-a-cluster.md',
      'sigcase-keyring',
      NAME,
    ),
    key: text('Key within each of the Secrets', 'keys.json', { minLength: 1 }),
  }),
  api,
  controller,
  worker,
  googleCloud,
  s3,
  vault,
  redis,
  index,
  mail,
  sms,
  console: tenantConsole,
  timeStamps,
  trustedLists,
  tracing,
  limits,
  ingress,
  gateway,
  networkPolicy,
  serviceMonitor,
  prometheusRule,
  dashboard,
  helmTest: group('Additional checks of `helm test`, which always waits for readiness', {
    token: secretKey(
      'Bearer token of a tenant; with it, `helm test` brings a case to DONE',
      'token',
    ),
  }),
  global: Type.Optional(passedOn('Values that a parent chart passes to all of its charts')),
})
