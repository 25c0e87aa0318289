/** Only tests that can load the built pages wait for them. */
import { join } from 'node:path'
import t from 'tap'
import { readImportGraph } from '../../../dev/test-suite/changed.ts'
import { needPages } from '../../../dev/test-suite/pages.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

t.test('tests of services and of pages need them, tests of rules do not', async (t) => {
  const graph = readImportGraph(ROOT)
  for (const test of [
    'test/conformance/3-states.test.ts',
    'test/e2e/process.test.ts',
    'test/web/home/main.test.ts',
    'test/cluster/rolling.test.ts',
  ]) {
    t.ok(needPages([test], graph), test)
  }
  for (const test of ['test/domain/mask.test.ts', 'test/pades/pdf/filters.test.ts']) {
    t.notOk(needPages([test], graph), test)
  }
  t.ok(needPages(['test/domain/mask.test.ts', 'test/web/home/main.test.ts'], graph))
})
