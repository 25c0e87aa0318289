/** The seeded faults can be brought in, and the closest tests come first. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { listClosestTests } from '../../dev/seeded-faults/closest-tests.ts'
import { SEEDED_FAULTS } from '../../dev/seeded-faults/faults.ts'
import { ROOT } from '../fixtures/source-tree.ts'

t.test('there are forty, in every layer, and each changes one place', async (t) => {
  t.equal(SEEDED_FAULTS.length, 40)
  const layers = new Set(SEEDED_FAULTS.map(({ file }) => file.split('/')[0]))
  const expected = ['adapters', 'api', 'application', 'controllers', 'domain', 'pades', 'workers']
  t.same([...layers].sort(), expected)
  for (const { file, find, replace } of SEEDED_FAULTS) {
    const source = readFileSync(join(ROOT, file), 'utf8')
    t.equal(source.split(find).length - 1, 1, `${file}: ${find}`)
    t.not(replace, find)
  }
})

t.test('tests are ordered by their place and by the imports between', async (t) => {
  const graph = new Map([
    ['domain/a.ts', new Set<string>()],
    ['domain/b.ts', new Set(['domain/a.ts'])],
    ['test/b.test.ts', new Set(['domain/b.ts'])],
    ['test/domain/a/more.test.ts', new Set(['domain/b.ts'])],
    ['test/other.test.ts', new Set(['domain/a.ts'])],
    ['test/unrelated.test.ts', new Set(['domain/c.ts'])],
  ])
  t.same(listClosestTests('domain/a.ts', graph), [
    'test/domain/a/more.test.ts',
    'test/other.test.ts',
    'test/b.test.ts',
  ])
})
