/**
 * The catalogue of the lines that processes write to their logs: text, level, and what an operator
 * should know. A test compares it with all calls in the code; the reference page comes from it.
 */

/** The processes that write logs; on one machine, one process writes the lines of all. */
export type LogSource = 'api' | 'controller' | 'worker' | 'reader' | 'pkcs11'

interface LogEvent {
  level: 'info' | 'warn' | 'error' | 'fatal'
  sources: readonly LogSource[]
  /** What happened, and what the service does about it. */
  meaning: string
  /** Members in addition to those of many lines. */
  members?: readonly string[]
  /** What an operator does; absent: nothing, unless the line comes again and again. */
  remedy?: string
}

const SERVERS: readonly LogSource[] = ['api', 'controller', 'worker']
const ALL: readonly LogSource[] = [...SERVERS, 'reader', 'pkcs11']
const CONTROLLER: readonly LogSource[] = ['controller']
const WORKER: readonly LogSource[] = ['worker']
const API: readonly LogSource[] = ['api']

const ofRequests = {
  answered: {
    level: 'info',
    sources: API,
    meaning: 'A request was answered. One line for each request.',
    members: ['method', 'route', 'ip', 'statusCode', 'durationMs'],
  },
  'request failed': {
    level: 'warn',
    sources: API,
    meaning: 'The request got the error `code`, because something that the service needs failed.',
    members: ['code'],
    remedy: '[Errors by code](errors.md), and the runbook [API errors](../runbooks/api-errors.md)',
  },
  'unexpected failure': {
    level: 'error',
    sources: API,
    meaning: 'A request failed with an error that the code does not know; it got status 500.',
    remedy: 'Report it as a defect, with `err`.',
  },
  'WebSocket closed': {
    level: 'info',
    sources: API,
    meaning: 'A WebSocket of a GraphQL client was closed. It has no line `answered`.',
    members: ['method', 'route', 'ip', 'closeCode', 'durationMs'],
  },
  'unread answers were discarded': {
    level: 'warn',
    sources: API,
    meaning:
      'Clients did not read answers of 128 MiB in all. The connection with the most of them was ' +
      'closed; `ip` is the address of its other end, such as of a proxy.',
    members: ['ip'],
    remedy: 'If it comes often, look for the client in the lines `answered`, and block it.',
  },
  'requests are not counted': {
    level: 'warn',
    sources: API,
    meaning: 'The counter of requests in Redis failed; the request was served.',
    members: ['bucket'],
    remedy: 'Check Redis.',
  },
  'the controller could not be notified': {
    level: 'warn',
    sources: API,
    meaning: 'A webhook that is to be delivered again waits for the next resync.',
    remedy: 'Check Redis.',
  },
  'the look of the tenant could not be read': {
    level: 'warn',
    sources: API,
    meaning: 'A kiosk shows the standard look until it connects again.',
    members: ['deviceId'],
  },
  'the connection could not be recorded': {
    level: 'warn',
    sources: API,
    meaning: 'The list of kiosks shows a connected kiosk as not connected.',
    members: ['deviceId'],
  },
  'the kiosk could not be notified': {
    level: 'warn',
    sources: API,
    meaning: 'An event of a kiosk could not be read; the next heartbeat tries again.',
    members: ['deviceId'],
  },
  'an older stream may go on': {
    level: 'warn',
    sources: API,
    meaning: 'Two browsers may show the same kiosk until the older stream ends.',
    members: ['deviceId'],
  },
  'the stream of a removed kiosk could not be notified': {
    level: 'warn',
    sources: API,
    meaning: 'The stream of a removed kiosk ends with its next refresh.',
  },
} as const satisfies Record<string, LogEvent>

const ofControllers = {
  'case decided': {
    level: 'info',
    sources: CONTROLLER,
    meaning:
      'The controller changed a case. One line for each decision, after it was carried out; runs ' +
      'that change nothing have none.',
    members: [
      'phase',
      'previousPhase',
      'events',
      'jobs',
      'rewritesFacts',
      'ordersErasure',
      'removesResource',
    ],
  },
  'reconcile failed': {
    level: 'warn',
    sources: CONTROLLER,
    meaning: 'A run for a case failed; it is repeated after a growing delay.',
    members: ['failures'],
    remedy: '[Reconciles failing](../runbooks/reconciles-failing.md)',
  },
  'a failure could not be reported': {
    level: 'warn',
    sources: CONTROLLER,
    meaning: 'The condition of a case that fails repeatedly could not be written.',
  },
  'the subscription to changed cases failed': {
    level: 'warn',
    sources: CONTROLLER,
    meaning: 'Notifications are missing; watches and resyncs find changed cases later.',
    remedy: 'Check Redis.',
  },
  'the resting cases could not be stored': {
    level: 'warn',
    sources: CONTROLLER,
    meaning: 'It is tried again; meanwhile, a new leader would read every open case.',
    remedy: 'Check Redis.',
  },
  'the resting cases could not be taken over': {
    level: 'warn',
    sources: CONTROLLER,
    meaning: 'This leader reads every open case; nothing is lost.',
    remedy: 'Check Redis and the API server.',
  },
  'timer failed': {
    level: 'warn',
    sources: CONTROLLER,
    meaning: 'Regular work of the controller failed; its next turn tries again.',
  },
  'resync failed': {
    level: 'warn',
    sources: CONTROLLER,
    meaning: 'The cases could not be listed; the next resync, in five minutes, tries again.',
    remedy: 'Check the API server and the object store.',
  },
  'the retention time of a tenant could not be read': {
    level: 'warn',
    sources: CONTROLLER,
    meaning: 'Nothing is erased by retention time until the resource `Tenant` can be read.',
    remedy: 'Check the `Tenant` resources and the rights of the controller.',
  },
  'the index of cases could not be updated': {
    level: 'warn',
    sources: CONTROLLER,
    meaning: 'Listings may be old; the next resync writes the index.',
    remedy: 'Check the database, then run `sigcase index rebuild` if lists stay wrong.',
  },
  'the shard of a case could not be written': {
    level: 'warn',
    sources: CONTROLLER,
    meaning: 'A case has no label of its shard yet; this controller keeps it.',
  },
  'a Kubernetes Event could not be written': {
    level: 'warn',
    sources: CONTROLLER,
    meaning: '`kubectl describe` lacks an event; nothing depends on it.',
  },
  'reconcile of a tenant failed': {
    level: 'warn',
    sources: CONTROLLER,
    meaning: 'A run for a tenant failed; it is repeated after a growing delay.',
    remedy: 'Look at the conditions of the `Tenant`.',
  },
  'resync of tenants failed': {
    level: 'warn',
    sources: CONTROLLER,
    meaning: 'The tenants could not be listed; the next resync tries again.',
  },
  'this replica is the leader': {
    level: 'info',
    sources: CONTROLLER,
    meaning: 'The replica got the Lease of a group of shards and reconciles its cases.',
    members: ['group'],
  },
  'this replica is no longer the leader': {
    level: 'info',
    sources: CONTROLLER,
    meaning: 'The replica lost or released the Lease of a group of shards.',
    members: ['group'],
  },
  'a controller failed to start or stop': {
    level: 'error',
    sources: CONTROLLER,
    meaning: 'A group of shards may be without a controller.',
    remedy: 'Restart the pod.',
  },
  'the leases could not be read or written': {
    level: 'warn',
    sources: CONTROLLER,
    meaning: 'The election tries again; a leader that cannot renew its Lease stops in time.',
    remedy: '[No leader](../runbooks/no-leader.md)',
  },
  'the lease could not be released': {
    level: 'warn',
    sources: CONTROLLER,
    meaning: 'Another replica takes over only when the Lease has expired.',
  },
  'watch ended': {
    level: 'warn',
    sources: CONTROLLER,
    meaning: 'A watch at the API server failed; it starts again and reads what it missed.',
  },
  'a watch callback failed': {
    level: 'warn',
    sources: CONTROLLER,
    meaning: 'A change that a watch reported was not handled; the next resync handles it.',
    remedy: 'Report it as a defect, with `err`.',
  },
} as const satisfies Record<string, LogEvent>

const ofJobs = {
  'job failed': {
    level: 'warn',
    sources: WORKER,
    meaning: 'A job failed; it is repeated after a growing delay.',
    members: ['job', 'and the ids that the job has'],
    remedy: '[Jobs failing](../runbooks/jobs-failing.md)',
  },
  'job threw': {
    level: 'error',
    sources: WORKER,
    meaning: 'A job ended with an error that its own handling did not catch.',
    members: ['job', 'id'],
    remedy: 'Report it as a defect, with `err`.',
  },
  'a job failure could not be recorded': {
    level: 'warn',
    sources: WORKER,
    meaning: 'The delay of the next attempt is unknown; it may come early.',
    members: ['job'],
    remedy: 'Check Redis.',
  },
  'a job could not be added': {
    level: 'warn',
    sources: WORKER,
    meaning: 'Regular work, or a webhook that waits for its turn, is added again soon.',
    members: ['job'],
    remedy: 'Check Redis.',
  },
  'finalise step failed': {
    level: 'info',
    sources: WORKER,
    meaning: 'The step of the job `finalise` that failed; `job failed` or an ending follows.',
    members: ['step'],
    remedy: '[Finalise failing](../runbooks/finalise-failing.md)',
  },
  'finalising failed; the case becomes FAILED': {
    level: 'warn',
    sources: WORKER,
    meaning: 'The document of a case cannot be signed; repeating would not help.',
    remedy: 'Read `failureReason` of the case, and create the case again.',
  },
  'webhook sent': {
    level: 'info',
    sources: WORKER,
    meaning: 'An attempt to deliver a webhook ended, with its `outcome`.',
    members: ['eventId', 'type', 'number', 'deliveryId', 'outcome', 'at', 'and what was answered'],
  },
  'the ending of an attempt could not be recorded': {
    level: 'warn',
    sources: WORKER,
    meaning: 'The delivery log lacks the result of an attempt; the worker writes it again.',
    members: ['eventId', 'number'],
    remedy: 'Check the object store.',
  },
  'mail was refused permanently; no retry': {
    level: 'warn',
    sources: WORKER,
    meaning: 'The mail server refused a mail for good. The trail says so.',
    members: ['eventId'],
    remedy: 'Correct the address, or the sender that the mail server does not accept.',
  },
  'daily mail limit of the tenant reached; its mails wait for the next day': {
    level: 'warn',
    sources: WORKER,
    meaning: 'The tenant used up `TENANT_MAILS_PER_DAY`.',
    remedy: 'Raise the limit if the tenant may send more.',
  },
  'an access token could not be read': {
    level: 'warn',
    sources: WORKER,
    meaning: 'The worker asks for a new access token of the receiver of webhooks.',
  },
  'an access token could not be cached': {
    level: 'warn',
    sources: WORKER,
    meaning: 'The next webhook asks for an access token again.',
    remedy: 'Check Redis.',
  },
  'an access token could not be deleted from the cache': {
    level: 'warn',
    sources: WORKER,
    meaning: 'A refused access token is used until it expires.',
    remedy: 'Check Redis.',
  },
} as const satisfies Record<string, LogEvent>

const ofSigning = {
  'canary failed: signing is not available': {
    level: 'warn',
    sources: WORKER,
    meaning: 'The worker could not sign and time-stamp a test document, so it is not ready.',
    remedy: '[Canary failing](../runbooks/canary-failing.md)',
  },
  'the canary failed: this worker cannot sign': {
    level: 'warn',
    sources: WORKER,
    meaning:
      'The worker leaves jobs that sign to others until its canary passes, and `intake` and ' +
      '`verify` too when its sandbox does not read.',
    remedy: '[Canary failing](../runbooks/canary-failing.md)',
  },
  'the canary result could not be stored': {
    level: 'warn',
    sources: WORKER,
    meaning: 'The API may refuse signatures although the worker can sign.',
    remedy: 'Check the object store.',
  },
  'the expiry could not be read': {
    level: 'info',
    sources: WORKER,
    meaning: 'The expiry metric of a certificate or list keeps its last value.',
    members: ['subject'],
  },
  'the snapshot of trusted lists cannot be read; building a new one': {
    level: 'warn',
    sources: WORKER,
    meaning: 'A stored snapshot is from another version or damaged.',
  },
  'trusted lists were not accepted': {
    level: 'warn',
    sources: WORKER,
    meaning: '`lists` says which territory has which problem; a former list stays with its signer.',
    members: ['lists'],
    remedy: '[Trusted lists](../how-to/trusted-lists.md)',
  },
  'validation data could not be fetched': {
    level: 'warn',
    sources: WORKER,
    meaning: 'A revocation list, OCSP answer or certificate is missing at its address.',
    members: ['url', 'reason'],
  },
  'PDF parser crashed; upload rejected': {
    level: 'error',
    sources: WORKER,
    meaning: 'An upload broke the process that reads documents; the case was rejected.',
    members: ['fault'],
    remedy: 'Keep the upload and report it as a defect.',
  },
  'a document could not be read for a worker': {
    level: 'warn',
    sources: ['reader'],
    meaning: 'The container beside the worker failed; the worker repeats the job.',
  },
  'the token could not be used': {
    level: 'warn',
    sources: ['pkcs11'],
    meaning: 'The module refused a call, or could not be opened. The worker got an error.',
    remedy: '[Sign with a hardware security module](../how-to/sign-with-pkcs11.md)',
  },
  'an object was changed outside the service': {
    level: 'error',
    sources: SERVERS,
    meaning: 'An object has no valid MAC. The case is stopped where that is needed.',
    members: ['event', 'object', 'fault', 'sequence'],
    remedy: '[Integrity violation](../runbooks/integrity-violation.md)',
  },
} as const satisfies Record<string, LogEvent>

const ofProcesses = {
  ready: { level: 'info', sources: ALL, meaning: 'The process has started.' },
  draining: { level: 'info', sources: ALL, meaning: 'A signal ends the process.' },
  drained: { level: 'info', sources: ALL, meaning: 'All work ended before the process did.' },
  'process exits before it has drained': {
    level: 'warn',
    sources: ALL,
    meaning: 'Work was cut off; another process repeats it.',
    members: ['reason'],
    remedy: 'Raise the grace period of the pods if it comes with each rollout.',
  },
  'process cannot start': {
    level: 'fatal',
    sources: ALL,
    meaning: 'The process ends with code 1.',
    remedy: 'Correct what `err` names; `sigcase doctor` then checks what else the process needs.',
  },
  'shutdown step failed': {
    level: 'warn',
    sources: ALL,
    meaning: 'A connection or server could not be closed; the others were.',
  },
  'removed bytes are not overwritten yet': {
    level: 'warn',
    sources: ['api'],
    meaning: 'On one machine: erased values are still in a database. The service tries again.',
    remedy:
      'Free space on the disk, or end the process that reads the databases, such as a backup.',
  },
  'redis failed': {
    level: 'warn',
    sources: SERVERS,
    meaning: 'The connection to Redis failed; the client connects again.',
    remedy: 'Check Redis.',
  },
  'the queue failed': {
    level: 'warn',
    sources: SERVERS,
    meaning: 'The connection of the queue to Redis failed; the client connects again.',
    remedy: 'Check Redis.',
  },
  'Redis is unavailable; limits are counted per process': {
    level: 'warn',
    sources: ['api', 'worker'],
    meaning: 'Limits of tenants are higher than configured until Redis answers.',
    remedy: 'Check Redis.',
  },
  'Redis cannot be used': {
    level: 'error',
    sources: SERVERS,
    meaning: 'The server runs in a mode that the service does not support; `fault` says which.',
    members: ['fault', 'mode', 'role', 'evictionPolicy'],
    remedy: 'Point `REDIS_URL` to a primary that is not in cluster mode.',
  },
  'Redis may evict jobs: set its maxmemory-policy to noeviction': {
    level: 'error',
    sources: SERVERS,
    meaning: 'A full Redis would delete jobs. They are added again, but late.',
    members: ['evictionPolicy'],
    remedy: 'Set the policy `noeviction`.',
  },
  'the index of cases failed': {
    level: 'warn',
    sources: ['api', 'controller'],
    meaning: 'The database does not answer; listings fail or are old.',
    remedy: '[Index of cases](../how-to/index-cases.md)',
  },
  'the index of cases has no trigrams': {
    level: 'warn',
    sources: ['api', 'controller'],
    meaning: 'PostgreSQL lacks `pg_trgm`, so that a search reads all rows of a tenant.',
    remedy: 'Create the extension `pg_trgm`.',
  },
  'traces could not be exported': {
    level: 'warn',
    sources: SERVERS,
    meaning: 'The collector does not take spans; they are dropped.',
    remedy: 'Check `OTEL_EXPORTER_OTLP_ENDPOINT` and the network policy.',
  },
} as const satisfies Record<string, LogEvent>

/** All lines by topic; the key is the member `msg`. */
export const LOG_EVENTS: Readonly<Record<string, Readonly<Record<string, LogEvent>>>> = {
  Requests: ofRequests,
  Controllers: ofControllers,
  Jobs: ofJobs,
  'Signing and integrity': ofSigning,
  Processes: ofProcesses,
}
