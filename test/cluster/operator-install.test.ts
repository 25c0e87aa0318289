/** Installs the chart as docs/how-to/install-on-a-cluster.md says, and drives a case to its end. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { FileKeyring } from '../../adapters/embedded/keyring.ts'
import { copyOfChart, network, openCluster, Release } from '../fixtures/release/release.ts'
import { openOutside } from '../fixtures/release/outside.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'

t.setTimeout(180_000)

const folder = mkdtempSync(join(tmpdir(), 'sigcase-operator-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

t.test('a case ends DONE on what the chart installs', async (t) => {
  const address = network()
  const cluster = await openCluster(t, { folder: join(folder, 'cluster'), address })
  const outside = await openOutside(t, folder, `http://${address(1)}:8080`)
  const keyringFile = join(folder, 'keyring.json')
  new FileKeyring(keyringFile)
  const release = new Release({
    cluster,
    outside,
    chart: copyOfChart(folder),
    keyringFile,
    address,
  })
  t.teardown(() => release.stopPods())
  await release.prepare()
  t.comment(await release.bring('install', release.writeValues()))
  await release.startPods()
  await release.registerTenant()
  const client = await release.client()
  const { case: created, upload } = await client.create('Contract', [{}, {}], {
    callback: { url: outside.hooks.url, authType: 'NONE' },
  })
  await client.upload(upload.url, await smallDocument())
  const open = await client.untilNot('NEW', created.id, 60_000)
  t.equal(open.status, 'IN_PROGRESS')
  for (const { signerUrl } of open.participants) {
    t.equal((await client.sign(signerUrl)).status, 200)
  }
  const done = await client.untilNot('IN_PROGRESS', created.id)
  t.equal(done.status, 'DONE')
  t.same(release.logged(/is forbidden: /), [])
  t.comment(outside.mails)
})
