import t from 'tap'
import {
  groupOf,
  hasShardLabel,
  ownsCase,
  SHARD_LABEL,
  shardLabels,
  shardOf,
  SHARDS,
  shardSelector,
} from '../../../domain/cases/shards.ts'
import { uuidV5 } from '../../../domain/ids.ts'
import { CASE_ID, TENANT } from '../../fixtures/signature-case.ts'

const CASES = Array.from({ length: 6_400 }, (_, index) => uuidV5(CASE_ID, String(index)))

t.test('the shard of a case never changes', async (t) => {
  t.equal(shardOf(TENANT, CASE_ID), 37)
  t.equal(shardOf('demo', CASE_ID), 35)
})

t.test('cases are spread evenly over the shards', async (t) => {
  const counts = new Map<number, number>()
  for (const caseId of CASES) {
    const shard = shardOf(TENANT, caseId)
    counts.set(shard, (counts.get(shard) ?? 0) + 1)
  }
  t.same(
    [...counts.keys()].sort((a, b) => a - b),
    Array.from({ length: SHARDS }, (_, shard) => shard),
  )
  const mean = CASES.length / SHARDS
  t.ok([...counts.values()].every((count) => count > mean / 2 && count < mean * 2))
})

/** How a Kubernetes API server reads the two forms of selectors. */
function selects(selector: string | undefined, label: string | undefined): boolean {
  if (selector === undefined) return true
  const [, operator, list = ''] = / (in|notin) \((.*)\)$/.exec(selector) ?? []
  const isListed = label !== undefined && list.split(',').includes(label)
  return operator === 'in' ? isListed : !isListed
}

t.test('each case belongs to exactly one group, whatever its label is', async (t) => {
  const labels = [undefined, '', '64', '-1', '007', 'seven', ...Array(SHARDS).keys()].map(
    (label) => (typeof label === 'number' ? String(label) : label),
  )
  for (const count of [1, 2, 3, 4, 7, 16, 64]) {
    const groups = Array.from({ length: count }, (_, index) => ({ index, count }))
    for (const label of labels) {
      const owners = groups.filter((group) => selects(shardSelector(group), label))
      const metadata = label === undefined ? {} : { labels: { [SHARD_LABEL]: label } }
      t.same(
        owners.map(({ index }) => index),
        [groupOf(metadata, count)],
        `${label} of ${count}`,
      )
    }
  }
})

t.test('a case with its label belongs to the group that its key names', async (t) => {
  for (const caseId of CASES.slice(0, 100)) {
    const metadata = { namespace: TENANT, name: caseId, labels: { other: 'x' } }
    t.notOk(hasShardLabel(metadata))
    const labels = shardLabels(metadata)
    t.match(labels, { other: 'x' })
    t.ok(hasShardLabel({ ...metadata, labels }))
    const index = groupOf({ labels }, 4)
    t.ok(ownsCase({ index, count: 4 }, { tenant: TENANT, caseId }))
    t.notOk(ownsCase({ index: (index + 1) % 4, count: 4 }, { tenant: TENANT, caseId }))
  }
})
