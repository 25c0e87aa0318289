/** Three controllers that share four groups of shards, on a real API server. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import { CONTROLLER_LEASE } from '../../adapters/kubernetes/lease-plan.ts'
import { leasesCheck } from '../../cli/doctor/leases.ts'
import { SHARD_LABEL, shardOf } from '../../domain/cases/shards.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { freePorts } from '../../adapters/shared/free-ports.ts'
import { Child } from '../../dev/local-cluster/child.ts'
import type { CreateAnswer } from '../e2e/client.ts'
import { watchCores } from '../fixtures/busy.ts'
import { TENANT, withLocalCluster, type TestCluster } from '../fixtures/local-cluster.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { until } from '../fixtures/until.ts'

t.setTimeout(900_000)

const GROUPS = 4
const PATIENCE_MS = 120_000
/** The takeover that the documentation promises. */
const TAKEOVER_MS = 20_000
const SHARING = { CONTROLLER_SHARD_GROUPS: String(GROUPS) }
const ALONE = { CONTROLLER_SHARD_GROUPS: '1' }
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/sigcase-system/leases'
const CASES = `/apis/sigcase.dev/v1/namespaces/${TENANT}/signaturecases`

interface Listed {
  items: { metadata: { name: string }; spec: { holderIdentity?: string } }[]
}

const CONTROLLERS = 3
/** Start of their names, and so of their logs. */
const SHARER = 'sharer'

/** One of the controllers that share, with the account of the cluster's own one. */
async function sharer({ folder, controllers }: TestCluster, index: number): Promise<Child> {
  const [own] = controllers
  if (!own) throw new Error('the cluster has no controller')
  const name = `${SHARER}-${index}`
  const [port] = (await freePorts(1)) as [number]
  const more = { ...SHARING, POD_NAME: name, OPERATIONS_PORT: String(port) }
  return new Child({
    name,
    command: own.options.command,
    environment: { ...own.options.environment, ...more },
    log: join(folder, `${name}.log`),
    readyUrl: `http://127.0.0.1:${port}/readyz`,
  })
}

/** Replaces the controller of the cluster, until the end of the test file, by some that share. */
async function startSharers(cluster: TestCluster): Promise<Child[]> {
  const places = [...Array(CONTROLLERS).keys()]
  const sharers = await Promise.all(places.map((index) => sharer(cluster, index + 1)))
  const [own] = cluster.controllers
  t.teardown(async () => {
    await Promise.all(sharers.map((one) => one.end()))
    own?.start()
    await own?.ready()
  })
  await own?.end()
  for (const one of sharers) one.start()
  await Promise.all(sharers.map((one) => one.ready()))
  return sharers
}

const groupOf = (caseId: string) => shardOf(TENANT, caseId) % GROUPS

/** A definition as people apply it: without ids, and without a label. */
const applied = (name: string) => ({
  apiVersion: 'sigcase.dev/v1',
  kind: 'SignatureCase',
  metadata: { name, namespace: TENANT },
  spec: {
    definition: {
      title: 'Contract',
      validUntil: new Date(Date.now() + PATIENCE_MS * 60).toISOString(),
      quickSign: true,
      participants: [
        {
          firstName: 'Jana',
          lastName: 'Nováková',
          email: 'jana@example.com',
          signatureFields: [{ page: 1, x: 72, y: 500, width: 200, height: 60, unit: 'pt' }],
        },
      ],
    },
  },
})

await withLocalCluster({ workers: ['node'] }, async (cluster) => {
  const { admin, client } = cluster
  const controllers = await startSharers(cluster)
  const people = client(PATIENCE_MS)

  /** For each group of four, the name of the controller that has it. */
  const owners = async () => {
    const { items } = await admin.send<Listed>({ path: LEASES })
    const holderOf = (name: string) =>
      items.find(({ metadata }) => metadata.name === name)?.spec.holderIdentity
    return [...Array(GROUPS).keys()].map((group) => {
      const holder = holderOf(`sigcase-controller${group === 0 ? '' : `-${group}-of-${GROUPS}`}`)
      return holder?.endsWith(`_of_${GROUPS}`) === true ? holder.split('_')[0] : undefined
    })
  }
  const groupsOf = async ({ options }: Child) =>
    [...(await owners()).entries()].filter(([, name]) => name === options.name).map(([g]) => g)
  /** Waits until these controllers share all groups, each with one at least. */
  const isShared = async (among: readonly Child[]) => {
    const names = new Set(among.map(({ options }) => options.name))
    await until(async () => {
      const found = await owners()
      return found.every((name) => names.has(name ?? '')) && new Set(found).size === names.size
    })
    return new Set(await owners()).size === names.size
  }
  const findLeases = async (groups: number) => {
    const own = { namespace: 'sigcase-system', base: CONTROLLER_LEASE, groups }
    return leasesCheck(admin, { ...own, nowMs: () => Date.now() }).ask()
  }
  const labelOf = async (caseId: string) =>
    (await admin.send<SignatureCase>({ path: `${CASES}/${caseId}` })).metadata.labels?.[SHARD_LABEL]

  /** Creates cases until each of the groups has one; the first of each group. */
  const oneInEach = async (groups: readonly number[]): Promise<CreateAnswer[]> => {
    const made = new Map<number, CreateAnswer>()
    while (groups.some((group) => !made.has(group))) {
      const created = await (await people).create('Contract', [{}])
      const group = groupOf(created.case.id)
      if (groups.includes(group) && !made.has(group)) made.set(group, created)
    }
    return groups.map((group) => made.get(group)!)
  }
  const complete = async (created: CreateAnswer) =>
    (await people).complete(created, await smallDocument(), PATIENCE_MS)

  t.test('they share the groups, and the cases of all groups get DONE', async (t) => {
    t.ok(await isShared(controllers))
    t.match(await findLeases(GROUPS), { outcome: 'ok', detail: /: 4; .*: 3$/ })
    t.match(await findLeases(2), { outcome: 'warning', detail: /others have 4$/ })
    const made = await oneInEach([...Array(GROUPS).keys()])
    for (const { case: one } of made) {
      t.equal(await labelOf(one.id), String(shardOf(TENANT, one.id)))
    }
    const done = await Promise.all(made.map(complete))
    t.same(
      done.map(({ status }) => status),
      made.map(() => 'DONE'),
    )
  })

  t.test('a case without a label gets one, and its group accepts it', async (t) => {
    const names = [randomUUID(), randomUUID(), randomUUID()]
    for (const name of names) {
      await admin.send({ method: 'POST', path: CASES, body: applied(name) })
    }
    for (const name of names) {
      await until(async () => {
        const one = await admin.send<SignatureCase>({ path: `${CASES}/${name}` })
        return one.status?.participants !== undefined
      })
      t.equal(await labelOf(name), String(shardOf(TENANT, name)))
    }
  })

  t.test('the cases of a killed controller go on within 20 seconds', async (t) => {
    const [, killed] = controllers as [Child, Child]
    const groups = await groupsOf(killed)
    t.ok(groups.length > 0)
    const made = await oneInEach(groups)
    const startedMs = performance.now()
    const isBusy = watchCores()
    await killed.end('SIGKILL')
    for (const { case: one, upload } of made) {
      await (await people).upload(upload.url, await smallDocument())
      const running = await (await people).untilNot('NEW', one.id)
      t.equal(running.status, 'IN_PROGRESS')
    }
    const tookMs = performance.now() - startedMs
    t.comment(`${Math.round(tookMs)} ms`)
    t.ok(tookMs < TAKEOVER_MS || isBusy())
    t.ok(await isShared(controllers.filter((one) => one !== killed)))
    killed.start()
    await killed.ready()
    t.ok(await isShared(controllers), 'it gets a part again')
  })

  t.test('sharing begins in a rolling update, with cases from before it', async (t) => {
    const [old, ...others] = controllers as [Child, ...Child[]]
    await Promise.all(controllers.map((one) => one.end()))
    old.start(ALONE)
    await old.ready()
    const made = await oneInEach([0, 1, 2, 3])
    for (const { case: one } of made) {
      const body = { metadata: { labels: { [SHARD_LABEL]: null } } }
      await admin.send({ method: 'PATCH', path: `${CASES}/${one.id}`, body })
    }
    const [first, ...rest] = made as [CreateAnswer, ...CreateAnswer[]]
    for (const one of others) one.start()
    await Promise.all(others.map((one) => one.ready()))
    t.equal((await complete(first)).status, 'DONE', 'the old controller works on all cases')
    t.same(await owners(), [undefined, undefined, undefined, undefined])
    const done = rest.map(complete)
    t.equal(await old.end(), 0)
    t.ok(await isShared(others))
    for (const one of await Promise.all(done)) t.equal(one.status, 'DONE')
    for (const { case: one } of made) {
      await until(async () => (await labelOf(one.id)) === String(shardOf(TENANT, one.id)))
      t.equal(await labelOf(one.id), String(shardOf(TENANT, one.id)))
    }
    old.start()
    await old.ready()
    t.ok(await isShared(controllers))
  })

  t.test('no reconcile failed', async (t) => {
    const failed = cluster.logged(/reconcile failed|controller failed to start/)
    // Files before this one make the controller of the cluster fail.
    t.same(
      failed.filter((line) => line.startsWith(SHARER)),
      [],
    )
  })
})
