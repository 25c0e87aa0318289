/** Arguments of `npm run load`. */
import t from 'tap'
import { readOptions } from '../../../bench/load/options.ts'

t.test('arguments have their units and paths, and what is absent its default', async (t) => {
  t.same(readOptions(['--rate', '2.5', '--minutes', '3'], '/tmp/base'), {
    rate: 2.5,
    durationMs: 180_000,
    isCluster: false,
    participants: 2,
    patienceMs: 120_000,
    output: '/tmp/base/.data/load',
  })
  const more = ['--cluster', '--documents', 'pdfs', '--participants', '5', '--output', '/out']
  t.match(readOptions(['--rate', '1', '--minutes', '1', ...more], '/tmp/base'), {
    isCluster: true,
    documents: '/tmp/base/pdfs',
    participants: 5,
    output: '/out',
  })
})

t.test('refuses what is missing or wrong', async (t) => {
  const needed = ['--minutes', '1', '--rate']
  for (const rate of ['0', '-1', 'many', '', '1e9']) {
    t.throws(() => readOptions([...needed, rate], '/'), rate)
  }
  t.throws(() => readOptions(['--rate', '1'], '/'), { name: 'UsageError' })
  t.throws(() => readOptions(['--rate', '1', '--minutes', '1', '--fast'], '/'))
})
