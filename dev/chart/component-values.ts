/** The values of the three components of the chart: API, controller and worker. */
import type { TSchema } from '@sinclair/typebox'
import { SHARDS } from '../../domain/cases/shards.ts'
import { stringEnum } from '../../domain/schema-parts.ts'
import {
  count,
  flag,
  group,
  listPassedOn,
  NAME_OR_NONE,
  passedOn,
  port,
  resourcesOf,
  text,
  texts,
} from './value-types.ts'

const MAXIMUM_REPLICAS = 1000
/** Room for `/tmp`, which holds at most 1 GiB, and for logs. */
const DISK_LIMIT = '2Gi'

const resources = (
  { cpu, memory, disk }: { cpu: string; memory: string; disk: string },
  limits: { memory: string; disk?: string },
) =>
  resourcesOf({
    requests: { cpu, memory, 'ephemeral-storage': disk },
    limits: { memory: limits.memory, 'ephemeral-storage': limits.disk ?? DISK_LIMIT },
  })

const disruption = group(
  'PodDisruptionBudget, which limits how many pods a node drain evicts at a time',
  {
    enabled: flag('Creates a PodDisruptionBudget', true),
    maxUnavailable: count('Maximum number of unavailable pods', 1, 1, MAXIMUM_REPLICAS),
    unhealthyPodEvictionPolicy: stringEnum(['AlwaysAllow', 'IfHealthyBudget'], {
      description:
        'Whether pods that are not ready may always be evicted (Kubernetes 1.27 or newer)',
      default: 'AlwaysAllow',
    }),
  },
)

function spread(what: string) {
  const description = `Behaviour of the scheduler when pods cannot be spread evenly over ${what}`
  return stringEnum(['ScheduleAnyway', 'DoNotSchedule'], { description, default: 'ScheduleAnyway' })
}

/** Values that all three components have. */
const component = (replicas: number, graceSeconds: number, resourceValues: TSchema) => ({
  replicas: count('Number of pods; ignored with autoscaling', replicas, 1, MAXIMUM_REPLICAS),
  resources: resourceValues,
  terminationGracePeriodSeconds: count(
    'Seconds before a pod is killed; its process drains until 5 seconds before',
    graceSeconds,
    30,
    3_600,
  ),
  podDisruptionBudget: disruption,
  serviceAccountAnnotations: texts(
    'Annotations of the ServiceAccount, for example `iam.gke.io/gcp-service-account`',
  ),
  podAnnotations: texts('Annotations of the pods'),
  podLabels: texts('Additional labels of the pods'),
  priorityClassName: text('PriorityClass of the pods; empty: the default', '', NAME_OR_NONE),
  nodeSelector: texts('Node labels that the pods require'),
  tolerations: listPassedOn('Tolerations of the pods'),
  affinity: passedOn('Affinity of the pods'),
  topologySpread: group('How pods are spread', {
    zones: spread('zones'),
    nodes: spread('nodes'),
  }),
  environment: texts(
    'Additional environment variables, without secrets; see docs/reference/configuration.md',
  ),
  extraVolumes: listPassedOn('Additional volumes of the pods'),
  extraVolumeMounts: listPassedOn('Additional volume mounts of the container of the component'),
})

/** Accepts requests of tenants, participants and kiosks. */
export const api = group('API: accepts requests of tenants, participants and kiosks', {
  ...component(2, 45, resources({ cpu: '250m', memory: '256Mi', disk: '64Mi' }, { memory: '1Gi' })),
  shutdownDelaySeconds: count(
    'Seconds for which a pod that ends still accepts requests, until load balancers have left it',
    10,
    0,
    600,
  ),
  service: group('Service of the API, the backend of Ingress and Gateway', {
    type: stringEnum(['ClusterIP', 'NodePort', 'LoadBalancer'], {
      description: 'Type of the Service',
      default: 'ClusterIP',
    }),
    port: port('Port of the Service', 80),
    annotations: texts('Annotations of the Service, for example `cloud.google.com/neg`'),
  }),
  autoscaling: group('HorizontalPodAutoscaler by CPU', {
    enabled: flag('Creates a HorizontalPodAutoscaler', false),
    minReplicas: count('Minimum number of pods', 2, 1, MAXIMUM_REPLICAS),
    maxReplicas: count('Maximum number of pods', 10, 1, MAXIMUM_REPLICAS),
    targetCpuPercent: count('Target CPU usage, in percent of the request', 70, 1, 1_000),
  }),
})

/** Watches cases and writes their status. */
export const controller = group(
  'Controller: watches cases and is the only writer of their status',
  {
    shardGroups: count(
      'Groups of cases that the pods share; with 1, one pod works and the others wait. See ' +
        'docs/how-to/share-cases-among-controllers.md',
      1,
      1,
      SHARDS,
    ),
    ...component(
      2,
      40,
      resources({ cpu: '100m', memory: '256Mi', disk: '64Mi' }, { memory: '1Gi' }),
    ),
  },
)

/** Runs the jobs. */
export const worker = group('Worker: runs the jobs', {
  ...component(
    2,
    60,
    resources({ cpu: '500m', memory: '512Mi', disk: '256Mi' }, { memory: '2Gi' }),
  ),
  runtime: stringEnum(['deno', 'node'], {
    description: 'JavaScript runtime; Deno enforces an explicit list of permissions',
    default: 'deno',
  }),
  reader: group(
    'Container beside each worker that parses documents; it has no service account and no keys',
    {
      resources: resources(
        { cpu: '250m', memory: '256Mi', disk: '64Mi' },
        { memory: '2Gi', disk: '1Gi' },
      ),
    },
  ),
  extraContainers: listPassedOn(
    'Additional containers of the pods; see docs/how-to/sign-with-pkcs11.md',
  ),
  autoscaling: group('HorizontalPodAutoscaler by the length of the queue', {
    enabled: flag('Creates a HorizontalPodAutoscaler; requires an external metrics adapter', false),
    minReplicas: count('Minimum number of pods', 2, 1, MAXIMUM_REPLICAS),
    maxReplicas: count('Maximum number of pods', 20, 1, MAXIMUM_REPLICAS),
    metric: text('Name of the external metric', 'sigcase_jobs', { minLength: 1 }),
    metricLabels: texts('Labels that select the series of the metric', { state: 'waiting' }),
    targetJobsPerPod: count('Target number of waiting jobs for each pod', 8, 1, 100_000),
  }),
})
