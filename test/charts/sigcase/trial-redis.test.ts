/** The Redis of a trial, started as its pod starts it, answers other pods. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import process from 'node:process'
import t, { type Test } from 'tap'
import { freePort } from '../../e2e/service.ts'
import { example, find, podOf, render, withHelm, type Container } from '../../fixtures/chart.ts'
import { withoutRedis } from '../../fixtures/redis-server.ts'
import { until } from '../../fixtures/until.ts'

/** Redis takes it for another machine: in protected mode it serves `127.0.0.1` alone. */
const OTHER_MACHINE = '127.0.0.2'
/** Reached only when the server accepts a connection and is silent. */
const LIMIT_MS = 30_000

function trialContainer(set: string[] = []): Container {
  const manifests = render({ values: example('trial'), set })
  const [container] = podOf(find(manifests, 'Deployment', 'sigcase-redis'))?.containers ?? []
  return container as Container
}

/** The first line that the server answers to `PING` from another address; '' without an answer. */
async function ping(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: OTHER_MACHINE })
  socket.setTimeout(LIMIT_MS, () => socket.destroy())
  try {
    await once(socket, 'connect')
    socket.write('PING\r\n')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    return String(answer).split('\r\n')[0] ?? ''
  } catch {
    return ''
  } finally {
    socket.destroy()
  }
}

/** Runs the command of the container with another port and folder. */
async function start(t: Test, { command, args = [] }: Container): Promise<number> {
  const port = await freePort()
  const [program = '', ...first] = command as string[]
  const replaced: Record<string, string> = { '6379': String(port), '/data': t.testdir() }
  const own = args.map((one) => replaced[one] ?? one)
  const child = spawn(program, [...first, ...own, '--bind', '127.0.0.1'], { stdio: 'ignore' })
  t.teardown(async () => {
    const ended = once(child, 'exit')
    if (child.pid !== undefined && child.exitCode === null) process.kill(child.pid, 'SIGKILL')
    await ended
  })
  await until(async () => (await ping(port)) !== '')
  return port
}

const needsRedis = { skip: withoutRedis }

await withHelm(() => {
  t.test('an image without a configuration answers other pods', needsRedis, async (t) => {
    const port = await start(t, trialContainer())
    t.equal(await ping(port), '+PONG')
  })

  t.test('the check sees a server in protected mode', needsRedis, async (t) => {
    const container = trialContainer()
    const args = (container.args ?? []).map((one, index, all) =>
      all[index - 1] === '--protected-mode' ? 'yes' : one,
    )
    t.match(await ping(await start(t, { ...container, args })), /^-DENIED/)
  })

  t.test('the command is that of the image, and probes need no program of it', async (t) => {
    t.same(trialContainer().command, ['redis-server'])
    const set = ['redis.trial.image=valkey/valkey:8', 'redis.trial.command={valkey-server}']
    const container = trialContainer(set)
    t.same(container.command, ['valkey-server'])
    t.equal(container.image, 'valkey/valkey:8')
    for (const probe of ['livenessProbe', 'readinessProbe']) {
      t.match(container[probe], { tcpSocket: { port: 'redis' } })
    }
    t.match(container.args?.join(' '), '--maxmemory-policy noeviction')
  })
})
