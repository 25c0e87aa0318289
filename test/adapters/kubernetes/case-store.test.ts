import t from 'tap'
import { KubernetesCaseStore } from '../../../adapters/kubernetes/case-store.ts'
import { SHARD_LABEL } from '../../../domain/cases/shards.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { uuidV5 } from '../../../domain/ids.ts'
import { caseStoreContract } from '../../contract/case-store.ts'
import { clear, makeNamespaces, withCluster } from '../../fixtures/kubernetes-api.ts'
import { CASE_ID, signatureCase } from '../../fixtures/signature-case.ts'
import { until } from '../../fixtures/until.ts'

const NAMESPACES = [
  'acme',
  'acme-2',
  'zoo',
  'other',
  'tenant-a',
  'tenant-b',
  'tenant-c',
  'tenant-d',
]
const ROOT = '/apis/sigcase.dev/v1'

await withCluster(async ({ admin }) => {
  await makeNamespaces(admin, NAMESPACES)
  caseStoreContract('Kubernetes', async () => {
    await clear(admin, ROOT, 'signaturecases', NAMESPACES)
    return new KubernetesCaseStore(admin, { warn: (details) => t.comment(details) })
  })

  const log = { warn: (details: object) => t.comment(details) }
  const labelled = (index: number, label: string | undefined): SignatureCase => {
    const value = signatureCase()
    const metadata = { name: uuidV5(CASE_ID, `shard ${index}`), namespace: 'acme' }
    const labels = label === undefined ? {} : { labels: { [SHARD_LABEL]: label } }
    return { ...value, metadata: { ...metadata, ...labels } }
  }
  /** The label of each case, by its index; two are not valid. */
  const LABELS = ['0', '1', '2', '3', '4', '63', undefined, 'x']
  const EXPECTED = [[0, 4, 6, 7], [1], [2], [3, 5]]

  t.test('the API server lists and watches the cases of a group of shards', async (t) => {
    await clear(admin, ROOT, 'signaturecases', NAMESPACES)
    const store = new KubernetesCaseStore(admin, log)
    const names = LABELS.map((label, index) => labelled(index, label).metadata.name)
    const groups = EXPECTED.map((_, index) => {
      const cases = store.ofShards({ index, count: EXPECTED.length })
      const received = new Set<string>()
      t.teardown(cases.watch(({ caseId }) => void received.add(caseId)))
      return { cases, received }
    })
    const indexes = (found: Iterable<string>) =>
      [...found].map((name) => names.indexOf(name)).sort()
    // A watch reports only what happens after it has opened.
    const isOpen = () => groups.every(({ received }) => received.size > 0)
    const made = await Promise.all(
      LABELS.map((label, index) => store.create(labelled(index, label))),
    )
    for (let turn = 0; !isOpen(); turn++) {
      const touched = await Promise.all(
        made.map(async ({ metadata: { namespace: tenant, name: caseId } }) => {
          const one = (await store.get({ tenant, caseId })) as SignatureCase
          const annotations = { turn: String(turn) }
          return store.replaceSpec({ ...one, metadata: { ...one.metadata, annotations } })
        }),
      )
      t.equal(touched.length, LABELS.length)
    }
    await until(() => groups.every(({ received }, g) => received.size >= EXPECTED[g]!.length))
    for (const [index, { cases, received }] of groups.entries()) {
      t.same(indexes(received), EXPECTED[index], `watch ${index}`)
      const { items } = await cases.list({ limit: 100 })
      t.same(indexes(items.map(({ metadata }) => metadata.name)), EXPECTED[index], `list ${index}`)
    }
  })

  t.test('a changed label moves a case to the other group', async (t) => {
    await clear(admin, ROOT, 'signaturecases', NAMESPACES)
    const store = new KubernetesCaseStore(admin, log)
    const created = await store.create(labelled(0, undefined))
    const labels = { [SHARD_LABEL]: '3' }
    const moved = await store.replaceSpec({ ...created, metadata: { ...created.metadata, labels } })
    t.same(moved.metadata.labels, labels)
    t.equal(moved.metadata.generation, created.metadata.generation, 'it says nothing new')
    const { items } = await store.ofShards({ index: 3, count: 4 }).list({ limit: 10 })
    t.equal(items.length, 1)
    t.equal(store.ofShards({ index: 0, count: 1 }), store, 'one group has all cases')
  })
})
