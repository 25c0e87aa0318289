/** Restores a backup into an empty cluster, by the commands of docs/how-to/back-up-and-restore.md. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { FileKeyring } from '../../adapters/embedded/keyring.ts'
import { findChainFault, type Opening } from '../../domain/audit/entry.ts'
import { AuditTrail } from '../../domain/audit/trail.ts'
import { GcsObjectStore } from '../../adapters/gcs/object-store.ts'
import { googleAuth } from '../../adapters/google-auth.ts'
import type { CaseAnswer, Client } from '../e2e/client.ts'
import { BUCKET, openOutside, type Outside } from '../fixtures/release/outside.ts'
import {
  commandsOf,
  copyOfChart,
  network,
  openCluster,
  Release,
  TENANT,
} from '../fixtures/release/release.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'

t.setTimeout(240_000)

const PATIENCE_MS = 60_000
const POLL_MS = 100
const [BACK_UP = '', RESTORE = ''] = commandsOf('back-up-and-restore.md')
const document = await smallDocument()

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = Date.now() + PATIENCE_MS
  while (!(await holds())) {
    if (Date.now() > deadlineMs) throw new Error(`it never came that ${what}`)
    await setTimeout(POLL_MS)
  }
}

function storeOf({ gcs, keyFile }: Outside) {
  return new GcsObjectStore({
    bucket: BUCKET,
    auth: googleAuth({ keyFile }),
    endpoint: gcs.origin,
    signingEndpoint: '',
    maximumObjectBytes: 64 * 1024 * 1024,
  })
}

/** Types of the trail, the first first, after its chain was checked. */
async function trailOf(t: Test, outside: Outside, caseId: string): Promise<string[]> {
  const key = { tenant: TENANT, caseId }
  const trail = new AuditTrail(storeOf(outside), () => '00'.repeat(16))
  const entries = await trail.entries(key)
  const openings: Record<string, Opening> = {}
  for (const { eventId } of entries) {
    const opening = await trail.opening(key, eventId)
    if (opening) openings[eventId] = opening
  }
  t.equal(findChainFault(entries, openings), undefined, 'the chain holds')
  t.equal(new Set(entries.map(({ eventId }) => eventId)).size, entries.length, 'no event twice')
  return entries.map(({ type }) => type)
}

/** Drives cases; each waits for what it names. */
class Cases {
  readonly client: Client
  readonly url: string

  constructor(client: Client, url: string) {
    this.client = client
    this.url = url
  }

  async create(people: number): Promise<{ id: string; upload: string }> {
    const { case: made, upload } = await this.client.create(
      'Contract',
      Array.from({ length: people }, () => ({})),
      { callback: { url: this.url, authType: 'BASIC', clientId: 'me', clientSecret: 'secret' } },
    )
    return { id: made.id, upload: upload.url }
  }

  async open(people: number): Promise<CaseAnswer> {
    const { id, upload } = await this.create(people)
    await this.client.upload(upload, document)
    return this.client.untilNot('NEW', id, PATIENCE_MS)
  }

  async sign({ participants }: CaseAnswer, index: number): Promise<void> {
    const { status } = await this.client.sign(participants[index]?.signerUrl ?? '')
    if (status !== 200) throw new Error(`signing answered ${status}`)
  }

  async done(): Promise<CaseAnswer> {
    const open = await this.open(1)
    await this.sign(open, 0)
    return this.client.untilNot('IN_PROGRESS', open.id, PATIENCE_MS)
  }
}

t.test('a backup of resources and the bucket as it is now', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-restore-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const address = network()
  const outside = await openOutside(t, folder, `http://${address(1)}:8080`)
  const chart = copyOfChart(folder)
  const keyringFile = join(folder, 'keyring.json')
  new FileKeyring(keyringFile)
  const place = join(folder, 'backup')
  mkdirSync(place)
  const install = async (name: string) => {
    const cluster = await openCluster(t, join(folder, name))
    const release = new Release({ cluster, outside, chart, keyringFile, address })
    t.teardown(() => release.stopPods('SIGKILL'))
    return release
  }
  const lost = await install('lost')
  await lost.prepare()
  await lost.bring('install', lost.writeValues())
  await lost.startPods()
  await lost.registerTenant()
  const client = await lost.client()
  const { hooks } = outside
  const cases = new Cases(client, hooks.url)

  // At the time of the backup.
  const fresh = await cases.create(1)
  const half = await cases.open(2)
  await cases.sign(half, 0)
  const finished = await cases.done()
  const cancelled = await cases.open(1)
  t.equal((await client.request('DELETE', `/cases/${cancelled.id}`)).status, 200)
  await until('all webhooks were taken', () => hooks.taken.size === 4)
  hooks.isDown = true
  const waiting = await cases.done()
  await setTimeout(1_000)
  await lost.script(BACK_UP, place)
  // After it.
  hooks.isDown = false
  await cases.sign(half, 1)
  t.equal((await client.untilNot('IN_PROGRESS', half.id, PATIENCE_MS)).status, 'DONE')
  await client.upload(fresh.upload, document)
  t.equal((await client.untilNot('NEW', fresh.id, PATIENCE_MS)).status, 'IN_PROGRESS')
  await until('all webhooks were taken', () => hooks.taken.size === 8)
  const mailsBefore = outside.mails.slice()
  await lost.stopPods('SIGKILL')
  await lost.options.cluster.plane.stop()

  const restored = await install('restored')
  mkdirSync(join(place, 'charts'))
  cpSync(chart, join(place, 'charts', 'sigcase'), { recursive: true })
  // The new cluster's Redis is elsewhere.
  restored.options.cluster.redisUrl
  cpSync(restored.writeValues(), join(place, 'values.yaml'))
  const running = restored.startPodsOnceInstalled()
  t.comment(await restored.script(RESTORE, place))
  await running
  for (const { id } of [fresh, half, finished, cancelled, waiting]) {
    const answer = await client.get(id)
    t.comment(id, answer.status, await trailOf(t, outside, id), answer.originalDocument)
  }
  await setTimeout(8_000)
  for (const { id } of [fresh, half, finished, cancelled, waiting]) {
    const answer = await client.get(id)
    t.comment(id, answer.status, await trailOf(t, outside, id), answer.originalDocument)
  }
  t.comment(Object.fromEntries(hooks.taken))
  t.comment(outside.mails.length - mailsBefore.length, outside.mails)
})
