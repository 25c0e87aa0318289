/**
 * Streams and WebSockets through nginx and HAProxy, which are set up by
 * docs/how-to/put-a-proxy-in-front.md.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { mintToken } from '../../dev/pods/release.ts'
import { cluster, kubectl, NAMESPACE, POD_LIMIT_MS, TENANT, until, untilWhole } from './cases.ts'
import { PROXIES, removeProxies, seen, startProxies } from './proxies.ts'

/** Longer than twice the idle limit of the proxies. */
const IDLE_MS = 75_000

t.setTimeout(4 * POD_LIMIT_MS)
await untilWhole()
await startProxies(await mintToken(cluster.folder, TENANT))
t.teardown(removeProxies)

/** Waits until the client has a stream and a WebSocket through both proxies. */
const untilOpen = () =>
  until('streams and sockets are open', async () => {
    const all = Object.values(await seen())
    return all.every((one) => one.isStreaming && one.isSocketOpen) ? true : undefined
  })

t.test('streams and sockets stay open while nothing happens', async (t) => {
  await untilOpen()
  await sleep(IDLE_MS)
  const found = await seen()
  for (const proxy of PROXIES) {
    t.match(found[proxy], { isStreaming: true, isSocketOpen: true, sockets: 1 }, proxy)
    t.same(found[proxy].streams, [200], proxy)
    t.same([found[proxy].streamEnds, found[proxy].socketCodes], [[], []], `${proxy}: none ended`)
    t.equal(found[proxy].longHeader, 401, `${proxy}: a long token reaches the service`)
  }
})

t.test('a rollout fails no request, and clients connect again', async (t) => {
  const deployment = 'deployment/sigcase-api'
  await kubectl.run('rollout', 'restart', deployment, NAMESPACE)
  const limit = `--timeout=${POD_LIMIT_MS / 1000}s`
  await kubectl.run('rollout', 'status', deployment, NAMESPACE, limit)
  await untilWhole()
  await until('both connected again', async () => {
    const all = Object.values(await seen())
    return all.every(({ sockets, streams }) => sockets > 1 && streams.length > 1) ? true : undefined
  })
  await untilOpen()
  const found = await seen()
  for (const proxy of PROXIES) {
    t.comment(`${proxy}: ${JSON.stringify(found[proxy])}`)
    t.same(Object.keys(found[proxy].answers), ['200'], `${proxy}: no request failed`)
    t.same([...new Set(found[proxy].socketCodes)], [1001], `${proxy}: sockets went away`)
    t.same([...new Set(found[proxy].streams)], [200], `${proxy}: streams began again`)
    t.same([...new Set(found[proxy].streamEnds)], ['complete'], `${proxy}: streams were completed`)
  }
})
