/**
 * `npm run cluster`: runs the service on this machine as on a cluster, until it is interrupted. It
 * starts a real API server and Redis, emulators of Google Cloud and of a mail server, and the API,
 * two controllers and two workers as separate processes. Variables: `PORT` (8080), `CLUSTER_DIR`
 * (`.data/cluster`, emptied at the start) and `EGRESS_ALLOW` (private addresses of receivers).
 *
 * With `--pods` it runs pods on a Kubernetes of one node or two, or on the cluster of
 * `KUBECONFIG`.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { ConfigError, EnvironmentReader } from '../runtime/config/reader.ts'
import { addressFile, clusterFolder, takeClusterFolder } from './local-cluster/folder.ts'
import { startLocalCluster, type LocalCluster } from './local-cluster/local.ts'
import { findBinaries, prepareBinaries } from './control-plane/binaries.ts'
import { isFree } from '../adapters/shared/free-ports.ts'
import { API_ENVIRONMENT } from './emulators/backends.ts'
import { isInstalled } from './outside-programs.ts'
import { runPods } from './pods/start-pods.ts'
import { runTool, UsageError } from '../cli/usage.ts'

const USAGE = 'usage: npm run cluster [-- --pods [--nodes 1|2] [--down]]'
const TENANTS = ['demo', 'acme']
/** As in the chart; one of them is the leader. */
const CONTROLLERS = 2

function describe(cluster: LocalCluster): string {
  const { url, folder, kubeconfig, api, controllers, workers, reader, outside } = cluster
  const place = relative(process.cwd(), folder)
  const processes = [api, ...controllers, ...workers, reader, outside.child].map(
    ({ options: { name }, pid }) => `  ${name.padEnd(16)} process ${pid}, log ${place}/${name}.log`,
  )
  return [
    `sigcase ready on ${url}, tenants ${TENANTS.join(' and ')}`,
    ...processes,
    '',
    'Try in another terminal:',
    '  npm run demo -- --cluster some.pdf',
    `  export KUBECONFIG=${relative(process.cwd(), kubeconfig)}`,
    '  kubectl get signaturecases --all-namespaces --output wide',
    '  kubectl get tenants',
    `  DATA_DIR=${place} npm run --silent token -- --tenant demo`,
    '  npm run --silent verify-evidence -- some-evidence.pdf some-signed.pdf \\',
    `    --trust ${place}/certificates/root.pem`,
    '  kill -9 <process>   # of a worker or the controller: nothing is lost',
    '  kill -STOP <process>   # of the emulators, -CONT later: Google Cloud is away for a while',
    '',
    `Mails are not sent but delivered to ${place}/mail. Objects and keys end with the emulators.`,
    '',
    'docs/how-to/use-kubectl.md shows how to create, follow and cancel a case by kubectl.',
    'Interrupt (Ctrl-C) ends everything.',
  ].join('\n')
}

/** Restarts a process that ends by itself, as a cluster does. */
function watchOver({ api, controllers, workers, reader, redis }: LocalCluster): void {
  for (const child of [api, ...controllers, ...workers, reader, redis]) {
    child.onEnd((how) => console.log(`${child.options.name} ended (${how}); starting it again`))
  }
}

/** A terminal and npm send the same interrupt twice; the second must not stop the shutdown. */
async function untilInterrupted(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
  })
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      pods: { type: 'boolean', default: false },
      down: { type: 'boolean', default: false },
      nodes: { type: 'string', default: '1' },
    },
  })
  const reader = new EnvironmentReader(process.env)
  const port = reader.get('PORT')
  if (reader.faults.length > 0) throw new ConfigError(reader.faults)
  if (values.down && !values.pods) throw new UsageError('--down requires --pods')
  if (!['1', '2'].includes(values.nodes)) throw new UsageError('--nodes is 1 or 2')
  if (values.nodes !== '1' && !values.pods) throw new UsageError('--nodes requires --pods')
  if (!values.pods) return runProcesses(port)
  await runPods({ isDown: values.down, port, hasTwoNodes: values.nodes === '2' })
  return 0
}

/** Private addresses, besides the emulators, that the processes may connect to. */
function readPassedOn(): Record<string, string> {
  const { EGRESS_ALLOW } = process.env
  return EGRESS_ALLOW ? { EGRESS_ALLOW: `${API_ENVIRONMENT.EGRESS_ALLOW},${EGRESS_ALLOW}` } : {}
}

/** Runs the service as processes of this machine until it is interrupted. */
async function runProcesses(port: number): Promise<number> {
  prepareBinaries({ withCrdLayer: false })
  const binaries = findBinaries()
  if (!binaries) throw new UsageError('no kube-apiserver: see docs/how-to/use-kubectl.md')
  if (!isInstalled('redis-server')) throw new UsageError('redis-server is not installed')
  const folder = clusterFolder(process.env)
  const release = await takeClusterFolder(folder)
  if (port !== 0 && !(await isFree(port))) {
    throw new UsageError(`port ${port} is in use, perhaps by npm start: stop that, or set PORT`)
  }
  const interrupted = untilInterrupted()
  const options = { binaries, folder, tenants: TENANTS, port, controllers: CONTROLLERS }
  const cluster = await startLocalCluster({ ...options, environment: readPassedOn() })
  writeFileSync(addressFile(folder), JSON.stringify({ url: cluster.url }))
  watchOver(cluster)
  console.log(describe(cluster))
  await interrupted
  console.log('ending')
  // The processes must end even if removing the folder fails.
  rmSync(addressFile(folder), { force: true })
  await cluster.stop()
  release()
  return 0
}

await runTool(main, USAGE)
