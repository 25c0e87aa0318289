/**
 * Restores a backup of resources into an empty cluster, by the commands of
 * docs/how-to/back-up-and-restore.md; the bucket is as it was at the end.
 */
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { HOME } from '../fixtures/chart.ts'
import { Cases, readTrail, until } from '../fixtures/release/cases.ts'
import { takeRelease } from '../fixtures/release/lasting.ts'
import { readCommands, openCluster, Release, TENANT } from '../fixtures/release/release.ts'
import { withoutRelease } from '../fixtures/release/skip.ts'

t.setTimeout(600_000)

/** Duplicate events show at once: none of them waits for its time. */
const QUIET_MS = 5_000
const ADOPTED = 'sigcase.dev/adopted'
/** Credentials that a tenant keeps for the callbacks of its next cases. */
const KEPT = '--from-literal=clientSecret=kept'
const [BACK_UP = '', RESTORE = ''] = readCommands('back-up-and-restore.md')

t.test('nothing is lost, and nothing is done twice', { skip: withoutRelease }, async (t) => {
  const { ground, release: lost, life } = await takeRelease(t)
  const { outside, chart, address } = ground
  const { hooks, folder } = outside
  const place = join(folder, 'backup')
  mkdirSync(join(place, 'charts'), { recursive: true })
  cpSync(chart, join(place, 'charts', 'sigcase'), { recursive: true })
  const client = await lost.client()
  const cases = await Cases.of(client, hooks.url)

  const fresh = await cases.create(1)
  const half = await cases.open(2)
  await cases.sign(half, 0)
  const withdrawn = await cases.open(1)
  const finished = await cases.done()
  const cancelled = await cases.open(1)
  await cases.cancel(cancelled)
  await until('four webhooks were taken', () => hooks.taken.size === 4)
  hooks.isDown = true
  const waiting = await cases.done()
  // As after an API that stopped between its two writes.
  await lost.kubectl(`-n ${TENANT} label secret ${fresh.id} ${ADOPTED}=false --overwrite`)
  await lost.kubectl(`-n ${TENANT} create secret generic webhook`, undefined, KEPT)
  await lost.kubectl(`-n ${TENANT} label secret webhook sigcase.dev/callback-credentials=true`)
  await lost.script(BACK_UP, place)

  hooks.isDown = false
  await cases.sign(half, 1)
  const whole = await cases.end(half)
  await cases.cancel(withdrawn)
  const running = await cases.upload(fresh)
  const late = await cases.create(1)
  await until('nine webhooks were taken', () => hooks.taken.size === 9)
  const everySettled = `-n ${TENANT} wait signaturecases --for=condition=Settled --timeout=180s`
  const settled = [half, withdrawn, finished, cancelled, waiting].map(({ id }) => id)
  await lost.kubectl(`${everySettled} ${settled.join(' ')}`)
  const trails = new Map<string, string[]>()
  for (const id of settled) trails.set(id, await readTrail(t, outside, id))
  const mails = outside.mails.slice()
  await lost.lose()

  const cluster = await openCluster(life, { folder: join(folder, 'from-backup'), address })
  const restored = new Release({ ...ground, cluster })
  life.teardown(() => restored.killPods())
  cpSync(restored.writeValues(), join(place, 'values.yaml'))
  const starting = restored.startPodsOnceInstalled()
  await restored.script(RESTORE, place)
  await starting
  await restored.kubectl(`${everySettled} ${settled.join(' ')}`)
  await setTimeout(QUIET_MS)

  t.match(await client.get(half.id), {
    status: 'DONE',
    signedDocument: { sha256: whole.signedDocument?.sha256 },
    participants: [{ status: 'SIGNED' }, { status: 'SIGNED' }],
  })
  t.match(await client.get(finished.id), {
    status: 'DONE',
    signedDocument: { sha256: finished.signedDocument?.sha256 },
  })
  t.equal((await client.get(waiting.id)).status, 'DONE')
  for (const { id, originalDocument } of [cancelled, withdrawn]) {
    const { sha256 } = originalDocument
    t.match(await client.get(id), { status: 'CANCELLED', originalDocument: { sha256 } })
  }
  t.equal((await client.get(fresh.id)).status, 'IN_PROGRESS')
  t.equal((await client.request('GET', `/cases/${late.id}`)).status, 404, 'younger than the backup')
  for (const [id, before] of trails) t.same(await readTrail(t, outside, id), before)
  t.same(outside.mails, mails, 'no mail twice')
  t.same([...new Set(hooks.taken.values())], [1], 'no webhook twice')

  const secrets = `-n ${TENANT} get secret ${fresh.id} -o`
  const label = await restored.kubectl(`${secrets} jsonpath={.metadata.labels}`)
  t.match(label, `"${ADOPTED}":"true"`, 'its Secret was adopted')
  await restored.kubectl(`-n ${TENANT} get secret webhook`)
  await cases.sign(running, 0)
  t.equal((await cases.end(fresh)).status, 'DONE', 'a link from before the loss still opens')
  await until('its webhooks were taken', () => hooks.taken.size === 11)
  t.same([...new Set(hooks.taken.values())], [1])
  t.same(restored.logged(/is forbidden: /), [])
  t.match(await restored.kubectl(`-n ${HOME} get lease sigcase-controller -o name`), 'lease')
})
