import t from 'tap'
import { TRUSTED_LISTS_KEY, trustedListKey } from '../../domain/cases/keys.ts'
import type { TrustedListSource } from '../../domain/ports/trusted-lists.ts'
import { readTrustedLists, refreshTrustedLists } from '../../workers/trusted-lists.ts'
import { buildWorker } from '../../workers/worker.ts'
import { uploadResult } from '../fixtures/alarms.ts'
import {
  listedCa,
  listOfListsText,
  listSigner,
  listText,
  LOTL_LOCATION,
  octetsOf,
  signList,
} from '../fixtures/trusted-lists.ts'
import { RecordingMetrics } from '../fixtures/recording-metrics.ts'
import { workerDeps, WORK_START } from '../fixtures/worker.ts'

const commission = await listSigner('Commission')
const slovak = await listSigner('SK operator')
const ca = await listedCa('Test CA')
const SK = 'https://sk.example/tsl.xml'
const nextUpdate = '2027-03-01T00:00:00Z'
const lotl = (sequence: number) =>
  signList(
    listOfListsText({
      sequence,
      nextUpdate,
      pointers: [{ territory: 'SK', location: SK, signers: [slovak.certificate] }],
    }),
    commission,
  )
const national = (sequence: number) =>
  signList(
    listText({ sequence, nextUpdate, services: [{ certificates: [ca.certificate] }] }),
    slovak,
  )

const HOUR_MS = 60 * 60 * 1000
const START = Date.parse(WORK_START)

async function setUp() {
  const files = new Map([
    [LOTL_LOCATION, await lotl(1)],
    [SK, await national(1)],
  ])
  let reads = 0
  const trustedLists: TrustedListSource = {
    location: LOTL_LOCATION,
    anchors: { certificates: [commission.certificate] },
    read: async ({ location }) => {
      reads++
      const text = files.get(location)
      if (text === undefined) throw new Error(`${location} is away`)
      return octetsOf(text)
    },
  }
  const deps = { ...(await workerDeps()), trustedLists }
  return { deps, files, reads: () => reads }
}

t.test('the snapshot is written with the files that it names', async (t) => {
  const { deps } = await setUp()
  await refreshTrustedLists(deps)
  const snapshot = await readTrustedLists(deps)
  t.match(snapshot, { refreshedAt: WORK_START, listOfLists: { header: { sequence: 1 } } })
  for (const evidence of [snapshot?.listOfLists, snapshot?.lists[0]?.evidence]) {
    t.ok(await deps.objects.get(trustedListKey(evidence?.sha256 ?? '')))
  }
  t.same(deps.warnings, [])
})

t.test('a young snapshot is left alone, an old one is made anew', async (t) => {
  const { deps, files, reads } = await setUp()
  await refreshTrustedLists(deps)
  files.set(SK, await national(2))
  await deps.timers.moveTo(START + 6 * HOUR_MS - 1)
  await refreshTrustedLists(deps)
  t.equal(reads(), 2)
  await deps.timers.moveTo(START + 6 * HOUR_MS)
  await refreshTrustedLists(deps)
  t.equal((await readTrustedLists(deps))?.lists[0]?.evidence?.header.sequence, 2)
})

t.test('a snapshot of a worker whose clock was ahead is made anew', async (t) => {
  const { deps, reads } = await setUp()
  await refreshTrustedLists({ ...deps, now: () => new Date(START + HOUR_MS) })
  await refreshTrustedLists(deps)
  t.equal(reads(), 4)
})

t.test(
  'the time of the snapshot in force is measured, also after a refresh that fails',
  async (t) => {
    const { deps, files } = await setUp()
    const metrics = new RecordingMetrics()
    const refreshedAt = () =>
      metrics.values.get('sigcase_trusted_lists_refreshed_timestamp_seconds') ?? 0
    await refreshTrustedLists({ ...deps, metrics })
    t.equal(refreshedAt(), START / 1000)
    metrics.clear('sigcase_trusted_lists_refreshed_timestamp_seconds')
    await deps.timers.moveTo(START + 7 * HOUR_MS)
    files.delete(LOTL_LOCATION)
    await t.rejects(refreshTrustedLists({ ...deps, metrics }), /is away/)
    t.equal(refreshedAt(), START / 1000)
  },
)

t.test('without the list of lists the snapshot before stays, and the job fails', async (t) => {
  const { deps, files } = await setUp()
  await refreshTrustedLists(deps)
  await deps.timers.moveTo(START + 7 * HOUR_MS)
  files.delete(LOTL_LOCATION)
  await t.rejects(refreshTrustedLists(deps), /is away/)
  files.set(LOTL_LOCATION, (await lotl(2)).replace(SK, 'https://evil.example/'))
  await t.rejects(refreshTrustedLists(deps), { code: 'SIGNATURE_WRONG' })
  t.equal((await readTrustedLists(deps))?.refreshedAt, WORK_START)
})

t.test('a national list that fails is logged, and the last good one is kept', async (t) => {
  const { deps, files } = await setUp()
  await refreshTrustedLists(deps)
  await deps.timers.moveTo(START + 7 * HOUR_MS)
  files.delete(SK)
  await refreshTrustedLists(deps)
  t.match((await readTrustedLists(deps))?.lists, [
    { territory: 'SK', evidence: { header: { sequence: 1 } }, problem: { code: 'NOT_AVAILABLE' } },
  ])
  t.match(deps.warnings, [{ lists: { SK: { code: 'NOT_AVAILABLE', message: /tsl.xml is away/ } } }])
})

t.test('of two workers at one time the snapshot of the first stays', async (t) => {
  const { deps, files } = await setUp()
  const source = deps.trustedLists
  const slow: TrustedListSource = {
    ...source,
    read: async (list) => {
      const octets = await source.read(list)
      if (list.territory !== 'SK') return octets
      files.set(SK, await national(2))
      await refreshTrustedLists({ ...deps, trustedLists: source })
      return octets
    },
  }
  await refreshTrustedLists({ ...deps, trustedLists: slow })
  t.equal((await readTrustedLists(deps))?.lists[0]?.evidence?.header.sequence, 2)
})

t.test('a snapshot that cannot be read is made anew', async (t) => {
  const { deps } = await setUp()
  uploadResult(deps.objects, TRUSTED_LISTS_KEY, { text: '{"snapshotVersion":0}' })
  t.equal(await readTrustedLists(deps), undefined)
  await refreshTrustedLists(deps)
  t.equal((await readTrustedLists(deps))?.snapshotVersion, 1)
})

t.test('a snapshot that no worker wrote is not trusted, and is made anew', async (t) => {
  const { deps } = await setUp()
  await refreshTrustedLists(deps)
  const { text } = deps.objects.json<{ text: string }>(TRUSTED_LISTS_KEY)!
  for (const planted of [
    text,
    JSON.stringify({ text }),
    JSON.stringify({ text, kid: 'x', mac: '' }),
  ]) {
    deps.objects.upload(TRUSTED_LISTS_KEY, octetsOf(planted), 'application/json')
    t.equal(await readTrustedLists(deps), undefined)
  }
  t.same(deps.alarm.names(), ['trusted-lists wrongMac', 'trusted-lists unknownKey'])
  await refreshTrustedLists(deps)
  t.ok(await readTrustedLists(deps))
})

t.test('nothing is done without a source; with one at the start and every half hour', async (t) => {
  const without = await workerDeps()
  await refreshTrustedLists(without)
  t.equal(await without.objects.get(TRUSTED_LISTS_KEY), undefined)
  const { deps } = await setUp()
  const worker = buildWorker(deps)
  worker.start()
  const taken = () => deps.jobs.take().filter(({ kind }) => kind === 'trusted-lists').length
  t.equal(taken(), 1)
  await deps.timers.moveTo(START + HOUR_MS / 2 - 1)
  t.equal(taken(), 0)
  await deps.timers.moveTo(START + HOUR_MS / 2)
  t.equal(taken(), 1)
  worker.stop()
  await deps.timers.moveTo(START + 2 * HOUR_MS)
  t.equal(taken(), 0)
})
