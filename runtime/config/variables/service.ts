/** Variables of the service itself: on one machine, and most of them on a cluster. */
import { MAXIMUM_EMBEDDING_ORIGINS } from '../../../domain/tenants/embedding-origin.ts'
import { DEFAULT_TIME_ZONE } from '../../../domain/local-time.ts'
import { BOUNDS } from '../../../application/limits/bounds.ts'
import {
  MAXIMUM_ARCHIVE_HOURS,
  MAXIMUM_RETENTION_DAYS,
  PUBLIC_REQUESTS_PER_MINUTE,
  TENANT_REQUESTS_PER_MINUTE,
  WEBHOOK_RETRY_DELAY_MS,
} from '../../../domain/limits.ts'
import {
  CLUSTER_PROCESSES,
  integer,
  limit,
  list,
  milliseconds,
  oneOf,
  port,
  text,
  withDefault,
} from './declare.ts'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const EVERYWHERE = ['service', ...CLUSTER_PROCESSES] as const
const API = ['service', 'api'] as const
/** The worker uses only the limit of mails. */
const BOUNDED = ['service', 'api', 'worker'] as const
const STAMPING = ['service', 'worker'] as const

const LISTENING = {
  PORT: withDefault(
    port({
      summary: 'TCP port; `0`: any free port',
      readBy: API,
    }),
    8080,
  ),
  HOST: withDefault(
    text('host', {
      summary: 'address or host name to listen on',
      about: '`::` is every address of IPv6 and IPv4',
      readBy: EVERYWHERE,
    }),
    '127.0.0.1',
    // A pod does not know its address in advance, nor whether it is one of IPv6.
    '::',
  ),
  DATA_DIR: text('path', {
    summary: 'folder for all data: cases, objects, keys, mails',
    about:
      'Only one service may use it at a time. `keyring/` in it has the keys of links, facts and ' +
      'sessions, `keys/` those of the certificate authorities',
    absent: '`.data` in the working directory',
    readBy: ['service'],
  }),
  BASE_URL: text('base-url', {
    summary: 'the public URL of the service',
    about: 'Signing links and object links begin with it',
    absent: '`http://HOST:PORT`; required on a cluster',
    readBy: EVERYWHERE,
    requiredBy: CLUSTER_PROCESSES,
    // An invalid value may hold a password.
    isSecret: true,
  }),
  TRUSTED_PROXIES: list('address-or-range', {
    summary: 'addresses or CIDR ranges of proxies whose `X-Forwarded-For` is trusted',
    about: 'Without it the audit trail records the address of the connection',
    readBy: API,
  }),
  EGRESS_ALLOW: list('address-or-range', {
    summary: 'private addresses or CIDR ranges that URLs of tenants may lead to',
    about:
      'For example receivers of webhooks in the same cluster. Link-local addresses, metadata ' +
      'services and IPv6 forms that carry an IPv4 address (mapped, translated, 6to4, Teredo) ' +
      'stay forbidden. An IPv6 address that carries an IPv4 address otherwise (NAT64, ISATAP) ' +
      'requires both to be allowed',
    readBy: ['service', 'api', 'worker'],
  }),
  EMBEDDING_ORIGINS: list(
    'embedding-origin',
    {
      summary: 'sites that may show the signing page of any tenant in a frame',
      about:
        '[How to embed the signing page](../how-to/embed-the-signing-page.md). On a cluster it ' +
        'is `embedding.origins` of the `Tenant`',
      readBy: ['service'],
    },
    MAXIMUM_EMBEDDING_ORIGINS,
  ),
  SENDER_NAME: text('sender-name', {
    summary: 'name of the sender of cases that name none',
    about: 'On a cluster it is `sender.name` of the `Tenant`',
    readBy: ['service'],
  }),
  BRAND_COLOUR: text('colour', {
    summary: 'colour of the buttons on the signing pages and in mails, as `#rrggbb`',
    about:
      'It is darkened or lightened where its contrast is too low. On a cluster it is ' +
      '`branding.colour` of the `Tenant`',
    readBy: ['service'],
  }),
  BRAND_LOGO: text('logo-file', {
    summary: 'file with the logo of the signing pages and the evidence',
    about:
      'A PNG or JPEG of at most 12 KB. On a cluster it is `branding.logo` of the `Tenant` ' +
      '([How to show your name, colour and logo](../how-to/brand-the-pages.md))',
    readBy: ['service'],
  }),
  TIME_ZONE: withDefault(
    text('time-zone', {
      summary: 'IANA name of the zone of local times in mails and evidence',
      about: 'On a cluster it is `timeZone` of the `Tenant`',
      readBy: ['service'],
    }),
    DEFAULT_TIME_ZONE,
  ),
  WEBHOOK_RETRY_DELAY_MS: withDefault(
    milliseconds({
      summary: 'milliseconds between the starts of two attempts to deliver a webhook',
      about: 'Shorter values are for tests',
      readBy: EVERYWHERE,
    }),
    WEBHOOK_RETRY_DELAY_MS,
  ),
  RETENTION_DAYS: integer('number of days', 1, MAXIMUM_RETENTION_DAYS, {
    summary: 'days for which a case is kept after its end; without it, for ever',
    about:
      'Then its documents and personal data are erased ' +
      '([How to erase a case](../how-to/erase-a-case.md)). A case with webhooks is kept for at ' +
      'least 90 days after the last attempt, like its log. On a cluster it is `retentionDays` ' +
      'of the `Tenant`',
    readBy: ['service'],
  }),
  ARCHIVE_AFTER_HOURS: integer('number of hours', 0, MAXIMUM_ARCHIVE_HOURS, {
    summary: 'hours for which an ended case stays a resource; without it, for ever',
    about:
      'Then the case moves to the object store, as soon as nothing is left to do for it. ' +
      '`kubectl` does not show it any more, and lists on a cluster only with the index of cases ' +
      '([How to archive cases](../how-to/archive-cases.md)). ' +
      'Cases that were applied with kubectl are not archived',
    readBy: ['service', 'controller'],
  }),
}

/** Limits of use (decision 172). */
const LIMITS = {
  PUBLIC_REQUESTS_PER_MINUTE: withDefault(
    limit('number of requests', {
      summary: 'requests of one address to public routes',
      about: 'An IPv6 address counts as its /64. Public routes are those of participants and such',
      readBy: API,
    }),
    PUBLIC_REQUESTS_PER_MINUTE,
  ),
  TENANT_REQUESTS_PER_MINUTE: withDefault(
    limit('number of requests', { summary: 'requests of one tenant', readBy: API }),
    TENANT_REQUESTS_PER_MINUTE,
  ),
  TENANT_CASES_PER_DAY: withDefault(
    limit('number', {
      summary: 'cases that one tenant creates',
      about: 'A request with an `Idempotency-Key` that finds its case is still answered',
      readBy: BOUNDED,
    }),
    BOUNDS.tenantCasesPerDay.standard,
  ),
  TENANT_DEVICES_PER_DAY: withDefault(
    limit('number', { summary: 'kiosks that one tenant registers', readBy: BOUNDED }),
    BOUNDS.tenantDevicesPerDay.standard,
  ),
  TENANT_MAILS_PER_DAY: withDefault(
    limit('number', {
      summary: 'mails for one tenant, including codes',
      about:
        'Beyond it, `POST …/otp` answers 429 for codes by mail, and all other mails wait for ' +
        'the next day',
      readBy: BOUNDED,
    }),
    BOUNDS.tenantMailsPerDay.standard,
  ),
  TENANT_SMS_PER_DAY: withDefault(
    limit('number', { summary: 'one-time codes by SMS for one tenant', readBy: BOUNDED }),
    BOUNDS.tenantSmsPerDay.standard,
  ),
  VERIFICATION_UPLOADS_PER_HOUR: withDefault(
    limit('number', {
      summary: 'uploads for verification of one address',
      about: 'Counts upload URLs (`POST /verify/uploads`); an IPv6 address counts as its /64',
      readBy: BOUNDED,
    }),
    BOUNDS.verificationUploadsPerHour.standard,
  ),
  VERIFICATION_MEGABYTES_PER_HOUR: withDefault(
    limit('number', {
      summary: 'total size of these uploads in MiB',
      about: 'A request without `size` counts as 25',
      readBy: BOUNDED,
    }),
    BOUNDS.verificationMegabytesPerHour.standard,
  ),
  ALL_VERIFICATION_UPLOADS_PER_HOUR: withDefault(
    limit('number', { summary: 'uploads for verification of all addresses', readBy: BOUNDED }),
    BOUNDS.allVerificationUploadsPerHour.standard,
  ),
  ALL_VERIFICATION_MEGABYTES_PER_HOUR: withDefault(
    limit('number', {
      summary: 'total size of these uploads in MiB',
      about:
        'An upload is kept for two hours at most, so about three times as much can be stored ' +
        'at a time',
      readBy: BOUNDED,
    }),
    BOUNDS.allVerificationMegabytesPerHour.standard,
  ),
}

const TRUST = {
  TSA_URLS: list('http-url', {
    summary: 'RFC 3161 time-stamp authorities; without it the service issues time-stamps itself',
    about:
      'Tried in this order until one gives a valid token. Without it no third party vouches for ' +
      'the time ([PKI](pki.md)). An authority at a private address requires `EGRESS_ALLOW` too',
    readBy: STAMPING,
  }),
  TSA_ROOTS: text('certificate-file', {
    summary: 'PEM file with the root certificates of these authorities',
    about: 'Tokens must chain to one of them; required with `TSA_URLS`',
    readBy: STAMPING,
  }),
  TSA_POLICY: text('dotted-oid', {
    summary: 'OID of the time-stamp policy',
    about: 'The service requests it, and requires it in tokens',
    readBy: STAMPING,
  }),
  TRUSTED_LISTS: text('list-source', {
    summary: 'EU trusted lists: URL of the list of trusted lists, or a folder of files',
    about:
      'Without it trusted lists are not used ' +
      '([How to use trusted lists](../how-to/trusted-lists.md))',
    readBy: STAMPING,
  }),
  TRUSTED_LISTS_ANCHORS: text('existing-path', {
    summary: 'certificates that may sign the list of trusted lists',
    about:
      'File (PEM, DER) or folder of such files (`.cer`, `.crt`, `.der`, `.pem`) with the ' +
      'certificates that the Official Journal names; required with `TRUSTED_LISTS`',
    readBy: STAMPING,
  }),
  TRUSTED_LISTS_PUBLICATION: text('literal-url', {
    summary: 'URL of the publication in the Official Journal that names them',
    about: 'Exactly as in the list of trusted lists; earlier pivot lists are then not needed',
    readBy: STAMPING,
  }),
}

const PROCESS = {
  SHUTDOWN_DELAY_MS: withDefault(
    milliseconds({
      summary: 'milliseconds for which the API accepts requests after SIGTERM',
      about: 'Also after SIGINT; `/readyz` answers 503 meanwhile',
      readBy: API,
    }),
    0,
    // Load balancers, and proxies on all nodes, need some seconds to notice that a pod ends.
    10_000,
  ),
  SHUTDOWN_GRACE_MS: withDefault(
    milliseconds({
      summary: 'milliseconds that running requests and jobs have after that',
      about: 'Then, or at a second signal, the process ends',
      readBy: [...EVERYWHERE, 'reader', 'pkcs11'],
    }),
    // Short, because Ctrl-C should take effect at once and there is no load balancer.
    9_000,
    // With the delay 38 s: less than the grace period of the pods in the chart.
    28_000,
  ),
  LOG_LEVEL: withDefault(
    oneOf(LOG_LEVELS, {
      summary: 'minimum log level',
      readBy: [...EVERYWHERE, 'reader', 'pkcs11'],
    }),
    'warn',
    'info',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: text('endpoint', {
    summary: 'URL of a collector for traces (OTLP over HTTP); without it nothing is traced',
    about:
      'Spans are sent as JSON to `/v1/traces` below it ' +
      '([Monitor the service](../how-to/monitor.md#traces))',
    readBy: EVERYWHERE,
  }),
  OTEL_TRACES_SAMPLER_ARG: withDefault(
    text('share', {
      summary: 'share of the traces that is exported, from 0 to 1',
      about: 'The decision is made once for each case, when it is created',
      readBy: EVERYWHERE,
    }),
    '1',
  ),
  SMS_GATEWAY_URL: text('http-url', {
    summary: 'URL of the SMS gateway; without it, requests for a code by SMS answer 501',
    about:
      'The service sends each one-time code as `POST` of `{ "id", "to", "text" }` (decision 40)',
    readBy: API,
    // It may hold a password.
    isSecret: true,
  }),
  SMS_GATEWAY_TOKEN: text('bearer-token', {
    summary: 'bearer token for the gateway',
    about: 'Requires `SMS_GATEWAY_URL`',
    readBy: API,
    isSecret: true,
  }),
}

export const SERVICE_VARIABLES = { ...LISTENING, ...LIMITS, ...TRUST, ...PROCESS }
