/**
 * `npm test`: runs the suite, lane by lane, and prints one last line with what
 * passed and failed. A lane that runs nothing, and with CI=true a missing program, is a failure.
 */
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { prepareBinaries } from './control-plane/binaries.ts'
import { installOutsidePrograms } from './outside-programs.ts'
import { runTestFile, type FileResult } from './run-test-file.ts'
import { runTool } from './usage.ts'

const USAGE = `usage: npm test [-- part of a path …]
Runs the tests whose path holds one of the parts; without any, the whole suite.`

const ROOT = join(import.meta.dirname, '..')
const NODE_MAJOR = 24
/** More would make the tests of concurrency wait for each other. */
const MAXIMUM_JOBS = 4

interface Lane {
  name: string
  files: string
  except?: readonly string[]
  /** Makes what the lane's tests need. */
  prepare?: () => void
  /** How many files run at once. */
  jobs: number
  /** Program and arguments before the test file. */
  command: readonly string[]
}

const JOBS = Math.min(availableParallelism(), MAXIMUM_JOBS)
/** Whole services that are raced and killed: they have the machine for themselves. */
const SERVICES = 'test/{conformance,e2e,integration}/**/*.test.ts'
/** Pages in a browser, which takes a core for itself. */
const PAGES = 'test/web/**/*.test.ts'
/** Each file starts an API server, which needs a core. */
const CLUSTER = 'test/{adapters/kubernetes/**/*,tools/crds/**/*,controllers/tenants}.test.ts'
/** Whole clusters, which need the machine for themselves. */
const PROCESSES = 'test/cluster/**/*.test.ts'
/** A Kubernetes with pods: `npm run test:pods`. */
const PODS = 'test/pods/**/*.test.ts'
/** What workers use, which run on both. */
const STORES = 'test/adapters/kubernetes/{api-server,*-store}.test.ts'
/** What reads documents beside a worker: that container has Deno alone. */
const READER = 'test/adapters/pdf-sandbox/{pdf-sandbox,reader-server}.test.ts'
/** The chart: rendered by helm, and applied to an API server. */
const CHARTS = 'test/charts/**/*.test.ts'
const NODE = [process.execPath]
const DENO = 'deno run -q -A --node-modules-dir=manual --preload=tools/tap-on-deno.ts'.split(' ')

/** What workers are made of, and the adapters that they run with there. */
const DENO_ADAPTERS = 'adapters/{bullmq,gcs,kms,outbound-http,redis,smtp,trusted-lists}'
const DENO_FILES = `test/{pades,trusted-lists,domain,workers,${DENO_ADAPTERS}}/**/*.test.ts`

const LANES: readonly Lane[] = [
  {
    name: 'node',
    files: 'test/**/*.test.ts',
    except: [SERVICES, CLUSTER, PROCESSES, CHARTS, PAGES, PODS],
    jobs: JOBS,
    command: NODE,
  },
  { name: 'cluster', files: CLUSTER, prepare: prepareCluster, jobs: 1, command: NODE },
  { name: 'helm', files: CHARTS, prepare: prepareCluster, jobs: 1, command: NODE },
  { name: 'e2e', files: SERVICES, jobs: 1, command: NODE },
  { name: 'processes', files: PROCESSES, prepare: prepareCluster, jobs: 1, command: NODE },
  {
    name: 'on a cluster',
    files: 'test/conformance/**/*.test.ts',
    prepare: prepareCluster,
    jobs: 1,
    command: ['env', 'SERVICE_ON=cluster', ...NODE],
  },
  { name: 'web', files: PAGES, jobs: 1, command: NODE },
  { name: 'deno', files: DENO_FILES, jobs: JOBS, command: DENO },
  { name: 'reader on deno', files: READER, jobs: 1, command: DENO },
  { name: 'cluster on deno', files: STORES, prepare: prepareCluster, jobs: 1, command: DENO },
]

/** The tests themselves skip, or with CI=true fail, without an API server. */
function prepareCluster(): void {
  const { apiServer, crdLayer } = prepareBinaries()
  if (!apiServer) console.log('no kube-apiserver: tests of the cluster adapters did not run')
  if (!crdLayer)
    console.log('CRD layer of the newest Kubernetes: unavailable, its tests did not run')
}

interface Sum {
  passed: number
  failed: number
}

function report(lane: string, file: string, result: FileResult): void {
  const { passed, failed, skipped, fault, durationMs, output } = result
  const word = failed > 0 ? 'FAIL' : 'ok  '
  const seconds = (durationMs / 1000).toFixed(1).padStart(6)
  const counts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  if (failed > 0) console.log(output)
  console.log(`${word} ${lane.padEnd(15)} ${seconds} s  ${file}: ${counts.join(', ')}`)
  if (fault !== undefined) console.log(`     ${file} ${fault}`)
}

/** Runs the files of a lane, a few at a time. */
async function runLane(lane: Lane, wanted: readonly string[]): Promise<Sum> {
  const files = globSync(lane.files, { cwd: ROOT, exclude: [...(lane.except ?? [])] })
    .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
    .sort()
  if (files.length > 0) lane.prepare?.()
  const sum: Sum = { passed: 0, failed: 0 }
  const queue = files.values()
  const work = async () => {
    for (const file of queue) {
      const result = await runTestFile([...lane.command, file])
      report(lane.name, file, result)
      sum.passed += result.passed
      sum.failed += result.failed
    }
  }
  await Promise.all(Array.from({ length: lane.jobs }, work))
  if (sum.passed + sum.failed === 0 && wanted.length === 0) {
    console.log(`FAIL lane ${lane.name} ran no test`)
    sum.failed++
  }
  return sum
}

/** @returns failures: programs that are missing where nothing may be missing */
function prepare(): number {
  let failures = 0
  for (const { command, debianPackage } of installOutsidePrograms()) {
    console.log(`${command} is missing (Debian: ${debianPackage}): tests that need it did not run`)
    if (process.env.CI === 'true') failures++
  }
  return failures
}

async function main(): Promise<number> {
  if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR) {
    console.error(`Node ${NODE_MAJOR} is needed, this is ${process.version}; run \`npm test\``)
    return 1
  }
  process.chdir(ROOT)
  process.env.PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const { positionals: wanted } = parseArgs({ allowPositionals: true })
  const total: Sum = { passed: 0, failed: prepare() }
  for (const lane of LANES) {
    const { passed, failed } = await runLane(lane, wanted)
    total.passed += passed
    total.failed += failed
  }
  if (total.passed + total.failed === 0) console.log(`no test is at ${wanted.join(' or ')}`)
  console.log(`${total.passed} passed, ${total.failed} failed`)
  return total.failed === 0 && total.passed > 0 ? 0 : 1
}

await runTool(main, USAGE)
