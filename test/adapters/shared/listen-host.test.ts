/** Where the servers of a process listen. */
import { networkInterfaces } from 'node:os'
import t from 'tap'
import { serveOperations } from '../../../runtime/cluster/operations.ts'
import { listenHost } from '../../../adapters/shared/listen-host.ts'

const LOOPBACKS = ['127.0.0.1', '::1']

t.test('other addresses and names stay as they are', async (t) => {
  for (const host of ['127.0.0.1', '0.0.0.0', '::1', 'localhost', 'fd00::1']) {
    t.equal(listenHost(host), host)
  }
  t.equal(listenHost('::'), '', 'Node chooses by what the kernel has')
})

t.test('`::` accepts connections of every family that the machine has', async (t) => {
  const operations = {
    readiness: async () => ({ ready: true, text: '' }),
    metrics: async () => '',
  }
  const server = await serveOperations({ host: '::', port: 0 }, operations)
  t.teardown(() => server.close())
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const found = LOOPBACKS.filter((loopback) => own.some(({ address }) => address === loopback))
  t.ok(found.length > 0)
  for (const address of found) {
    const name = address.includes(':') ? `[${address}]` : address
    const { status } = await fetch(`http://${name}:${server.port}/healthz`)
    t.equal(status, 200, address)
  }
})
