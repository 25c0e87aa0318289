/** Goes on from a snapshot of etcd that is younger than the copy of the bucket. */
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { VERSION } from '../../domain/version.ts'
import type { EmulatedBucket, EmulatedObject } from '../../dev/emulators/gcs/bucket.ts'
import { watchCores } from '../fixtures/busy.ts'
import { Cases, readTrail, until, untilReceipts } from '../fixtures/release/cases.ts'
import { leaveRelease, takeRelease } from '../fixtures/release/lasting.ts'
import { readCommands, openCluster, Release } from '../fixtures/release/release.ts'
import { withoutRelease } from '../fixtures/release/skip.ts'

t.setTimeout(600_000)

const QUIET_MS = 5_000
/** As design.md has it of a leader that is gone. */
const TAKE_OVER_LIMIT_MS = 20_000
const FORGET = readCommands('back-up-and-restore.md')[2] ?? ''

function putBack(bucket: EmulatedBucket, copy: readonly EmulatedObject[]): void {
  for (const { name } of bucket.list('', '')) bucket.delete(name)
  for (const { name, bytes, contentType, metadata } of copy) {
    bucket.write({ name, bytes, contentType, metadata })
  }
}

t.test(
  'every case ends, also those that the bucket has forgotten',
  { skip: withoutRelease },
  async (t) => {
    const { ground, release: lost, life } = await takeRelease(t)
    const { address } = ground
    const { hooks, folder, gcs } = ground.outside
    const client = await lost.client(60_000)
    const cases = await Cases.of(client, hooks.url)
    const half = await cases.open(2)
    await cases.sign(half, 0)
    const ready = await cases.open(1)
    const finished = await cases.done()
    await until('three webhooks were taken', () => hooks.taken.size === 3)
    // A copy from before would have them sent again, too.
    await untilReceipts(ground.outside)

    const copy = gcs.bucket.list('', '')
    await cases.sign(ready, 0)
    const first = await cases.end(ready)
    const forgotten = await cases.open(1)
    await until('five webhooks were taken', () => hooks.taken.size === 5)
    lost.options.cluster.plane.copyEtcd(join(folder, 'snapshot'))
    await lost.lose()

    putBack(gcs.bucket, copy)
    const cluster = await openCluster(life, {
      folder: join(folder, 'from-snapshot'),
      address,
      etcd: join(folder, 'snapshot'),
    })
    const restored = new Release({ ...ground, cluster })
    life.teardown(() => restored.killPods())
    t.match(await restored.helm('list --all-namespaces'), `sigcase-${VERSION}`)
    await restored.script(FORGET, folder)
    await restored.startPods()
    const startedMs = performance.now()
    const isBusy = watchCores()
    await until(
      'somebody leads',
      () => restored.logged(/"msg":"this replica is the leader"/).length > 0,
    )
    t.ok(
      performance.now() - startedMs < TAKE_OVER_LIMIT_MS || isBusy(),
      'the lease of the lost leader runs out',
    )

    t.match(await client.get(ready.id), {
      status: 'DONE',
      signedDocument: { sha256: first.signedDocument?.sha256 },
    })
    t.equal((await client.untilNot('NEW', half.id)).status, 'IN_PROGRESS')
    await cases.sign(half, 1)
    t.equal((await cases.end(half)).status, 'DONE')
    t.match(await client.get(finished.id), {
      status: 'DONE',
      signedDocument: { sha256: finished.signedDocument?.sha256 },
    })
    await until('the case waits for its document again', async () => {
      return (await client.get(forgotten.id)).status === 'NEW'
    })
    const again = await client.request('POST', `/cases/${forgotten.id}/upload`)
    const { url } = ((await again.json()) as { upload: { url: string } }).upload
    await cases.sign(await cases.upload({ id: forgotten.id, upload: url }), 0)
    t.equal((await cases.end(forgotten)).status, 'DONE')
    await until('all webhooks were taken', () => hooks.taken.size === 9)
    await setTimeout(QUIET_MS)
    for (const { id } of [half, ready, finished, forgotten]) await readTrail(t, ground.outside, id)
    const counts = [...hooks.taken.values()]
    t.same(
      counts,
      [1, 1, 1, 2, 2, 1, 1, 1, 1],
      'again, with their ids, where the receipts are lost',
    )
    t.same(restored.logged(/is forbidden: /), [])
    leaveRelease({ ground, release: restored, life })
  },
)
