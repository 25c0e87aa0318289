/** The lanes of the test suite: which files run, with which program, and what they need. */
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { testsRuntimeUse } from './runtime-use.ts'

/**
 * `npm test` runs the lanes of suite `npm`. `npm run test:all` also runs the lanes of suite
 * `outside`, which need other programs or take too long for every change.
 */
export type Suite = 'npm' | 'outside'

export interface Lane {
  name: string
  suite: Suite
  /** Glob patterns of its test files. */
  files: readonly string[]
  /** Glob patterns of files that another lane runs. */
  except?: readonly string[]
  /** Program and arguments before the test file. */
  command: readonly string[]
  /** Average number of cores that a file uses; it limits how many files run at once. */
  coresPerFile: number
  /** Glob patterns of files that mostly wait; they start before all lanes, beside the others. */
  waiting?: readonly string[]
  /** Glob patterns of long files with a process of their own; they start before the short ones. */
  long?: readonly string[]
  /** Glob patterns of files with strict time limits, which run alone after the others. */
  alone?: readonly string[]
  /** Glob patterns of short files without global state, which share processes. */
  together?: readonly string[]
  /**
   * Glob patterns of files that share processes, and in them an API server or a service: for each
   * world those of its files.
   */
  sharedWorlds?: readonly (readonly string[])[]
  /** Most files of one process that share a world; absent: ten. */
  filesPerWorld?: number
  needsControlPlane?: boolean
  /** Only tests of sources that use the runtime run, and those that match these patterns. */
  runtimeOnly?: { besides: readonly string[] }
}

/** One test file in one lane. */
export interface Task {
  lane: Lane
  file: string
  /** Number of cores that it uses. */
  cores: number
  /** Files of one lane and group share processes; without a group the file has its own. */
  group?: string
  /** Whether its group shares a cluster, a service or a browser. */
  sharesWorld?: true
}

/** More than any machine has. */
const ALL_CORES = 10_000
/** Average use of the other files of `npm test`, which wait for a quarter of their time. */
const NPM_CORES = 0.5
/** Average use of a file that waits for pauses between requests, for example. */
const WAITING_CORES = 0.05

/** Tests of each row of the contract against a whole service. */
const CONTRACT = ['test/conformance/**/*.test.ts']
/**
 * The tables whose rows touch an adapter: they run on the cluster's adapters too, on one cluster.
 * Authentication, error codes and verification run in the API over the same ports, whose adapters
 * pass the contract suites of `test/contract/`.
 */
const CONTRACT_ON_CLUSTER = ['test/conformance/on-cluster.test.ts']
/** They run the service in the process of the test. */
const IN_PROCESS = ['test/cluster/{s3-over-time,tracing}.test.ts', ...CONTRACT_ON_CLUSTER]
/** Tests that run, kill and restart whole services. */
const SERVICES = ['test/e2e/**/*.test.ts', 'test/integration/killed.test.ts']
/**
 * Those among them whose services run in the process of the test: they share it, and a reader of
 * documents. The others start processes, measure their own, or take as long as all of these.
 */
const SERVICES_TOGETHER = [
  'test/e2e/{archive,erasure,existing-signatures,forged-trail,kiosk,second-factor}.test.ts',
  'test/e2e/{sign-again,timers,webhooks}.test.ts',
]
/** Tests of the pages in a browser. */
const PAGES = ['test/web/**/*.test.ts']
/** Those that need neither a browser nor a service. */
const PAGES_WITHOUT_BROWSER = [
  'test/web/rules.test.ts',
  'test/web/console/{demo-pdf,draft,event-words,faults,input-faults,parse-people,pkce}.test.ts',
  'test/web/console/{read-pages,routes,send-case,size}.test.ts',
  'test/web/{fields/places,sign/find-text,sign/place,verify/verdict}.test.ts',
  'test/web/texts/*.test.ts',
]
/** They need an API server, and share one: each of them takes eight seconds of CPU time. */
const CLUSTER = [
  ...IN_PROCESS,
  'test/adapters/kubernetes/!(held-leases|lease|lease-plan|watch).test.ts',
  'test/{dev/crds/{columns,rules},controllers/tenants}.test.ts',
  'test/cluster/apply-twice{,-newest}.test.ts',
  'test/runtime/cluster/identity.test.ts',
  'test/dev/test-suite/clean-cluster.test.ts',
  'test/charts/sigcase/{admission-policy,applied,definitions}.test.ts',
]
/** They start an API server, a Redis and all processes of the service. */
const PROCESSES = ['test/cluster/**/*.test.ts']
/**
 * Those among them that share a cluster: each leaves it as it was, apart from cases. The deletion
 * of a namespace leaves lines in the logs; files before it expect that there are none.
 */
const PROCESSES_TOGETHER = [
  'test/cluster/{kms,kubectl,main-job-on-*,namespace-deletion,rolling,shards}.test.ts',
]
/** They share another one, because they restart its API server, its Redis or its controllers. */
const RESTARTING = ['test/cluster/{alerting,faults,leader,readyz,two-apis}.test.ts']
/** They share one with other stores. The first one expects that the tenant has no cases. */
const STORES = ['test/cluster/{case-index,s3}.test.ts']
/** Each begins with the release that the one before it has left. */
const RELEASES = ['test/cluster/{install-and-upgrade,operator-{etcd,restore}}.test.ts']
/** Files that need Redis, Poppler, qpdf, jq or Python for most of their tests. */
const PROGRAMS = [
  'test/clients/python/**/*.test.ts',
  'test/cli/doctor/{case-index,doctor,s3-and-vault}.test.ts',
  'test/examples/{python,python-batch}.test.ts',
  'test/adapters/{bullmq,postgres,redis}/**/*.test.ts',
  'test/adapters/{pkcs11/signed-case,s3/ceph,vault/signed-case}.test.ts',
  'test/integration/{queue-worker,redis-lost,sick-worker}.test.ts',
  'test/adapters/pdf-sandbox/{annotation-appearance,encrypted,undrawn-value}.test.ts',
  'test/dev/compare-pages.test.ts',
  'test/docs/how-to/back-up-and-restore.test.ts',
  'test/charts/sigcase/trial-redis.test.ts',
  'test/pades/sign/{corpus,nothing-hidden}.test.ts',
  'test/runtime/cluster/redis-server.test.ts',
  'test/dev/fuzz.test.ts',
  'test/dev/fuzz/**/*.test.ts',
]

/**
 * Tests of the code that runs in workers on Deno, and of the adapters that they use. The lane runs
 * those whose source uses the runtime (decision 294), and {@link WHOLE_ON_DENO}.
 */
const ON_DENO = [
  'test/{pades,trusted-lists,domain,workers}/**/*.test.ts',
  'test/adapters/{bullmq,gcs,kms,outbound-http,redis,s3,smtp,trusted-lists,vault}/**/*.test.ts',
]
/**
 * Without files that need nock, which does not replace the HTTP of Deno, or the whole API, or a
 * store that takes long to start; without one that measures how an algorithm scales; and without
 * those that repeat the same code with very many documents.
 */
const NOT_ON_DENO = [
  'test/adapters/{gcs/attempts,kms/client,s3/ceph,vault/signed-case}.test.ts',
  'test/domain/contract/callback-rules.test.ts',
  'test/pades/sign/nothing-hidden.test.ts',
  'test/pades/validate/{growth,mutations}.test.ts',
]
/** Adapters, and sources whose tests go through everything that uses the runtime. */
const WHOLE_ON_DENO = [
  'test/adapters/**/*.test.ts',
  'test/pades/validate/validate-signatures.test.ts',
  'test/workers/{finalise/finalise,retention,webhook/webhook}.test.ts',
]
/** Tests on a Kubernetes node with pods: `npm run test:pods`. */
const PODS = ['test/pods/**/*.test.ts']
/** Tests of the reader, whose container has only Deno. */
const READER_ON_DENO = ['test/adapters/pdf-sandbox/{pdf-sandbox,reader-server}.test.ts']
/** Tests of the stores that workers use on both runtimes. */
const STORES_ON_DENO = ['test/adapters/kubernetes/{api-server,*-store}.test.ts']

/** Files on Deno that share processes: starting one for each would take most of their time. */
const TOGETHER_ON_DENO = [
  'test/{domain,pades,trusted-lists,workers}/**/*.test.ts',
  'test/adapters/{outbound-http,smtp,trusted-lists}/*.test.ts',
]
/**
 * Files that set variables of the process, replace its globals, measure its memory or CPU time, or
 * wait; all others of the lane `node` share processes.
 */
const OWN_PROCESS = [
  'test/adapters/{drawings/drawing-reader,embedded/ephemeral,s3/object-store}.test.ts',
  'test/adapters/gcs/{attempts,bodies,object-store}.test.ts',
  'test/adapters/kms/{bodies,client,signing-device}.test.ts',
  'test/adapters/pdf-sandbox/{algorithms,child-reader,kept-children,pdf-sandbox}.test.ts',
  'test/adapters/{oidc/{hostile-tokens,tokens},opentelemetry/tracer}.test.ts',
  'test/adapters/vault/signing-device.test.ts',
  'test/api/patterns.test.ts',
  'test/bench/load/run.test.ts',
  'test/bench/process-cpu.test.ts',
  'test/cli/sigcase/{output,run}.test.ts',
  'test/clients/typescript/waiting.test.ts',
  'test/dev/{run-test-file,test-suite/{batches,running-domain,spare-services}}.test.ts',
  'test/pades/appearance/svg-document.test.ts',
  'test/pades/{cms/right-values,sign/validation-data}.test.ts',
  'test/pades/validate/growth.test.ts',
  'test/runtime/{embedded/tracing,tracing/open-tracing}.test.ts',
  'test/trusted-lists/xml.test.ts',
  'test/types.test.ts',
]

/** Files that wait for most of their ten seconds or more, on Node. */
const WAITING = [
  'test/adapters/{gcs/{attempts,bodies,object-store},kms/{bodies,client}}.test.ts',
  'test/adapters/{embedded/ephemeral,s3/object-store,vault/signing-device}.test.ts',
  'test/clients/typescript/waiting.test.ts',
]
/** And on Deno. */
const WAITING_ON_DENO = [
  'test/adapters/{gcs/{bodies,object-store},kms/{bodies,signing-device}}.test.ts',
  'test/adapters/{bullmq/job-queue,redis/ephemeral,s3/object-store,vault/signing-device}.test.ts',
]

/**
 * Files of the lane `node` that use the CPU for four seconds or more, run for twenty, or wait for
 * five: at the end of the run, one of them would leave a core idle.
 */
const LONG = [
  'test/adapters/pdf-sandbox/{algorithms,child-reader,kept-children,pdf-sandbox}.test.ts',
  'test/adapters/drawings/drawing-reader.test.ts',
  'test/adapters/opentelemetry/tracer.test.ts',
  'test/bench/load/run.test.ts',
  'test/types.test.ts',
  'test/dev/test-suite/{batches,spare-services}.test.ts',
  'test/pades/validate/growth.test.ts',
  'test/runtime/{embedded/tracing,tracing/open-tracing}.test.ts',
]

const NODE = [process.execPath, '--import', join(import.meta.dirname, 'tap-domains.ts')]
const DENO = 'deno run -q -A --node-modules-dir=manual --preload=dev/tap-on-deno.ts'.split(' ')

/**
 * In starting order: first the lane whose processes take longest, because their files share
 * clusters; lanes with short files come last, so that all cores stay busy.
 */
export const LANES: readonly Lane[] = [
  {
    name: 'processes',
    suite: 'outside',
    files: PROCESSES,
    except: CLUSTER,
    sharedWorlds: [PROCESSES_TOGETHER, RESTARTING, STORES, RELEASES],
    waiting: RESTARTING,
    command: NODE,
    coresPerFile: 1,
    needsControlPlane: true,
  },
  {
    name: 'contract',
    suite: 'npm',
    files: CONTRACT,
    except: CONTRACT_ON_CLUSTER,
    sharedWorlds: [CONTRACT],
    command: NODE,
    coresPerFile: NPM_CORES,
  },
  {
    name: 'node',
    suite: 'npm',
    files: ['test/**/*.test.ts'],
    except: [...CONTRACT, ...SERVICES, ...PAGES, ...CLUSTER, ...PROCESSES, ...PROGRAMS, ...PODS],
    waiting: WAITING,
    long: LONG,
    together: ['test/**/*.test.ts'],
    command: NODE,
    coresPerFile: NPM_CORES,
  },
  {
    name: 'services',
    suite: 'outside',
    files: SERVICES,
    sharedWorlds: [SERVICES_TOGETHER],
    command: NODE,
    coresPerFile: 0.6,
  },
  {
    name: 'cluster',
    suite: 'outside',
    files: CLUSTER,
    sharedWorlds: [CLUSTER],
    filesPerWorld: 30,
    command: NODE,
    coresPerFile: 1,
    needsControlPlane: true,
  },
  {
    name: 'web',
    suite: 'outside',
    files: PAGES,
    sharedWorlds: [PAGES],
    // A process starts a service, a reader and a browser: 4 s of CPU time.
    filesPerWorld: 14,
    together: PAGES_WITHOUT_BROWSER,
    alone: ['test/web/promised-times.test.ts'],
    command: NODE,
    coresPerFile: 1,
  },
  { name: 'programs', suite: 'outside', files: PROGRAMS, command: NODE, coresPerFile: 1 },
  {
    name: 'cluster on deno',
    suite: 'outside',
    files: STORES_ON_DENO,
    sharedWorlds: [STORES_ON_DENO],
    command: DENO,
    coresPerFile: 1,
    needsControlPlane: true,
  },
  {
    name: 'reader on deno',
    suite: 'outside',
    files: READER_ON_DENO,
    command: DENO,
    coresPerFile: 1,
  },
  {
    name: 'deno',
    suite: 'outside',
    files: ON_DENO,
    except: NOT_ON_DENO,
    waiting: WAITING_ON_DENO,
    together: TOGETHER_ON_DENO,
    runtimeOnly: { besides: WHOLE_ON_DENO },
    command: DENO,
    coresPerFile: 1,
  },
]

/** Areas that load the same modules, or few: they share processes. */
const AREAS: Readonly<Record<string, string>> = {
  test: 'tools',
  'test/bench': 'tools',
  'test/charts': 'tools',
  'test/dev': 'tools',
  'test/docs': 'tools',
  'test/clients': 'test/examples',
  'test/trusted-lists': 'test/workers',
}

/** `test/pades` for a file in `test/pades/sign`. */
function areaOf(file: string): string {
  const area = dirname(file).split('/').slice(0, 2).join('/')
  return AREAS[area] ?? area
}

/**
 * Lists the tasks. Files that wait come first, because they leave the cores to the others; then the
 * lanes follow in their order, each with the files first that take long; files that run alone come
 * last.
 *
 * @param root folder of the repository
 * @param isWanted selects files by their path from the root
 */
export function listTasks(
  lanes: readonly Lane[],
  root: string,
  isWanted: (file: string) => boolean = () => true,
): Task[] {
  const tasks = lanes.flatMap((lane) => {
    const find = (patterns: readonly string[]) =>
      globSync([...patterns], { cwd: root, exclude: [...(lane.except ?? [])] })
    const alone = new Set(find(lane.alone ?? []))
    const waiting = new Set(find(lane.waiting ?? []))
    const ownProcess = new Set(find(OWN_PROCESS))
    const together = new Set(find(lane.together ?? []).filter((file) => !ownProcess.has(file)))
    const worlds = (lane.sharedWorlds ?? []).map((patterns) => new Set(find(patterns)))
    const groupOf = (file: string) => {
      if (together.has(file)) return { group: areaOf(file) }
      const world = worlds.findIndex((files) => files.has(file))
      return world === -1 ? {} : { group: `world ${world}`, sharesWorld: true as const }
    }
    const coresOf = (file: string) => {
      if (alone.has(file)) return ALL_CORES
      return waiting.has(file) ? WAITING_CORES : lane.coresPerFile
    }
    const long = new Set(find(lane.long ?? []))
    /** Processes of several files are the longest. */
    const rankOf = ({ file }: Task) => {
      if (together.has(file)) return 0
      return long.has(file) ? 1 : 2
    }
    const whole = new Set(find(lane.runtimeOnly?.besides ?? []))
    const isNeeded = (file: string) =>
      lane.runtimeOnly === undefined || whole.has(file) || testsRuntimeUse(file, root)
    return find(lane.files)
      .filter((file) => isWanted(file) && isNeeded(file))
      .sort()
      .map((file) => ({ lane, file, cores: coresOf(file), ...groupOf(file) }))
      .sort((a, b) => rankOf(a) - rankOf(b))
  })
  // While a file that runs alone starts and ends, other cores have nothing to do.
  const turnOf = ({ cores }: Task) => (cores === ALL_CORES ? 2 : Number(cores !== WAITING_CORES))
  return tasks.sort((a, b) => turnOf(a) - turnOf(b))
}
