/** Inputs of the capacity model: what was measured, what Google charges, and what limits exist. */

/** A number with its unit and its origin. */
export interface Input {
  value: number
  unit: string
  /** The command that measures it, the page that states it, or why it is assumed. */
  source: string
}

/** Date of the measurements: two participants, PDFs of 100 KB, two cores. */
export const MEASURED_ON = '2026-11-24 (CPU time and requests of a case on 2026-11-29)'
/** Date on which the prices and limits were read. */
export const PRICES_READ_ON = '2026-11-24'

const CASE_ROW = 'npm run bench -- case'
const LOAD = 'npm run load -- --rate 1 --minutes 1.5 --cluster'
const SEARCH_ROW = 'npm run bench -- search --rows 1000000'

/** For each case with two participants, unless the unit says otherwise. Change them here only. */
export const MEASURED = {
  oneMachineCpu: { value: 0.12, unit: 's of CPU on one machine', source: CASE_ROW },
  processCpu: { value: 0.292, unit: 's of CPU of all processes on a cluster', source: CASE_ROW },
  apiServerCpu: { value: 0.086, unit: 's of CPU of kube-apiserver and etcd', source: CASE_ROW },
  apiShare: { value: 0.15, unit: 'of the CPU of all processes: API', source: LOAD },
  controllerShare: { value: 0.17, unit: 'of the CPU of all processes: leader', source: LOAD },
  reconciles: { value: 5.5, unit: 'reconciles', source: CASE_ROW },
  etcdWrites: { value: 6, unit: 'writes of etcd', source: CASE_ROW },
  classA: { value: 20, unit: 'writes and lists of the object store', source: CASE_ROW },
  classB: { value: 18.5, unit: 'reads of the object store', source: CASE_ROW },
  redisCommands: {
    value: 274,
    unit: 'Redis commands, three quarters of them in scripts (decision 258)',
    source: CASE_ROW,
  },
  kmsSignatures: { value: 13, unit: 'KMS signatures', source: CASE_ROW },
  webhooks: { value: 3, unit: 'webhooks', source: 'one for each participant and one for the end' },
  storedMegabytes: {
    value: 2,
    unit: 'MB in the object store: three PDFs, trail and drawings of a typical upload',
    source: 'cases with real PDFs of 105 to 990 KB',
  },
  etcdOctets: {
    value: 5_300,
    unit: 'octets in etcd while the case is a resource',
    source: 'decision 234: 8 GB hold about 1.5 million cases',
  },
  indexOctets: { value: 1_113, unit: 'octets in PostgreSQL, for ever', source: SEARCH_ROW },
} as const satisfies Record<string, Input>

const GKE = 'https://cloud.google.com/kubernetes-engine/pricing'
const STORAGE = 'https://cloud.google.com/storage/pricing-examples'
const KMS = 'https://cloud.google.com/kms/pricing'
const SQL = 'https://cloud.google.com/sql/pricing'

/** List prices in US dollars in Iowa and South Carolina; other regions cost up to a third more. */
export const PRICES = {
  vcpuHour: { value: 0.0445, unit: 'for an hour of a vCPU (GKE Autopilot)', source: GKE },
  memoryHour: { value: 0.0049225, unit: 'for an hour of a GB (GKE Autopilot)', source: GKE },
  clusterHour: { value: 0.1, unit: 'for an hour of a cluster (GKE)', source: GKE },
  thousandClassA: { value: 0.005, unit: 'for 1,000 class A operations', source: STORAGE },
  thousandClassB: { value: 0.0004, unit: 'for 1,000 class B operations', source: STORAGE },
  gigabyteMonth: { value: 0.02, unit: 'for a GB stored for a month (Standard)', source: STORAGE },
  tenThousandHsm: {
    value: 0.15,
    unit: 'for 10,000 operations of keys RSA 3072 or on elliptic curves in an HSM',
    source: KMS,
  },
  sqlVcpuHour: { value: 0.0413, unit: 'for an hour of a vCPU (Cloud SQL)', source: SQL },
  sqlMemoryHour: { value: 0.007, unit: 'for an hour of a GB of memory (Cloud SQL)', source: SQL },
} as const satisfies Record<string, Input>

/** What ends at some rate. */
export const LIMITS = {
  processCores: {
    value: 0.7,
    unit: 'busy cores of one process, whose JavaScript runs on one core',
    source: 'assumed: above it, latencies grow fast',
  },
  machineCores: { value: 2, unit: 'cores of the one machine', source: 'the machine measured' },
  hsmPerMinute: {
    value: 3_000,
    unit: 'HSM signatures a minute, by default; an increase can be requested',
    source: 'https://cloud.google.com/kms/quotas',
  },
  etcdOctets: {
    value: 8e9,
    unit: 'octets of etcd, the largest recommended quota',
    source: 'https://etcd.io/docs/v3.5/dev-guide/limit/',
  },
  etcdWritesPerSecond: {
    value: 3_000,
    unit: 'writes of one etcd in a second, through an API server with watches',
    source: 'assumed: a tenth of the benchmark of etcd without an API server',
  },
  bucketWritesPerSecond: {
    value: 1_000,
    unit: 'writes of a bucket in a second, at first; it grows when the rate rises slowly',
    source: 'https://cloud.google.com/storage/docs/request-rate',
  },
  bucketReadsPerSecond: {
    value: 5_000,
    unit: 'reads and lists of a bucket in a second, at first; it grows too',
    source: 'https://cloud.google.com/storage/docs/request-rate',
  },
  redisPerSecond: {
    value: 80_000,
    unit: 'commands of one Redis in a second',
    source: 'assumed: scripts of BullMQ on one core',
  },
  webhooksPerHost: {
    value: 16,
    unit: 'requests at a time from one worker to one receiver',
    source: 'decision 238',
  },
} as const satisfies Record<string, Input>
