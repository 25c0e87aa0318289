/** The tests that a change can break are found by imports and by paths in strings. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { listTestsOf, readImportGraph } from '../../../dev/test-suite/changed.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

function folderWith(t: Test): string {
  return t.testdir({
    domain: { 'a.ts': `import { b } from './b.ts'`, 'b.ts': '', 'c.ts': '' },
    web: { 'page.tsx': `import '../domain/c.ts'` },
    charts: { one: { 'values.yaml': '' } },
    test: {
      'whole.test.ts': '',
      domain: {
        'a.test.ts': `import { a } from '../../domain/a.ts'`,
        'c.test.ts': `const name = join(ROOT, 'domain/c.ts')`,
        'chart.test.ts': `readFileSync('../../charts/one')`,
      },
      web: { 'page.test.ts': `await import('tap')` },
    },
  })
}

t.test('a change reaches tests through imports and through paths', async (t) => {
  const graph = readImportGraph(folderWith(t))
  const rows: readonly (readonly [changes: string[], tests: string[]])[] = [
    [['domain/b.ts'], ['domain/a.test.ts', 'whole.test.ts']],
    [['domain/c.ts'], ['domain/c.test.ts', 'web/page.test.ts', 'whole.test.ts']],
    [['charts/one/values.yaml'], ['domain/chart.test.ts', 'whole.test.ts']],
    [['test/domain/a.test.ts'], ['domain/a.test.ts', 'whole.test.ts']],
    [['web/page.tsx'], ['web/page.test.ts', 'whole.test.ts']],
    [[], []],
  ]
  for (const [changes, tests] of rows) {
    const found = [...listTestsOf(changes, graph)].map((path) => path.slice('test/'.length))
    t.strictSame(found.sort(), tests, changes.join())
  }
})

t.test('after a change of the packages every test runs', async (t) => {
  const graph = readImportGraph(folderWith(t))
  t.equal(listTestsOf(['package-lock.json'], graph).size, 5)
})

t.test(
  'in this repository a rule of the domain reaches its tests, and not all others',
  async (t) => {
    const graph = readImportGraph(ROOT)
    const found = listTestsOf(['domain/mask.ts'], graph)
    t.ok(found.has('test/domain/mask.test.ts'))
    t.notOk(found.has('test/pades/pdf/filters.test.ts'))
    const services = listTestsOf(['runtime/embedded/service.ts'], graph)
    t.ok(services.has('test/conformance/3-states.test.ts'))
  },
)
