/** Controllers that share the cases of one store by the label of their shard. */
import t from 'tap'
import { buildController } from '../../controllers/controller.ts'
import { archiveKey, GROWN_TRAILS_FOLDER, grownTrailKey } from '../../domain/cases/keys.ts'
import { groupOf, SHARD_LABEL, shardOf, type ShardGroup } from '../../domain/cases/shards.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { uuidV5 } from '../../domain/ids.ts'
import { CASE_CHANGED } from '../../domain/ports/pub-sub.ts'
import type { CaseKey, CaseStore } from '../../domain/ports/stores.ts'
import { controllerDeps } from '../fixtures/controller.ts'
import { settle } from '../fixtures/frozen-timers.ts'
import { settledCase } from '../fixtures/settled-case.ts'
import { CASE_ID, signatureCase, TENANT } from '../fixtures/signature-case.ts'

const COUNT = 4
const CASES = 24

function world() {
  const deps = controllerDeps('2026-11-02T08:00:01.000Z')
  const { cases } = deps
  /** Which groups wrote the status of each case. */
  const writers = new Map<string, Set<number>>()
  /** Keys of the cases that each group read. */
  const reads: string[][] = Array.from({ length: COUNT }, () => [])

  /** As `KubernetesCaseStore.ofShards`. */
  function ofShards(group: ShardGroup): CaseStore {
    const isListed = ({ metadata }: SignatureCase) => groupOf(metadata, group.count) === group.index
    return {
      create: (one) => cases.create(one),
      get: async (key) => {
        reads[group.index]?.push(key.caseId)
        return cases.get(key)
      },
      replaceSpec: (one) => cases.replaceSpec(one),
      replaceStatus: async (one) => {
        const written = await cases.replaceStatus(one)
        const { name } = one.metadata
        writers.set(name, (writers.get(name) ?? new Set()).add(group.index))
        return written
      },
      delete: (key, version) => cases.delete(key, version),
      list: async (options) => {
        const { items, ...rest } = await cases.list(options)
        return { ...rest, items: items.filter(isListed) }
      },
      watch: (onChange) => {
        const groups = new Map<string, boolean>()
        return cases.watch((key, version) => {
          void cases.get(key).then((found) => {
            const was = groups.get(key.caseId) === true
            const is = found !== undefined && isListed(found)
            groups.set(key.caseId, is)
            // The API server reports an object that is no longer selected as deleted.
            if (was || is) onChange(key, version)
          })
        })
      },
    }
  }

  /** Longer than a status without another phase is held back. */
  const pass = () => deps.timers.moveTo(deps.timers.nowMs() + 20_000)
  const start = async (index: number, count = COUNT) => {
    const group = { index, count }
    const controller = buildController({ ...deps, group, cases: ofShards(group) })
    await controller.start()
    await settle()
    return controller
  }
  const seed = (index: number, label?: string, made = signatureCase()) => {
    const name = uuidV5(CASE_ID, `case ${index}`)
    const labels = label === undefined ? {} : { labels: { [SHARD_LABEL]: label } }
    cases.seed({ ...made, metadata: { ...made.metadata, name, namespace: TENANT, ...labels } })
    return { tenant: TENANT, caseId: name }
  }
  const seedRight = (index: number) =>
    seed(index, String(shardOf(TENANT, uuidV5(CASE_ID, `case ${index}`))))
  return { deps, cases, writers, reads, start, pass, seed, seedRight }
}

const labelled = ({ tenant, caseId }: CaseKey, shard: string) => ({
  namespace: tenant,
  name: caseId,
  labels: { [SHARD_LABEL]: shard },
})
const groupOfKey = ({ tenant, caseId }: CaseKey) => shardOf(tenant, caseId) % COUNT

t.test('each case is reconciled by the controller of its group alone', async (t) => {
  const { start, pass, seedRight, writers, reads } = world()
  const keys = [...Array(CASES).keys()].map(seedRight)
  for (let index = 0; index < COUNT; index++) await start(index)
  await pass()
  t.equal(writers.size, CASES)
  for (const key of keys) t.same([...writers.get(key.caseId)!], [groupOfKey(key)])
  for (const [index, read] of reads.entries()) {
    t.ok(read.length > 0)
    t.ok(
      read.every((caseId) => groupOfKey({ tenant: TENANT, caseId }) === index),
      'a controller reads no case of another group',
    )
  }
})

t.test('without the controller of a group its cases wait, and go on with it', async (t) => {
  const { start, pass, seedRight, writers } = world()
  const keys = [...Array(CASES).keys()].map(seedRight)
  const others = keys.filter((key) => groupOfKey(key) !== 2)
  for (const index of [0, 1, 3]) await start(index)
  await pass()
  t.equal(writers.size, others.length)
  await start(2)
  await pass()
  t.equal(writers.size, CASES)
})

t.test('cases without the right label get it, and go to their group', async (t) => {
  const { start, pass, seed, cases, writers, deps } = world()
  const labels = [undefined, 'x', '64', '1', '2', '3']
  const keys = [...Array(CASES).keys()].map((index) => seed(index, labels[index % labels.length]))
  for (let index = 0; index < COUNT; index++) await start(index)
  await pass()
  for (const key of keys) {
    const found = await cases.get(key)
    t.equal(found?.metadata.labels?.[SHARD_LABEL], String(shardOf(TENANT, key.caseId)))
    t.same([...(writers.get(key.caseId) ?? [])], [groupOfKey(key)])
  }
  t.same(deps.warnings, [])
})

t.test('a case at rest gets its label, too, and its status stays', async (t) => {
  const { start, pass, seed, cases } = world()
  const key = seed(1, undefined, settledCase())
  const before = await cases.get(key)
  await start(0)
  await pass()
  const after = await cases.get(key)
  t.equal(after?.metadata.labels?.[SHARD_LABEL], String(shardOf(TENANT, key.caseId)))
  t.same(after?.status, before?.status)
})

t.test('a case belongs to the group of its label until that group corrects it', async (t) => {
  const { start, pass, seed, writers, reads, deps } = world()
  const key = seed(1)
  const own = groupOfKey(key)
  const wrong = String((own + 1) % COUNT)
  deps.cases.seed({ ...(await deps.cases.get(key))!, metadata: labelled(key, wrong) })
  await start(own)
  await deps.ephemeral.publish(CASE_CHANGED, JSON.stringify(key))
  await pass()
  t.ok(reads[own]!.length > 0)
  t.equal(writers.size, 0)
  await start(Number(wrong))
  await pass()
  t.same([...writers.get(key.caseId)!], [own])
})

t.test('with one group the controller writes no labels', async (t) => {
  const { start, pass, seed, cases, writers } = world()
  const key = seed(1, 'x')
  await start(0, 1)
  await pass()
  t.same((await cases.get(key))?.metadata.labels, { [SHARD_LABEL]: 'x' })
  t.equal(writers.size, 1)
})

t.test('a case whose label cannot be written stays with the first group', async (t) => {
  const { start, pass, seed, cases, writers, deps } = world()
  const key = seed(1)
  t.not(groupOfKey(key), 0)
  cases.replaceSpec = () => Promise.reject(new Error('refused'))
  await start(0)
  await pass()
  t.same([...(writers.get(key.caseId) ?? [])], [0])
  t.match(deps.warnings, ['the shard of a case could not be written'])
})

t.test('a notification reaches the controller of the group alone', async (t) => {
  const { start, pass, seedRight, reads, deps } = world()
  const key = seedRight(1)
  for (let index = 0; index < COUNT; index++) await start(index)
  for (const read of reads) read.length = 0
  await deps.ephemeral.publish(CASE_CHANGED, JSON.stringify(key))
  await pass()
  t.same(
    reads.map((read) => read.length > 0),
    reads.map((_, index) => index === groupOfKey(key)),
  )
})

t.test('the mark of a grown trail stays until its case has the label', async (t) => {
  const { start, seed, deps } = world()
  const key = seed(1, undefined, settledCase())
  const mark = grownTrailKey(key, new Date('2026-10-01T00:00:00Z'))
  await deps.objects.putIfAbsent(mark, new Uint8Array(1), 'application/json')
  t.not(groupOfKey(key), 0)
  const marks = async () => (await deps.objects.list(GROWN_TRAILS_FOLDER, { limit: 9 })).length
  await start(groupOfKey(key))
  t.equal(await marks(), 1, 'the case is not listed yet, but it exists')
  t.notOk(await deps.objects.stat(archiveKey(key)))
  await start(0)
  await deps.timers.moveTo(deps.timers.nowMs() + 6 * 60_000)
  t.equal(await marks(), 0)
})
