/** `npm run cluster` and `npm run demo -- --cluster`, as they are typed in a terminal. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { findBinaries } from '../../dev/control-plane/binaries.ts'
import { freePorts } from '../../adapters/free-ports.ts'
import { dataDirectory } from '../e2e/harness.ts'
import { withoutRedis } from '../fixtures/redis-server.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'

const ROOT = join(import.meta.dirname, '../..')
const LIMIT_MS = 240_000

t.setTimeout(LIMIT_MS)

/** A command in a process group of its own, which gets an interrupt as a whole. */
function typed(folder: string, environment: Record<string, string>, ...args: string[]) {
  const child = spawn('npm', ['--prefix', ROOT, ...args], {
    cwd: folder,
    env: { ...process.env, ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (text: string) => {
    output += text
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    exited,
    output: () => output,
    interrupt() {
      if (isRunning()) process.kill(-(child.pid as number), 'SIGINT')
    },
    async says(pattern: RegExp): Promise<void> {
      while (!pattern.test(output)) {
        if (!isRunning()) throw new Error(`it ended:\n${output}`)
        await Promise.race([once(child.stdout, 'data'), exited])
      }
    },
  }
}

/** The variables of the process whose log has this name. */
function environmentOf(output: string, name: string): string {
  const pid = new RegExp(`^ +${name} +process (\\d+),`, 'm').exec(output)?.[1]
  return readFileSync(`/proc/${pid}/environ`, 'utf8')
}

/** Command lines of the processes that know of the folder. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const texts = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid}/${file}`))
        return texts.some((text) => text.includes(folder)) ? [String(texts[0])] : []
      } catch {
        return []
      }
    })
}

const why = findBinaries() ? withoutRedis : 'no kube-apiserver: see dev/control-plane'
const skip = process.env.CI === 'true' ? false : why

t.test('a cluster is started, signs a document, and leaves nothing behind', { skip }, async (t) => {
  const folder = await dataDirectory(t)
  const [port] = (await freePorts(1)) as [number]
  const clusterFolder = join(folder, 'cluster')
  const egress = { EGRESS_ALLOW: '10.1.0.0/16' }
  const environment = { CLUSTER_DIR: clusterFolder, PORT: String(port), ...egress }
  const cluster = typed(folder, environment, 'run', 'cluster')
  t.teardown(() => cluster.exited)
  t.teardown(() => cluster.interrupt())
  await cluster.says(/Interrupt \(Ctrl-C\) ends everything/)
  t.match(cluster.output(), `sigcase ready on http://127.0.0.1:${port}, tenants demo and acme`)
  t.notSame(processesOf(clusterFolder), [])
  t.match(cluster.output(), /controller-1 .*\n *controller-2 /, 'two controllers, as in the chart')
  for (const name of ['api', 'worker-1-node', 'worker-2-deno']) {
    t.match(environmentOf(cluster.output(), name), 'EGRESS_ALLOW=127.0.0.1/32,10.1.0.0/16\0', name)
  }

  const here = join(folder, 'here')
  mkdirSync(here)
  const pdf = await smallDocument()
  writeFileSync(join(here, 'small.pdf'), pdf)
  const demo = typed(here, environment, 'run', 'demo', '--', '--cluster', 'small.pdf')
  t.equal((await demo.exited)[0], 0)
  t.match(demo.output(), /done: PAdES-BASELINE-LTA/)
  const signed = readFileSync(join(here, 'small-signed.pdf'))
  t.ok(signed.subarray(0, pdf.length).equals(pdf), 'what was signed is what was uploaded')
  t.match(readFileSync(join(here, 'small-evidence.pdf')).subarray(0, 5).toString(), '%PDF-')
  t.notSame(readdirSync(join(clusterFolder, 'mail')), [], 'mails are delivered to the folder')

  cluster.interrupt()
  await cluster.says(/\nending\n/)
  cluster.interrupt()
  await cluster.exited
  t.same(processesOf(clusterFolder), [])
  t.notOk(existsSync(join(clusterFolder, 'address.json')))
  const late = typed(here, environment, 'run', 'demo', '--', '--cluster', 'small.pdf')
  t.not((await late.exited)[0], 0)
  t.match(late.output(), 'no local cluster is running: start one with `npm run cluster`')
})
