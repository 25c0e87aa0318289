/** The lanes of the test suite: which files run, with which program, and what they need. */
import { globSync } from 'node:fs'
import process from 'node:process'

/**
 * `npm` runs with `npm test`. `outside` runs with `npm run test:all`: such a lane needs more than
 * npm's packages, or takes too long to be run after every change.
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
  /** Cores that one file keeps busy, on average: it decides how many files run at once. */
  coresPerFile: number
  /** Glob patterns of files that run alone, after the others: they keep time limits of a second. */
  alone?: readonly string[]
  needsControlPlane?: boolean
}

/** One test file in one lane. */
export interface Task {
  lane: Lane
  file: string
  /** How many cores it keeps busy. */
  cores: number
}

/** More than any machine has. */
const ALL_CORES = 10_000

/** The contract, row by row, asked of a whole service. */
const CONTRACT = ['test/conformance/**/*.test.ts']
/**
 * The tables whose rows touch an adapter: they run on the cluster's adapters too. Authentication,
 * error codes and verification run in the API over the same ports, whose adapters pass the contract
 * suites of `test/contract/`.
 */
const CONTRACT_ON_CLUSTER = [
  'test/conformance/{2-resources,3-states,4-endpoints,6-events,8-limits}.test.ts',
]
/** Whole services, which are raced, killed and restarted. */
const SERVICES = ['test/e2e/**/*.test.ts', 'test/integration/killed.test.ts']
/** Pages in a browser. */
const PAGES = ['test/web/**/*.test.ts']
/** Each file starts an API server. */
const CLUSTER = [
  'test/{adapters/kubernetes/**/*,tools/crds/**/*,controllers/tenants}.test.ts',
  'test/charts/sigcase/{admission-policy,applied,definitions}.test.ts',
]
/** Each file starts an API server, a Redis and all processes of the service. */
const PROCESSES = ['test/cluster/**/*.test.ts']
/** Files that test little or nothing without Redis, Poppler or qpdf. */
const PROGRAMS = [
  'test/adapters/{bullmq,redis}/**/*.test.ts',
  'test/integration/{queue-worker,redis-lost,sick-worker}.test.ts',
  'test/adapters/pdf-sandbox/annotations.test.ts',
  'test/charts/sigcase/trial-redis.test.ts',
  'test/pades/sign/{corpus,nothing-hidden}.test.ts',
  'test/tools/fuzz.test.ts',
  'test/tools/fuzz/**/*.test.ts',
]

/** What workers are made of, and the adapters that they run with there. */
const ON_DENO = [
  'test/{pades,trusted-lists,domain,workers}/**/*.test.ts',
  'test/adapters/{bullmq,gcs,kms,outbound-http,redis,smtp,trusted-lists}/**/*.test.ts',
]
/** A Kubernetes node with pods: `npm run test:pods`. */
const PODS = ['test/pods/**/*.test.ts']
/** The container that reads documents beside a worker has Deno alone. */
const READER_ON_DENO = ['test/adapters/pdf-sandbox/{pdf-sandbox,reader-server}.test.ts']
/** The stores that workers use on both runtimes. */
const STORES_ON_DENO = ['test/adapters/kubernetes/{api-server,*-store}.test.ts']

const NODE = [process.execPath]
const DENO = 'deno run -q -A --node-modules-dir=manual --preload=tools/tap-on-deno.ts'.split(' ')

/** In the order in which they start; the last ones have short files, so that no core waits. */
export const LANES: readonly Lane[] = [
  {
    name: 'node',
    suite: 'npm',
    files: ['test/**/*.test.ts'],
    except: [...CONTRACT, ...SERVICES, ...PAGES, ...CLUSTER, ...PROCESSES, ...PROGRAMS, ...PODS],
    command: NODE,
    coresPerFile: 1,
  },
  { name: 'contract', suite: 'npm', files: CONTRACT, command: NODE, coresPerFile: 0.6 },
  { name: 'services', suite: 'outside', files: SERVICES, command: NODE, coresPerFile: 0.6 },
  {
    name: 'processes',
    suite: 'outside',
    files: PROCESSES,
    alone: ['test/cluster/two-apis.test.ts'],
    command: NODE,
    coresPerFile: 1,
    needsControlPlane: true,
  },
  {
    name: 'on a cluster',
    suite: 'outside',
    files: CONTRACT_ON_CLUSTER,
    command: ['env', 'SERVICE_ON=cluster', ...NODE],
    coresPerFile: 0.6,
    needsControlPlane: true,
  },
  {
    name: 'web',
    suite: 'outside',
    files: PAGES,
    alone: ['test/web/{document,kiosk}.test.ts'],
    command: NODE,
    coresPerFile: 1,
  },
  { name: 'programs', suite: 'outside', files: PROGRAMS, command: NODE, coresPerFile: 1 },
  {
    name: 'cluster',
    suite: 'outside',
    files: CLUSTER,
    command: NODE,
    coresPerFile: 1,
    needsControlPlane: true,
  },
  {
    name: 'cluster on deno',
    suite: 'outside',
    files: STORES_ON_DENO,
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
  { name: 'deno', suite: 'outside', files: ON_DENO, command: DENO, coresPerFile: 1 },
]

/**
 * Lists the tasks of the lanes, in the order of the lanes and of the file names.
 *
 * @param root folder of the repository
 * @param isWanted decides about a file by its path from the root
 */
export function listTasks(
  lanes: readonly Lane[],
  root: string,
  isWanted: (file: string) => boolean = () => true,
): Task[] {
  return lanes.flatMap((lane) => {
    const find = (patterns: readonly string[]) =>
      globSync([...patterns], { cwd: root, exclude: [...(lane.except ?? [])] })
    const alone = new Set(find(lane.alone ?? []))
    return find(lane.files)
      .filter(isWanted)
      .sort()
      .map((file) => ({ lane, file, cores: alone.has(file) ? ALL_CORES : lane.coresPerFile }))
      .sort((a, b) => a.cores - b.cores)
  })
}
