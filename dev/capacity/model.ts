/** The capacity model: replicas, etcd, cost and first limit for a number of cases a day. Pure. */
import { LIMITS, MEASURED, PRICES, type Input } from './inputs.ts'

const SECONDS_PER_DAY = 86_400
const SECONDS_PER_MINUTE = 60
const SECONDS_PER_HOUR = 3_600
const HOURS_PER_DAY = 24
const DAYS_PER_MONTH = 30
const MB_PER_GB = 1_000
const THOUSAND = 1_000

type Values<T extends Record<string, Input>> = { readonly [K in keyof T]: number }
export interface Inputs {
  measured: Values<typeof MEASURED>
  prices: Values<typeof PRICES>
  limits: Values<typeof LIMITS>
}

function valuesOf<T extends Record<string, Input>>(inputs: T): Values<T> {
  const entries = Object.entries(inputs).map(([name, { value }]) => [name, value])
  return Object.fromEntries(entries) as Values<T>
}

/** The inputs of `inputs.ts`. */
export const INPUTS: Inputs = {
  measured: valuesOf(MEASURED),
  prices: valuesOf(PRICES),
  limits: valuesOf(LIMITS),
}

/** How the service is used and set up. */
export interface Plan {
  casesPerDay: number
  /** The busiest minute against the mean of the day. */
  peakFactor: number
  /** Hours from the creation of a case to its end. */
  openHours: number
  /** `ARCHIVE_AFTER_HOURS`. */
  archiveHours: number
  /** How long documents are kept. */
  keptMonths: number
  /** Share of all webhooks that go to the largest receiver. */
  largestReceiver: number
  /** Time in which that receiver answers. */
  receiverSeconds: number
  /** Controllers that share the cases; 1: one leader does all. */
  shards: number
}

export const DEFAULT_PLAN: Omit<Plan, 'casesPerDay'> = {
  peakFactor: 4,
  openHours: 48,
  archiveHours: 24,
  keptMonths: 12,
  largestReceiver: 0.2,
  receiverSeconds: 0.5,
  shards: 1,
}

export interface Replicas {
  api: number
  controllers: number
  workers: number
}

/** A limit, and how many cases a day reach it. */
export interface Bottleneck {
  name: string
  casesPerDay: number
  remedy: string
}

export interface Estimate {
  peakCasesPerSecond: number
  fitsOneMachine: boolean
  replicas: Replicas
  /** vCPUs that all processes and the API server use at the peak, on average. */
  peakCores: number
  etcdGigabytes: number
  /** Growth of the index in a month. */
  indexGigabytesPerMonth: number
  /** US dollars for 1,000 cases, by what they are paid for. */
  costPerThousand: Record<'compute' | 'object store' | 'KMS' | 'storage', number>
  /** US dollars for a month that do not depend on the number of cases. */
  fixedPerMonth: number
}

/** CPU seconds for each case, by process. */
function cpuOf({ measured }: Inputs) {
  const { processCpu, apiShare, controllerShare } = measured
  const api = processCpu * apiShare
  const controller = processCpu * controllerShare
  return { api, controller, worker: processCpu - api - controller }
}

/** Chart defaults: two replicas of everything, with 4 GB of memory for each vCPU. */
const LEAST_REPLICAS = 2
const GB_PER_VCPU = 4
/** vCPUs and GB of the database of the index, and of two Redis. */
const INDEX_VCPUS = 2
const INDEX_GB = 8
const REDIS_VCPUS = 2
const REDIS_GB = 8

function costOf(plan: Plan, inputs: Inputs): Estimate['costPerThousand'] {
  const { measured: m, prices: p, limits } = inputs
  const hourOfVcpu = p.vcpuHour + GB_PER_VCPU * p.memoryHour
  // Replicas follow the load, but are never busier than the limit of a process.
  const cpuHours = (m.processCpu * THOUSAND) / SECONDS_PER_HOUR / limits.processCores
  const gigabytes = (m.storedMegabytes * THOUSAND) / MB_PER_GB
  return {
    compute: cpuHours * hourOfVcpu,
    'object store': m.classA * p.thousandClassA + m.classB * p.thousandClassB,
    KMS: (m.kmsSignatures * THOUSAND * p.tenThousandHsm) / 10_000,
    storage: gigabytes * p.gigabyteMonth * plan.keptMonths,
  }
}

function fixedCost({ prices: p }: Inputs): number {
  const hour =
    p.clusterHour +
    REDIS_VCPUS * p.vcpuHour +
    REDIS_GB * p.memoryHour +
    INDEX_VCPUS * p.sqlVcpuHour +
    INDEX_GB * p.sqlMemoryHour
  return hour * HOURS_PER_DAY * DAYS_PER_MONTH
}

/** Days that a case is a resource of Kubernetes. */
const daysInEtcd = ({ openHours, archiveHours }: Plan) => (openHours + archiveHours) / HOURS_PER_DAY

/** Estimates what a plan needs. */
export function estimate(plan: Plan, inputs: Inputs = INPUTS): Estimate {
  const { measured: m, limits } = inputs
  const peak = (plan.casesPerDay * plan.peakFactor) / SECONDS_PER_DAY
  const cpu = cpuOf(inputs)
  const replicasFor = (seconds: number) =>
    Math.max(LEAST_REPLICAS, Math.ceil((peak * seconds) / limits.processCores))
  return {
    peakCasesPerSecond: peak,
    fitsOneMachine: peak * m.oneMachineCpu <= limits.machineCores * limits.processCores,
    replicas: {
      api: replicasFor(cpu.api),
      controllers: replicasFor(cpu.controller),
      workers: replicasFor(cpu.worker),
    },
    peakCores: peak * (m.processCpu + m.apiServerCpu),
    etcdGigabytes: (plan.casesPerDay * daysInEtcd(plan) * m.etcdOctets) / 1e9,
    indexGigabytesPerMonth: (plan.casesPerDay * DAYS_PER_MONTH * m.indexOctets) / 1e9,
    costPerThousand: costOf(plan, inputs),
    fixedPerMonth: fixedCost(inputs),
  }
}

/**
 * Lists the limits in the order in which a growing service reaches them. Replicas of API and
 * workers grow with the load, so they are not listed.
 */
export function bottlenecks(plan: Plan, inputs: Inputs = INPUTS): Bottleneck[] {
  const { measured: m, limits: l } = inputs
  /** Cases a day whose peak has this number of cases in a second. */
  const perDay = (casesPerSecond: number) => (casesPerSecond * SECONDS_PER_DAY) / plan.peakFactor
  const { controller } = cpuOf(inputs)
  const { workers } = estimate(plan, inputs).replicas
  const toLargest = m.webhooks * plan.largestReceiver
  const found: (readonly [string, number, string])[] = [
    [
      'CPU of one machine (`npm start`)',
      perDay((l.machineCores * l.processCores) / m.oneMachineCpu),
      'use a cluster: the JavaScript of one process runs on one core',
    ],
    [
      plan.shards === 1 ? 'CPU of the one leader' : `CPU of ${plan.shards} leaders`,
      perDay((plan.shards * l.processCores) / controller),
      'share the cases between controllers (shards)',
    ],
    [
      'HSM signatures of Cloud KMS',
      perDay(l.hsmPerMinute / SECONDS_PER_MINUTE / m.kmsSignatures),
      'request an increase, or use software keys for time-stamps',
    ],
    [
      'size of etcd',
      l.etcdOctets / m.etcdOctets / daysInEtcd(plan),
      'archive sooner; a second cluster for other tenants',
    ],
    [
      'writes of etcd',
      perDay(l.etcdWritesPerSecond / m.etcdWrites),
      'a second cluster for other tenants',
    ],
    [
      'first write rate of a bucket',
      perDay(l.bucketWritesPerSecond / m.classA),
      'raise the load slowly: the bucket adapts within minutes',
    ],
    [
      'first read rate of a bucket',
      perDay(l.bucketReadsPerSecond / m.classB),
      'raise the load slowly: the bucket adapts within minutes',
    ],
    [
      'commands of one Redis',
      perDay(l.redisPerSecond / m.redisCommands),
      'a Redis for each group of tenants',
    ],
    [
      'turns of the largest receiver of webhooks',
      perDay((l.webhooksPerHost * workers) / plan.receiverSeconds / toLargest),
      'the receiver must answer sooner, or work begins after its answer; workers add connections',
    ],
  ]
  return found
    .map(([name, casesPerDay, remedy]) => ({ name, casesPerDay, remedy }))
    .sort((a, b) => a.casesPerDay - b.casesPerDay)
}
