/** API processes are replaced behind a balancer, and no request is refused. */
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { Child } from '../../dev/local-cluster/child.ts'
import { freePorts } from '../../adapters/shared/free-ports.ts'
import { TENANT, withLocalCluster, type TestCluster } from '../fixtures/local-cluster.ts'

t.setTimeout(600_000)

const LOOPBACK = '127.0.0.1'
const REQUESTS = 500
/** The other requests list the devices, which takes long when there are many. */
const REQUESTS_PER_DEVICE = 25
const CLIENTS = 8
const ROLLOUTS = 2
/** Pause of a client. */
const PAUSE_MS = 100
/** While a process starts: clients without pauses take the CPU time that it needs. */
const LONG_PAUSE_MS = 300
/** How late the balancer learns that a process became unready. */
const POLL_MS = 250
/** Longer than the balancer needs to see on a busy machine that a process is no longer ready. */
const SHUTDOWN_DELAY_MS = 4_000

interface Replica {
  child: Child
  port: number
  isReady: boolean
}

/** Sends each new connection to a process that was ready a moment ago, as kube-proxy does. */
class Balancer {
  readonly #replicas = new Set<Replica>()
  readonly #server = createServer((near) => {
    const ready = [...this.#replicas].filter(({ isReady }) => isReady)
    const { port } = ready[this.connections++ % ready.length] ?? { port: 1 }
    const far = connect(port, LOOPBACK)
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy())
    far.on('error', () => near.resetAndDestroy())
  })
  #isOpen = true
  connections = 0

  async start(): Promise<number> {
    this.#server.listen(0, LOOPBACK)
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  /** Waits until the process gets connections. */
  async add(replica: Replica): Promise<void> {
    this.#replicas.add(replica)
    void this.#poll(replica)
    while (!replica.isReady) await sleep(POLL_MS)
  }

  /** Each process has its own loop: one that answers slowly does not delay the others. */
  async #poll(replica: Replica): Promise<void> {
    while (this.#isOpen) {
      const answer = await fetch(replica.child.options.readyUrl ?? '').catch(() => undefined)
      await answer?.body?.cancel()
      replica.isReady = answer?.ok === true
      await sleep(POLL_MS)
    }
  }

  close(): void {
    this.#isOpen = false
    this.#server.close()
  }
}

async function startReplica({ api, folder }: TestCluster, name: string): Promise<Replica> {
  const [port, operationsPort] = (await freePorts(2)) as [number, number]
  const { command, environment } = api.options
  const child = new Child({
    name,
    command,
    environment: {
      ...environment,
      PORT: String(port),
      OPERATIONS_PORT: String(operationsPort),
      SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS),
    },
    log: join(folder, `${name}.log`),
    readyUrl: `http://${LOOPBACK}:${operationsPort}/readyz`,
  })
  child.start()
  return { child, port, isReady: false }
}

await withLocalCluster({ workers: ['node'] }, async (cluster) => {
  const balancer = new Balancer()
  const port = await balancer.start()
  const token = await cluster.token(TENANT)
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const replicas = [
    await startReplica(cluster, 'replica-0'),
    await startReplica(cluster, 'replica-1'),
  ]
  t.teardown(async () => {
    agent.destroy()
    balancer.close()
    await Promise.all(replicas.map(({ child }) => child.end()))
  })

  /** @returns the status, or the code of the error */
  const ask = async (index: number): Promise<number | string> => {
    const isPost = index % REQUESTS_PER_DEVICE === 0
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const [method, path] = isPost ? ['POST', '/tenant/devices'] : ['GET', '/tenant/devices']
    const asked = request({ host: LOOPBACK, port, agent, method, path, headers })
    try {
      asked.end(isPost ? JSON.stringify({ name: `Desk ${index}` }) : undefined)
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      answer.resume()
      await once(answer, 'end')
      return answer.statusCode ?? 0
    } catch (error) {
      return (error as { code?: string }).code ?? String(error)
    }
  }

  t.test(`${ROLLOUTS} rollouts refuse none of ${REQUESTS} requests`, async (t) => {
    for (const replica of replicas) await balancer.add(replica)
    const answers: (number | string)[] = []
    let asked = 0
    const rollouts = { areOver: false, pauseMs: PAUSE_MS }
    const client = async () => {
      // As many as are needed to see every rollout to its end.
      while (!rollouts.areOver || asked < REQUESTS) {
        answers.push(await ask(asked++))
        await sleep(rollouts.pauseMs)
      }
    }
    const clients = Array.from({ length: CLIENTS }, client)
    const codes: unknown[] = []
    for (let rollout = 1; rollout <= ROLLOUTS; rollout++) {
      rollouts.pauseMs = LONG_PAUSE_MS
      const next = await startReplica(cluster, `replica-${rollout + 1}`)
      replicas.push(next)
      await next.child.ready()
      rollouts.pauseMs = PAUSE_MS
      await balancer.add(next)
      codes.push(await replicas[rollout - 1]?.child.end('SIGTERM'))
    }
    rollouts.areOver = true
    await Promise.all(clients)
    t.comment(`${answers.length} requests over ${balancer.connections} connections`)
    t.ok(answers.length >= REQUESTS)
    t.same(
      answers.filter((answer) => answer !== 200),
      [],
    )
    t.same(
      codes,
      Array.from({ length: ROLLOUTS }, () => 0),
    )
  })
})
